import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it as plain, vi } from 'vitest'
import { createMock } from './faces/create-mock.ts'
import { createTestWorld, keepWorld } from './faces/test-world.ts'
import { it } from './vitest.ts'

describe('the fixtures cloud and selfHosted', () => {
  for (const test of ['one', 'two']) {
    it.concurrent(`have the addresses and credentials of a separate world for each test: ${test}`, async ({
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
  it.extend({ env: true })('sets the variables of clients, without another fixture', async () => {
    const { CLICKHOUSE_API_URL, CLICKHOUSE_CLOUD_API_KEY, CLICKHOUSE_CLOUD_API_SECRET } = process.env
    const authorization = `Basic ${btoa(`${CLICKHOUSE_CLOUD_API_KEY}:${CLICKHOUSE_CLOUD_API_SECRET}`)}`
    expect((await fetch(`${CLICKHOUSE_API_URL}/organizations`, { headers: { authorization } })).status).toBe(200)
  })
  it.extend({ env: { MY_API: 'selfHosted.baseUrl' } })('sets custom variables', ({ selfHosted }) => {
    expect(process.env.MY_API).toBe(selfHosted.baseUrl)
  })
  plain('restores the environment after the test', () => {
    expect([process.env.CLICKHOUSE_API_URL, process.env.MY_API]).toEqual([undefined, undefined])
  })
  // Without retries, because a retry runs alone and would pass.
  it.extend({ env: true }).fails.concurrent('refuses a concurrent test', { retry: 0 }, () => {})

  plain('refuses an invalid variable with the possible values', async () => {
    const world = createTestWorld({ logs: 0 })
    await expect(world.setEnvironment({ X: 'cloud.nonsense' })).rejects.toThrow('X: Expected what a target file has')
    await world.close()
  })
})

describe('the world of a failed test', () => {
  plain('is saved as a snapshot that a mock can restore, with the calls', async () => {
    const world = createTestWorld({ logs: 0 })
    expect(world.describe()).toBeUndefined()
    const mock = world.mock()
    mock.update('member', mock.list('member')[0]!.userId as string, { name: 'Ada' })
    mock.stub({ when: { path: '/api/v2/alerts' }, answer: { status: 503 } })
    mock.stub({ when: { path: '/x' }, answer: () => ({}) })
    await mock.fetch('http://self-hosted.localhost/api/v2/alerts')
    const { snapshot, calls } = JSON.parse(readFileSync(keepWorld(world.describe()!), 'utf8'))
    expect(calls).toMatchObject([{ request: { path: '/api/v2/alerts' }, response: { status: 503 } }])
    const restored = createMock({ logs: 0 })
    restored.restore(snapshot)
    expect(restored.list('member')[0]!.name).toBe('Ada')
    expect(restored.stubs().map(({ when }) => when)).toEqual([{ path: '/api/v2/alerts' }])
  })
})

describe("Vitest's fake timers", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 2, 1) })
    return () => void vi.useRealTimers()
  })

  it('move the clock of the world in process', async ({ mock }) => {
    expect(new Date(mock.clock.now()).toISOString()).toBe('2026-03-01T00:00:00.000Z')
    const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud
    // A primary cannot be stopped while its secondaries run.
    const { id } = mock.list('service').find(({ state, isPrimary }) => state === 'running' && !isPrimary)!
    const requestState = async (path: string, init?: RequestInit) => {
      const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
      const headers = { authorization, 'content-type': 'application/json' }
      const address = `${baseUrl}/v1/organizations/${organizationId}/services/${id}${path}`
      return (await (await mock.fetch(address, { ...init, headers })).json()).result.state
    }
    expect(await requestState('')).toBe('running')
    expect(await requestState('/state', { method: 'PATCH', body: '{"command":"stop"}' })).toBe('stopping')
    vi.advanceTimersByTime(10 * 60_000)
    expect(await requestState('')).toBe('stopped')
  })

  it('control the delay of an answer', async ({ mock }) => {
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

  it('do not block calls over a port, or the end of the test', async ({ selfHosted }) => {
    const answer = await fetch(`${selfHosted.baseUrl}/api/v2/alerts`, {
      headers: { authorization: `Bearer ${selfHosted.apiKey}` },
    })
    expect([answer.status, answer.headers.get('date') !== null]).toEqual([200, true])
  })

  it('do not move the clock of a world that is frozen by at()', ({ mock }) => {
    mock.at('2027-01-01')
    vi.advanceTimersByTime(60_000)
    expect(mock.clock.now()).toBe(Date.UTC(2027, 0, 1))
  })
})
