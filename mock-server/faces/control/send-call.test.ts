import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../serve.ts'

let running: RunningMock
beforeAll(async () => {
  running = await startMock({ now: Date.parse('2026-03-01T12:00:30Z'), freeze: true, consoleToken: 'console' })
})
afterAll(() => running.close())

describe('calls that the control plane sends', () => {
  it('are sent with credentials of the world, and recorded in the journal', async () => {
    const { organizationId } = running.target().cloud
    const path = `/v1/organizations/${organizationId}/keys`
    const created = await send({ api: 'cloud', method: 'POST', path, body: { name: 'made here' } })
    expect(created.status).toBe(200)
    expect(JSON.parse(created.body).result.key.name).toBe('made here')
    const refused = await send({ api: 'cloud', method: 'POST', path, body: {} })
    expect(JSON.parse(refused.body)).toMatchObject({ status: 400, error: 'BAD_REQUEST: request body.name: Required' })
    expect(refused.cause.why).toContain('Required')
    expect(await send({ api: 'selfHosted', path: '/api/v2/alerts' })).toMatchObject({ status: 200 })
    expect(running.mock.calls(3).map(({ operation }) => operation)).toEqual(['alert.list', 'key.create', 'key.create'])
  })

  it('use another key if that of the target file is disabled, and no key if the request has an empty Authorization header', async () => {
    const { records } = running.mock
    const { organizationId } = running.target().cloud
    const path = `/v1/organizations/${organizationId}/members`
    const [first] = records.list('key')
    records.update('key', first!.id, { state: 'disabled' })
    expect(await send({ api: 'cloud', path })).toMatchObject({ status: 200 })
    expect(await send({ api: 'cloud', path, headers: { Authorization: '' } })).toMatchObject({ status: 401 })
    records.update('key', first!.id, { state: 'enabled' })
  })

  it('are refused with the invalid property', async () => {
    for (const [body, sentence] of [
      [{ api: 'managed', path: '/v1' }, '"api" must be cloud or selfHosted.'],
      [{ api: 'cloud', path: 'v1' }, '"path" must begin with a slash.'],
      [{ api: 'cloud', path: '/\ud800' }, '"path" must have at most 16384 characters, without control characters'],
      [{ api: 'cloud', path: '/\r\nx' }, '"path" must have at most 16384 characters, without control characters'],
      [{ api: 'cloud', path: `/${'x'.repeat(16_384)}` }, '"path" must have at most 16384 characters'],
      [{ api: 'cloud', path: '/v1', headers: { a: 1 } }, '"headers" must be an object of texts.'],
      [{ api: 'cloud', path: '/v1', payload: {} }, '"payload" is not known; the body takes api, method, path'],
    ] as const) {
      expect((await send(body)).error).toContain(sentence)
    }
  })
})

describe('the receiver of the control plane', () => {
  it('accepts webhooks of alerts without a token, and shows them only with one', async () => {
    const url = `${running.target().control!.baseUrl}/control/received/on-call`
    const webhook = running.mock.records.create('webhook', { name: 'Here', service: 'generic', url, body: '{{state}}' })
    const [board] = running.mock.records.list('dashboard')
    running.mock.records.create('alert', {
      name: 'Nobody is silent',
      source: 'tile',
      dashboardId: board!.id,
      tileId: board!.tiles[1]!.id,
      threshold: 0,
      thresholdType: 'above',
      interval: '1h',
      channels: [{ type: 'webhook', webhookId: webhook.id }],
    })
    await request('PUT', '/control/clock', { advanceMs: 3_600_000 })
    // The hour before the start, and the one that ends meanwhile.
    const delivery = { name: 'on-call', body: 'ALERT', headers: { 'content-type': 'application/json' } }
    await expect.poll(() => request('GET', '/control/received')).toMatchObject([delivery, delivery])
    expect((await fetch(`${running.target().control!.baseUrl}/control/received`)).status).toBe(401)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(401)
    await request('DELETE', '/control/received')
    expect(await request('GET', '/control/received')).toEqual([])
  })
})

const send = (call: object) => request('POST', '/control/send', call)

async function request(method: string, path: string, body?: object) {
  const response = await fetch(`${running.target().control!.baseUrl}${path}`, {
    method,
    headers: { authorization: 'Bearer console', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}
