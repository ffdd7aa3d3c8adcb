import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch } from '../../mock-server/faces/fetch.ts'
import { type RunningMock, startMock } from '../../mock-server/faces/serve.ts'
import { createMock, type Mock } from '../../mock-server/mock/mock.ts'

const now = Date.UTC(2026, 0, 1)
let running: RunningMock
beforeAll(async () => {
  running = await startMock({
    seed: 1,
    now,
    freeze: true,
    limits: { body: 1024, headers: 4096, depth: 5, values: 50, series: 2, points: 3, rows: 6000, worlds: 1 },
  })
})
afterAll(() => running.close())

async function send(method: string, path: string, body?: unknown, extraHeaders: Record<string, string> = {}) {
  const { baseUrl, apiKey } = running.target().selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...extraHeaders }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await fetch(`${baseUrl}/api/v2/${path}`, { method, headers, body: text })
  return { status: response.status, description: await response.text() }
}

const postControl = async (path: string, body: object) => {
  const answer = await fetch(`${running.target().control!.baseUrl}/control/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return { status: answer.status, description: await answer.text() }
}

/** The reason of the last answer, from the journal: self-hosted refusals of unread bodies do not state it. */
const lastReason = (mock: Mock) => mock.calls(1)[0]!.because.why

const dashboardOf = (name: unknown) => ({ name, tiles: [] })
const seriesOf = (more: object = {}) => ({
  sourceId: running.target().selfHosted!.references.sourceId,
  aggFn: 'count',
  where: '',
  groupBy: [],
  ...more,
})
const chartOf = (...all: object[]) => {
  const endTime = now
  return { startTime: endTime - 86_400_000, endTime, granularity: '1d', series: all }
}

describe('a mock with lower limits', () => {
  it('refuses a request beyond a limit with the limit, and accepts a request just below the limit', async () => {
    expect((await send('POST', 'dashboards', dashboardOf('x'.repeat(900)))).status).toBe(200)
    expect(await send('POST', 'dashboards', dashboardOf('x'.repeat(1024)))).toMatchObject({ status: 413 })
    expect(lastReason(running.mock)).toContain('at most 1 KiB')
    expect(await send('GET', 'dashboards', undefined, { 'x-long': 'x'.repeat(5000) })).toEqual({
      status: 431,
      description: expect.stringContaining('4 KiB'),
    })
    expect((await send('POST', 'dashboards', dashboardOf([[[[[1]]]]]))).status).toBe(400)
    expect(lastReason(running.mock)).toContain('at most 5 levels')
    expect((await send('POST', 'dashboards', dashboardOf(Array(60).fill(1)))).status).toBe(400)
    expect(lastReason(running.mock)).toContain('at most 50 values')
  })

  it('limits the series of a chart, and their points', async () => {
    expect((await send('POST', 'charts/series', chartOf(seriesOf(), seriesOf()))).status).toBe(200)
    expect(await send('POST', 'charts/series', chartOf(seriesOf(), seriesOf(), seriesOf()))).toMatchObject({
      status: 400,
    })
    const { status, description } = await send('POST', 'charts/series', chartOf(seriesOf({ groupBy: ['ServiceName'] })))
    expect([status, description]).toEqual([400, expect.stringContaining('at most 3 points')])
  })

  it('refuses rows and worlds beyond their limits, and explains how to make room', async () => {
    const { sourceId } = running.target().selfHosted!.references
    const row = { Timestamp: new Date(now).toISOString(), Body: 'one more' }
    const { telemetry } = running.mock.deployment().stackOf('self-hosted')
    const room = 6000 - telemetry.countLoaded(sourceId!)
    expect((await postControl('rows', { sourceId, rows: Array(room).fill(row) })).status).toBe(200)
    const { status, description } = await postControl('rows', { sourceId, rows: [row] })
    expect([status, description]).toEqual([
      400,
      expect.stringMatching(/at most 6000 .* it has 6000 already: reset .*--max-rows/),
    ])
    expect((await postControl('worlds', {})).status).toBe(201)
    expect((await postControl('worlds', {})).status).toBe(409)
  })

  it('limits bodies in process, too', async () => {
    const mock = createMock({ limits: { body: 10 } })
    const { selfHosted } = mock.target({ selfHosted: 'http://self-hosted.localhost' })
    const headers = { authorization: `Bearer ${selfHosted!.apiKey}`, 'content-type': 'application/json' }
    const url = 'http://self-hosted.localhost/api/v2/dashboards'
    const answer = await createFetch(mock)(url, { method: 'POST', headers, body: JSON.stringify(dashboardOf('x')) })
    expect(answer.status).toBe(413)
    expect(lastReason(mock)).toContain('at most 10 bytes')
  })
})

it('createMock refuses an impossible limit by its name', () => {
  expect(() => createMock({ limits: { depth: 0 } })).toThrow(
    'create a mock: limits: depth: Expected a whole number from 1 to 1000, received 0',
  )
})
