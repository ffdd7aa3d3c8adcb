import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it as plain, vi } from 'vitest'
import { createMock } from './faces/create-mock.ts'
import { createTestWorld, keepWorld } from './faces/test-world.ts'
import { it } from './vitest.ts'

describe('the fixtures cloud and selfHosted', () => {
  for (const test of ['one', 'two']) {
    it.concurrent(`are addresses and credentials of a world of the test's own: ${test}`, async ({
      mock,
      cloud,
      selfHosted,
    }) => {
      const authorization = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
      const path = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}`
      const renamed = await fetch(path, {
        method: 'PATCH',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ name: test }),
      })
      expect(renamed.status).toBe(200)
      const dashboards = await fetch(`${selfHosted.baseUrl}/api/v2/dashboards`, {
        headers: { authorization: `Bearer ${selfHosted.apiKey}` },
      })
      expect(dashboards.status).toBe(200)
      const inProcess = await mock.fetch(path, { headers: { authorization } })
      expect((await inProcess.json()).result.name).toBe(test)
      expect(mock.target().cloud.baseUrl).toBe(cloud.baseUrl)
      expect(mock.calls()).toHaveLength(3)
    })
  }
})

describe('the fixture env', () => {
  it('sets nothing by default', ({ cloud }) => {
    expect(cloud.baseUrl).toMatch(/^http:/)
    expect(process.env.CLICKHOUSE_CLOUD_API_KEY).toBeUndefined()
  })
  it.extend({ env: true })('sets what clients read, without another fixture', async () => {
    const { CLICKHOUSE_API_URL, CLICKHOUSE_CLOUD_API_KEY, CLICKHOUSE_CLOUD_API_SECRET } = process.env
    const authorization = `Basic ${btoa(`${CLICKHOUSE_CLOUD_API_KEY}:${CLICKHOUSE_CLOUD_API_SECRET}`)}`
    expect((await fetch(`${CLICKHOUSE_API_URL}/organizations`, { headers: { authorization } })).status).toBe(200)
  })
  it.extend({ env: { MY_API: 'selfHosted.baseUrl' } })('sets variables of one’s own', ({ selfHosted }) => {
    expect(process.env.MY_API).toBe(selfHosted.baseUrl)
  })
  plain('is put back after the test', () => {
    expect([process.env.CLICKHOUSE_API_URL, process.env.MY_API]).toEqual([undefined, undefined])
  })
  // Without a retry, in which it would be alone and pass.
  it.extend({ env: true }).fails.concurrent('refuses a concurrent test', { retry: 0 }, () => {})

  plain('names what a variable can hold', async () => {
    const world = createTestWorld({ logs: 0 })
    await expect(world.setEnvironment({ X: 'cloud.nonsense' })).rejects.toThrow('X: Expected what a target file has')
    await world.close()
  })
})

describe('the world of a failed test', () => {
  plain('is a snapshot that a mock takes back, with the calls', async () => {
    const world = createTestWorld({ logs: 0 })
    expect(world.describe()).toBeUndefined()
    const mock = world.mock()
    mock.update('member', mock.list('member')[0]!.userId as string, { name: 'Ada' })
    mock.stub({ when: { path: '/api/v2/alerts' }, answer: { status: 503 } })
    mock.stub({ when: { path: '/x' }, answer: () => ({}) })
    await mock.fetch('http://self-hosted.localhost/api/v2/alerts')
    const { snapshot, calls } = JSON.parse(readFileSync(keepWorld(world.describe()!), 'utf8'))
    expect(calls).toMatchObject([{ request: { path: '/api/v2/alerts' }, response: { status: 503 } }])
    const again = createMock({ logs: 0 })
    again.restore(snapshot)
    expect(again.list('member')[0]!.name).toBe('Ada')
    expect(again.stubs().map(({ when }) => when)).toEqual([{ path: '/api/v2/alerts' }])
  })
})

describe("vitest's fake timers", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 2, 1) })
    return () => void vi.useRealTimers()
  })

  it('move the world with the time of the test, in process', async ({ mock }) => {
    expect(new Date(mock.clock.now()).toISOString()).toBe('2026-03-01T00:00:00.000Z')
    const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud
    // A primary one is not stopped while the others of its warehouse run.
    const { id } = mock.list('service').find(({ state, isPrimary }) => state === 'running' && !isPrimary)!
    const ask = async (path: string, init?: RequestInit) => {
      const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
      const headers = { authorization, 'content-type': 'application/json' }
      const address = `${baseUrl}/v1/organizations/${organizationId}/services/${id}${path}`
      return (await (await mock.fetch(address, { ...init, headers })).json()).result.state
    }
    expect(await ask('')).toBe('running')
    expect(await ask('/state', { method: 'PATCH', body: '{"command":"stop"}' })).toBe('stopping')
    vi.advanceTimersByTime(10 * 60_000)
    expect(await ask('')).toBe('stopped')
  })

  it('let a delayed answer wait for them', async ({ mock }) => {
    mock.stub({ when: {}, answer: { status: 202, delayMs: 5000 } })
    let status: number | undefined
    const answered = mock.fetch('http://cloud.localhost/v1').then(answer => {
      status = answer.status
    })
    await vi.advanceTimersByTimeAsync(4999)
    expect(status).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await answered
    expect(status).toBe(202)
  })

  it('keep no call over a port waiting, nor the end of the test', async ({ selfHosted }) => {
    const answer = await fetch(`${selfHosted.baseUrl}/api/v2/alerts`, {
      headers: { authorization: `Bearer ${selfHosted.apiKey}` },
    })
    expect([answer.status, answer.headers.get('date') !== null]).toEqual([200, true])
  })

  it('leave a world alone that stands still at a date', ({ mock }) => {
    mock.at('2027-01-01')
    vi.advanceTimersByTime(60_000)
    expect(mock.clock.now()).toBe(Date.UTC(2027, 0, 1))
  })
})
