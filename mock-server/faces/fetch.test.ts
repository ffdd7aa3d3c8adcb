import { describe, expect, it } from 'vitest'
import { createMock } from './create-mock.ts'

const bases = { cloud: 'https://api.example.com/behind/a/gateway', selfHosted: 'http://stack.example.com:8000' }
const mock = createMock({ bases })
const { apiKey } = mock.target().selfHosted!
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const alerts = `${bases.selfHosted}/api/v2/alerts`

describe('the fetch of a mock', () => {
  it.each([
    ['a text', alerts],
    ['a URL', new URL(alerts)],
    ['a request', new Request(alerts)],
  ])('accepts an address as %s', async (_, address) => {
    const response = await mock.fetch(address, { headers })
    expect([response.status, response.url]).toEqual([200, alerts])
    expect(response.headers.get('content-type')).toContain('application/json')
    expect((await response.json()).data.length).toBeGreaterThan(0)
  })

  it('removes the path of its base from the path of a call', async () => {
    const { organizationId, keyId, keySecret } = mock.target().cloud!
    const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
    const path = `/v1/organizations/${organizationId}/members`
    expect((await mock.fetch(bases.cloud + path, { headers: { authorization } })).status).toBe(200)
    expect(mock.calls(1)).toMatchObject([{ request: { path } }])
  })

  it('answers addresses of its own that lie below its base', async () => {
    const { organizationId, keyId, keySecret } = mock.target().cloud!
    const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
    const path = `/v1/organizations/${organizationId}/udfUploads/url`
    const answer = await mock.fetch(bases.cloud + path, { method: 'POST', headers: { authorization } })
    const { uploadUrl } = (await answer.json()).result
    expect(uploadUrl).toContain(`${bases.cloud}/udf-uploads/`)
    expect((await mock.fetch(uploadUrl, { method: 'PUT', body: 'x' })).status).not.toBe(404)
  })

  it('uses method, headers and body of a Request', async () => {
    const request = new Request(alerts, { method: 'POST', headers, body: '{"name":' })
    expect((await mock.fetch(request)).status).toBe(400)
    expect(await (await mock.fetch(alerts, { method: 'HEAD', headers })).text()).toBe('')
  })

  it.each([
    'https://api.example.com/elsewhere',
    'https://api.example.com/behind/a/gateways',
    'http://stack.example.com/api/v2',
  ])('refuses an address outside of its bases: %s', async address => {
    await expect(mock.fetch(address)).rejects.toThrow(`GET ${address} failed: the mock answers only`)
  })

  it('names the base that it refuses as invalid', () => {
    expect(() => createMock({ bases: { cloud: 'nope' } })).toThrow(
      'bases.cloud: Expected an address such as http://cloud.localhost, received "nope"',
    )
  })

  it('can be aborted while chaos delays it', async () => {
    const slow = createMock({ bases })
    // Longer than the timeout of a test.
    slow.setChaos({ latencyMs: [60_000, 60_000] })
    await expect(slow.fetch(alerts, { signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout')
    await expect(slow.fetch(alerts, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
  })
})
