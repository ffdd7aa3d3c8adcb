import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../mock-server/index.ts'
import { readExposition } from '../engine/exposition.ts'

let running: RunningMock
beforeAll(async () => {
  running = await startMock({ consoleToken: 'the-token', console: { version: '1.2.3' } })
})
afterAll(() => running.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${running.target().control!.baseUrl}${path}`, { headers })

async function scrape() {
  const response = await get('/metrics', { authorization: 'Bearer the-token' })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const text = await response.text()
  const valueAt = (series: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${series} `))
        ?.split(' ')[1],
    )
  return { text, valueAt }
}

it('the metrics of the mock are read by a strict parser, and count calls, worlds and rows', async () => {
  const { mock } = running
  const { cloud, selfHosted } = running.target()
  const worlds = [mock, mock.worlds.open({ name: 'job' }).world, mock.worlds.open().world]
  for (const world of worlds) {
    const { apiKey } = world.target({ selfHosted: selfHosted.baseUrl }).selfHosted!
    await fetch(`${selfHosted.baseUrl}/api/v2/alerts`, { headers: { authorization: `Bearer ${apiKey}` } })
  }
  await fetch(`${cloud.baseUrl}/v1/organizations/${cloud.organizationId}/members`)
  await fetch(`${cloud.baseUrl}/v1/no/such/path`)
  mock.worlds.close('job')
  mock.loadRows(selfHosted.references.sources.log!, [{ Timestamp: 0, Body: 'x' }])

  const { text, valueAt } = await scrape()
  expect(readExposition(text).finding).toBeUndefined()
  const calls = (form: string, operation: string, status: number) =>
    valueAt(`stack_parity_calls_total{form="${form}",operation="${operation}",status="${status}"}`)
  expect(calls('selfHosted', 'alert.list', 200)).toBe(3)
  expect(calls('cloud', 'member.list', 401)).toBe(1)
  expect(calls('cloud', 'none', 404)).toBe(1)
  const duration = 'stack_parity_call_duration_seconds'
  expect(valueAt(`${duration}_bucket{form="selfHosted",le="+Inf"}`)).toBe(3)
  expect(valueAt(`${duration}_count{form="selfHosted"}`)).toBe(3)
  expect(valueAt(`${duration}_sum{form="selfHosted"}`)).toBeGreaterThan(0)
  const buckets = [...text.matchAll(/_bucket{form="selfHosted",le="(.+)"} (\d+)/g)].map(([, le, count]) => [
    le,
    Number(count),
  ])
  expect(buckets).toEqual(buckets.toSorted(([, a], [, b]) => Number(a) - Number(b)))
  expect([valueAt('stack_parity_worlds{}'), valueAt('stack_parity_worlds_limit{}')]).toEqual([1, 1000])
  expect(valueAt('stack_parity_info{version="1.2.3"}')).toBe(1)
  expect(valueAt('stack_parity_rows{}')).toBeGreaterThan(0)
  expect(valueAt('process_resident_memory_bytes{}')).toBeGreaterThan(1e7)
})

it('the metrics of the mock get no series for unknown paths, keys and worlds', async () => {
  const { baseUrl } = running.target().selfHosted
  const seriesIn = async () => (await scrape()).text.match(/^\w+{.*}/gm)!
  await fetch(`${baseUrl}/api/v2/first`)
  const before = await seriesIn()
  for (const path of ['second', 'third"}', 'alerts/507f1f77bcf86cd799439011x']) {
    await fetch(`${baseUrl}/api/v2/${path}`, { headers: { authorization: 'Bearer unknown' } })
    running.mock.worlds.open({ name: path.slice(0, 5) })
  }
  const added = (await seriesIn()).filter(series => !before.includes(series))
  for (const series of added)
    expect(series).toMatch(/^stack_parity_calls_total{form="selfHosted",operation="[\w.-]+",status="\d+"}$/)
})

it('the probes answer with their status without a token and for any origin; the metrics need the token', async () => {
  for (const [path, status] of [
    ['/health', 'ok'],
    ['/ready', 'ready'],
  ]) {
    const response = await get(path!, { origin: 'http://evil.test' })
    expect([response.status, await response.json()]).toEqual([200, { status }])
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect((await fetch(response.url, { method: 'POST' })).status).toBe(405)
    expect((await fetch(response.url, { method: 'HEAD' })).status).toBe(200)
  }
  expect((await get('/metrics')).status).toBe(401)
  expect((await get('/metrics', { authorization: 'Bearer the-token', origin: 'http://evil.test' })).status).toBe(403)
})
