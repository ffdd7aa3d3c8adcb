import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { startProxy } from '../run/proxy/start-proxy.ts'
import { startMock } from './start-mock.ts'

type Sent = readonly [
  method: string,
  path: string,
  body?: string | readonly string[],
  headers?: Readonly<Record<string, string>>,
]

/** Sends a request, with several parts of a body in chunks, and resolves with the whole answer. */
const send = (baseUrl: string, [method, path, body, headers]: Sent, authorization: string) =>
  new Promise((resolve, reject) => {
    const own = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
    const outgoing = request(`${baseUrl}${path}`, { method, headers: own }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...answered } = response.headers
        const text = String(answered['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes)
        // Addresses and request ids differ between the two mocks.
        const maskDifferences = (text: string) => text.replace(/127\.0\.0\.1:\d+|(?<="requestId":")[\w-]+/g, 'its own')
        resolve([
          response.statusCode,
          response.statusMessage,
          JSON.parse(maskDifferences(JSON.stringify(answered))),
          maskDifferences(text),
        ])
      })
    })
    outgoing.on('error', reject)
    for (const part of typeof body === 'string' ? [body] : (body ?? [])) outgoing.write(part)
    outgoing.end()
  })

it('a client gets the same answers through the proxy as without it, also after writes', async () => {
  const options = { seed: 5, now: Date.UTC(2026, 10, 23), freeze: true, services: 2, logs: 500 } as const
  const [direct, behind] = await Promise.all([startMock(options), startMock(options)])
  onTestFinished(async () => void (await Promise.all([direct.close(), behind.close()])))
  const target = { ...behind.target, writes: true } as const
  const proxy = await startProxy({ target, judge: async () => undefined, record: () => {} })
  onTestFinished(proxy.close)

  const { organizationId, serviceId, keyId, keySecret } = direct.target.cloud!
  const at = `/v1/organizations/${organizationId}`
  const keys = `${at}/keys`
  const dashboard = JSON.stringify({ name: 'ä💥', tiles: [], tags: [] })
  const cloud: readonly Sent[] = [
    ['GET', `${at}/members`],
    ['GET', `${at}/members`, undefined, { 'accept-encoding': 'gzip' }],
    ['HEAD', `${at}/members`],
    [
      'GET',
      `${at}/services/${serviceId}`,
      undefined,
      { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
    ],
    ['GET', `${at}/services/${serviceId}/prometheus?filtered_metrics=true`],
    ['POST', keys, '{"name": "a client\'s", "roles": ["admin"]}'],
    ['POST', keys, ['{"name": "in ', 'chunks"', '}']],
    ['POST', keys, '{"name": '],
    ['POST', keys, `{"name": "${'x'.repeat(2_000_000)}"}`, { expect: '100-continue' }],
    ['GET', keys],
    ['PATCH', `${at}/services/${serviceId}`, '{"name": "renamed"}'],
    ['DELETE', `${at}/services/${serviceId}`],
    ['PUT', `${at}/members`],
    ['OPTIONS', `${at}/members`],
    ['GET', `${at}/members/%2e%2e?x=%00&x=`],
    ['GET', '/nothing//here?'],
  ]
  const selfHosted: readonly Sent[] = [
    ['POST', '/api/v2/dashboards', dashboard],
    ['GET', '/api/v2/dashboards'],
    ['GET', '/api/v2/dashboards', undefined, { authorization: 'Bearer wrong' }],
    ['POST', '/api/v2/charts/series', '{}'],
  ]
  const basic = `Basic ${btoa(`${keyId}:${keySecret}`)}`
  const bearer = `Bearer ${direct.target.selfHosted!.apiKey}`
  for (const one of cloud)
    expect(await send(proxy.addresses.cloud!, one, basic), one.join(' ').slice(0, 90)).toEqual(
      await send(direct.target.cloud!.baseUrl, one, basic),
    )
  for (const one of selfHosted)
    expect(await send(proxy.addresses.selfHosted!, one, bearer), one.join(' ').slice(0, 90)).toEqual(
      await send(direct.target.selfHosted!.baseUrl, one, bearer),
    )
})
