import { fileURLToPath } from 'node:url'
import { describe, expect, it as plain } from 'vitest'
import { it, type SqlService } from './vitest.ts'

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

describe('the fixture mock', () => {
  for (const time of ['the first time', 'the second time']) {
    it(`is a new world for each test, ${time}`, async ({ mock }) => {
      const { baseUrl, apiKey } = mock.target().selfHosted!
      const dashboards = async () =>
        (await (await mock.fetch(`${baseUrl}/api/v2/dashboards`, { headers: bearer(apiKey) })).json()).data
      expect((await dashboards()).map(({ name }: { name: string }) => name)).not.toContain('Mine')
      const body = JSON.stringify({ name: 'Mine', tiles: [] })
      const created = await mock.fetch(`${baseUrl}/api/v2/dashboards`, {
        method: 'POST',
        headers: bearer(apiKey),
        body,
      })
      expect(created.status).toBe(200)
      expect((await dashboards()).map(({ name }: { name: string }) => name)).toContain('Mine')
    })
  }

  const itWithOptions = it.extend({
    mockOptions: { seed: 7, faults: ['envelope/status-equals-http'], bases: { cloud: 'https://api.example.com/base' } },
  })
  itWithOptions('has the options of mockOptions', async ({ mock }) => {
    const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud!
    expect(baseUrl).toBe('https://api.example.com/base')
    expect(mock.target().selfHosted).toBeUndefined()
    const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
    const response = await mock.fetch(`${baseUrl}/v1/organizations/${organizationId}/members`, {
      headers: { authorization },
    })
    expect((await response.json()).status).not.toBe(response.status)
  })
})

describe('the fixture sharedMock', () => {
  let previousMock: unknown
  it('is a mock', ({ sharedMock }) => {
    previousMock = sharedMock
    sharedMock.setFaults(['envelope/status-equals-http'])
  })
  it('can be restored from a snapshot', async ({ sharedMock: mock }) => {
    const before = mock.snapshot()
    mock.create('member', { name: 'Ada' })
    mock.stub({ when: { operation: 'alert.list' }, answer: { status: 503 } })
    expect(mock.list('member').at(-1)?.name).toBe('Ada')
    mock.restore(before)
    expect([mock.list('member').length, mock.stubs()]).toEqual([10, []])
  })
  it('is the mock of the previous tests', ({ sharedMock }) => {
    expect(sharedMock).toBe(previousMock)
    expect(sharedMock.faults()).toEqual(['envelope/status-equals-http'])
  })
})

describe('the fixture server', () => {
  // fetch refuses port 9, so only the mock can answer.
  const bases = { selfHosted: 'http://127.0.0.1:9' }
  const address = `${bases.selfHosted}/api/v2/webhooks`

  it.extend({ mockOptions: { bases } })(
    'lets the global fetch reach the mock of the test',
    async ({ mock, server }) => {
      const response = await fetch(address, { headers: bearer(mock.target().selfHosted!.apiKey) })
      expect(response.status).toBe(200)
      expect(mock.calls()).toHaveLength(1)
      expect(server.listHandlers()).toHaveLength(1)
    },
  )

  plain('no longer intercepts after its test', async () => {
    await expect(fetch(address)).rejects.toThrow()
  })
})

const library = fileURLToPath(new URL('./testing/stand-in-chdb.cjs', import.meta.url))
const itWithService = it.extend({ sqlEngine: [{ engine: 'chdb', library }, { scope: 'file' }] })

describe('the fixture service', () => {
  const query = async ({ url, username, password }: SqlService, body: string) => {
    const authorization = `Basic ${btoa(`${username}:${password}`)}`
    return (await fetch(url, { method: 'POST', headers: { authorization }, body })).text()
  }

  for (const time of ['the first time', 'the second time']) {
    itWithService(`runs SQL on tables of a separate service for each test, ${time}`, async ({ service }) => {
      expect(await query(service, 'SELECT * FROM t')).toBe('')
      await query(service, 'INSERT INTO t VALUES (1)')
      expect(await query(service, 'SELECT * FROM t')).toBe('1\n')
      expect(await query({ ...service, password: 'wrong' }, 'SELECT 1')).toContain('AUTHENTICATION_FAILED')
    })
  }
})
