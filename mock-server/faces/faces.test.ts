import { request as sendHttp } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'
import { getResponse } from 'msw'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import type { Listener } from '../words/call.ts'
import { createMswHandlers } from './msw.ts'
import { type RunningMock, serve } from './serve.ts'

interface TestRequest {
  readonly about: string
  readonly to: Listener
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

interface PlainResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

// Both faces share one mock, so no request may change it.
const mock = createMock({ seed: 3, now: Date.parse('2026-03-01T12:00:00Z') })
const target = mock.target({ cloud: 'http://cloud.test', selfHosted: 'http://stack.test' })
const cloud = target.cloud!
const stack = target.selfHosted!
const basic = { authorization: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}` }
const bearer = { authorization: `Bearer ${stack.apiKey}` }
const json = { 'content-type': 'application/json' }
const organization = `/v1/organizations/${cloud.organizationId}`
const managed = `${organization}/services/${cloud.serviceId}/${cloud.observabilitySegment}`
const bytes = (buffer: Uint8Array) => new Uint8Array(buffer)

const requests: readonly TestRequest[] = [
  { about: 'list members', to: 'cloud', path: `${organization}/members`, headers: basic },
  {
    about: 'get a backup',
    to: 'cloud',
    path: `${organization}/services/${cloud.serviceId}/backups/${cloud.backupId}`,
    headers: basic,
  },
  { about: 'managed dashboards', to: 'cloud', path: `${managed}/dashboards`, headers: basic },
  { about: 'self-hosted dashboards', to: 'selfHosted', path: '/api/v2/dashboards', headers: bearer },
  { about: 'the health of a deployment', to: 'selfHosted', path: '/health' },
  { about: 'the description', to: 'cloud', path: '/v1' },
  { about: 'the root, cloud', to: 'cloud', path: '/' },
  { about: 'the root, self-hosted', to: 'selfHosted', path: '/' },
  { about: 'HEAD', to: 'cloud', method: 'HEAD', path: `${organization}/members`, headers: basic },
  { about: 'HEAD, self-hosted', to: 'selfHosted', method: 'HEAD', path: '/api/v2/alerts', headers: bearer },
  { about: 'HEAD of an unknown path', to: 'selfHosted', method: 'HEAD', path: '/api/v2/nothing', headers: bearer },
  { about: 'OPTIONS', to: 'cloud', method: 'OPTIONS', path: `${organization}/members`, headers: basic },
  { about: 'OPTIONS, self-hosted', to: 'selfHosted', method: 'OPTIONS', path: '/api/v2/alerts' },
  { about: 'OPTIONS of an unknown path', to: 'selfHosted', method: 'OPTIONS', path: '/nothing/at/all' },
  {
    about: 'PATCH',
    to: 'selfHosted',
    method: 'PATCH',
    path: '/api/v2/alerts',
    headers: { ...bearer, ...json },
    body: '{}',
  },
  { about: 'PROPFIND', to: 'cloud', method: 'PROPFIND', path: `${organization}/members`, headers: basic },
  { about: 'DELETE of a list', to: 'cloud', method: 'DELETE', path: `${managed}/dashboards`, headers: basic },
  { about: 'GET of the charts', to: 'selfHosted', path: '/api/v2/charts/series', headers: bearer },
  {
    about: 'charts in the managed form',
    to: 'cloud',
    method: 'POST',
    path: `${managed}/charts/series`,
    headers: { ...basic, ...json },
    body: '{}',
  },
  { about: 'a broken escape', to: 'selfHosted', path: '/api/v2/alerts/%ZZ', headers: bearer },
  {
    about: 'a broken escape in an organization',
    to: 'cloud',
    path: '/v1/organizations/%E0%A4%A/members',
    headers: basic,
  },
  { about: 'an escaped slash', to: 'selfHosted', path: '/api/v2/alerts/a%2Fb', headers: bearer },
  { about: 'dots that a client resolves', to: 'selfHosted', path: '/api/v2/alerts/../dashboards', headers: bearer },
  { about: 'two slashes', to: 'selfHosted', path: '//api/v2//alerts', headers: bearer },
  { about: 'a trailing slash', to: 'selfHosted', path: '/api/v2/alerts/', headers: bearer },
  { about: 'a trailing slash, cloud', to: 'cloud', path: `${organization}/members/`, headers: basic },
  { about: 'upper case', to: 'selfHosted', path: '/API/V2/Alerts', headers: bearer },
  { about: 'upper case, cloud', to: 'cloud', path: `${organization.toUpperCase()}/MEMBERS`, headers: basic },
  { about: 'characters beyond ASCII', to: 'selfHosted', path: '/api/v2/alerts/żółć', headers: bearer },
  { about: 'a query', to: 'selfHosted', path: '/api/v2/alerts?limit=1&limit=2&x=%ZZ&&=', headers: bearer },
  { about: 'a question mark alone', to: 'selfHosted', path: '/api/v2/alerts?', headers: bearer },
  { about: 'an unknown path', to: 'cloud', path: '/v2/organizations', headers: basic },
  { about: 'a path of the other listener', to: 'selfHosted', path: `${organization}/members`, headers: basic },
  { about: 'an unknown id', to: 'selfHosted', path: '/api/v2/dashboards/65f000000000000000000000', headers: bearer },
  { about: 'a malformed id', to: 'cloud', path: '/v1/organizations/nope/members', headers: basic },
  {
    about: 'an unknown organization',
    to: 'cloud',
    path: '/v1/organizations/3b241101-e2bb-4255-8caf-4136c566a962/members',
    headers: basic,
  },
  { about: 'no credentials', to: 'cloud', path: `${organization}/members` },
  { about: 'no credentials, self-hosted', to: 'selfHosted', path: '/api/v2/alerts' },
  { about: 'an empty header', to: 'selfHosted', path: '/api/v2/alerts', headers: { authorization: '' } },
  {
    about: 'an empty secret',
    to: 'cloud',
    path: `${organization}/members`,
    headers: { authorization: `Basic ${btoa(`${cloud.keyId}:`)}` },
  },
  {
    about: 'credentials that are not Base64',
    to: 'cloud',
    path: `${organization}/members`,
    headers: { authorization: 'Basic ***' },
  },
  {
    about: 'the ingestion key',
    to: 'selfHosted',
    path: '/api/v2/alerts',
    headers: { authorization: `Bearer ${stack.ingestionKey}` },
  },
  { about: "the other form's credentials", to: 'selfHosted', path: '/api/v2/alerts', headers: basic },
  { about: "the other form's credentials, cloud", to: 'cloud', path: `${managed}/dashboards`, headers: bearer },
  { about: 'a bearer in Latin-1', to: 'selfHosted', path: '/api/v2/alerts', headers: { authorization: 'Bearer clé' } },
  {
    about: 'broken JSON',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/alerts',
    headers: { ...bearer, ...json },
    body: '{"name":',
  },
  {
    about: 'broken JSON, managed',
    to: 'cloud',
    method: 'POST',
    path: `${managed}/alerts`,
    headers: { ...basic, ...json },
    body: '{"name":',
  },
  {
    about: 'a body that is not an object',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/alerts',
    headers: { ...bearer, ...json },
    body: '[1]',
  },
  {
    about: 'another content type',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, 'content-type': 'application/xml' },
    body: '<a/>',
  },
  {
    about: 'no content type',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: bearer,
    body: bytes(Buffer.from('{}')),
  },
  {
    about: 'an empty body',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json },
    body: '',
  },
  { about: 'no body', to: 'selfHosted', method: 'POST', path: '/api/v2/dashboards', headers: bearer },
  {
    about: 'a byte order mark',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json },
    body: '\ufeff{"tiles":[]}',
  },
  {
    about: 'gzip',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json, 'content-encoding': 'gzip' },
    body: bytes(gzipSync('{"name":1}')),
  },
  {
    about: 'deflate',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json, 'content-encoding': 'DEFLATE' },
    body: bytes(deflateSync('{"name":1}')),
  },
  {
    about: 'a body that is not gzip as declared',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json, 'content-encoding': 'gzip' },
    body: '{"name":1}',
  },
  {
    about: 'an unknown encoding',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json, 'content-encoding': 'zz' },
    body: '{}',
  },
  {
    about: 'an unknown charset',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, 'content-type': 'application/json; charset=iso-8859-1' },
    body: '{}',
  },
  {
    about: 'a text in another charset',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, 'content-type': 'text/plain; charset=iso-8859-1' },
    body: Uint8Array.of(0x22, 0xff, 0x22),
  },
  {
    about: 'bytes that are not UTF-8',
    to: 'cloud',
    method: 'POST',
    path: `${managed}/alerts`,
    headers: { ...basic, ...json },
    body: Uint8Array.of(0x22, 0xff, 0x22),
  },
  {
    about: 'a body over the limit',
    to: 'selfHosted',
    method: 'POST',
    path: '/api/v2/dashboards',
    headers: { ...bearer, ...json },
    body: new Uint8Array(32 * 1024 * 1024 + 1).fill(32),
  },
  {
    about: 'a body that inflates over the limit',
    to: 'cloud',
    method: 'POST',
    path: `${managed}/alerts`,
    headers: { ...basic, ...json, 'content-encoding': 'gzip' },
    body: bytes(gzipSync(new Uint8Array(34_000_000))),
  },
  {
    about: 'long headers',
    to: 'selfHosted',
    path: '/api/v2/alerts',
    headers: { ...bearer, 'x-long': 'a'.repeat(40_000) },
  },
  {
    about: 'If-None-Match: *',
    to: 'selfHosted',
    path: '/api/v2/alerts',
    headers: { ...bearer, 'if-none-match': '*' },
  },
]

let running: RunningMock
beforeAll(async () => {
  running = await serve(mock, {})
})
afterAll(() => running.close())

const handlers = createMswHandlers(mock, { cloud: 'http://cloud.test', selfHosted: 'http://stack.test' })

describe('the Koa face and the MSW face', () => {
  it.each(requests)('give the same answer: $about', async request => {
    const overHttp = await sendOverHttp(request)
    const inMsw = await sendInMsw(request)
    expect(inMsw).toEqual(overHttp)
    expect(overHttp.status).not.toBe(500)
  })

  it('give every answer its own request id', async () => {
    const twice = [await sendRaw(requests[0]!), await sendRaw(requests[0]!)]
    const ids = twice.map(({ body }) => JSON.parse(body).requestId)
    expect(new Set(ids).size).toBe(2)
  })
})

async function sendInMsw({ to, method = 'GET', path, headers, body }: TestRequest): Promise<PlainResponse> {
  const base = to === 'cloud' ? 'http://cloud.test' : 'http://stack.test'
  const response = await getResponse(handlers, new Request(base + path, { method, headers, body }))
  if (!response) throw new Error(`no handler answered ${path}`)
  return normalise({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  })
}

async function sendOverHttp(request: TestRequest): Promise<PlainResponse> {
  return normalise(await sendRaw(request))
}

/** Sends with node:http, which leaves headers unchanged. The path is normalised, as by any client that uses URLs. */
function sendRaw({ to, method = 'GET', path, headers, body }: TestRequest): Promise<PlainResponse> {
  const { baseUrl } = to === 'cloud' ? running.target().cloud! : running.target().selfHosted!
  const { hostname, port } = new URL(baseUrl)
  const url = new URL(baseUrl + path)
  // The class Request, which sendInMsw() uses, adds this header to a text.
  const added =
    typeof body === 'string' && !headers?.['content-type'] ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
  return new Promise((resolve, reject) => {
    const target = url.pathname + url.search
    const request = sendHttp({ hostname, port, method, path: target, headers: { ...added, ...headers } }, response => {
      const chunks: Buffer[] = []
      response
        .on('data', chunk => chunks.push(chunk))
        .on('end', () => {
          const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          resolve({
            status: response.statusCode!,
            headers: Object.fromEntries(entries),
            body: Buffer.concat(chunks).toString(),
          })
        })
    })
    request.on('error', reject).end(body)
  })
}

/** Removes the headers of the connection, and replaces the random request id. */
function normalise({ status, headers, body }: PlainResponse): PlainResponse {
  const { date, connection, 'keep-alive': _, ...kept } = headers
  return { status, headers: kept, body: body.replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":"…"') }
}
