import { request as sendHttp } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMswHandlers } from '../msw.ts'
import { browserMissing, launchBrowser } from '../testing/launch-browser.ts'
import { type Answer, type Call, hasNoBody, type Listener } from '../words/call.ts'
import { createMock } from './create-mock.ts'
import { createFetch } from './fetch.ts'
import { routeToMock } from './playwright.ts'
import { type RunningMock, serve } from './serve.ts'

interface TestRequest {
  readonly about: string
  readonly to: Listener
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

interface Answered {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** An answer, or how the request failed. */
type Outcome = Answered | 'failed' | 'aborted'

// An origin that both APIs share with an application, as a development server does.
const origin = 'http://site.test'
const bases = { cloud: origin, selfHosted: origin }
// All ways share one mock, so no request may change it.
const mock = createMock({ seed: 3, now: '2026-03-01T12:00:00Z', limits: { body: 64 * 1024 }, bases })
const { cloud, selfHosted: stack } = mock.target()
const basic = { authorization: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}` }
const withoutChaos = { 'x-stack-parity-chaos': 'off' }
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
  { about: 'HEAD', to: 'cloud', method: 'HEAD', path: `${organization}/members`, headers: basic },
  { about: 'HEAD, self-hosted', to: 'selfHosted', method: 'HEAD', path: '/api/v2/alerts', headers: bearer },
  { about: 'HEAD of an unknown path', to: 'selfHosted', method: 'HEAD', path: '/api/v2/nothing', headers: bearer },
  { about: 'OPTIONS', to: 'cloud', method: 'OPTIONS', path: `${organization}/members`, headers: basic },
  { about: 'OPTIONS, self-hosted', to: 'selfHosted', method: 'OPTIONS', path: '/api/v2/alerts' },
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
  { about: 'a trailing slash', to: 'selfHosted', path: '/api/v2/alerts/', headers: bearer },
  { about: 'a trailing slash, cloud', to: 'cloud', path: `${organization}/members/`, headers: basic },
  { about: 'upper case', to: 'selfHosted', path: '/API/V2/Alerts', headers: bearer },
  { about: 'upper case, cloud', to: 'cloud', path: `${organization.toUpperCase()}/MEMBERS`, headers: basic },
  { about: 'characters beyond ASCII', to: 'selfHosted', path: '/api/v2/alerts/żółć', headers: bearer },
  { about: 'a query', to: 'selfHosted', path: '/api/v2/alerts?limit=1&limit=2&x=%ZZ&&=', headers: bearer },
  { about: 'a question mark alone', to: 'selfHosted', path: '/api/v2/alerts?', headers: bearer },
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
    body: new Uint8Array(64 * 1024 + 1).fill(32),
  },
  {
    about: 'a body that inflates over the limit',
    to: 'cloud',
    method: 'POST',
    path: `${managed}/alerts`,
    headers: { ...basic, ...json, 'content-encoding': 'gzip' },
    body: bytes(gzipSync(new Uint8Array(100_000))),
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
  { about: 'a stream of bytes that are no text', to: 'selfHosted', path: '/api/v2/stream' },
  { about: 'a stream that breaks off', to: 'selfHosted', path: '/api/v2/broken-stream' },
]

const elsewhere: readonly TestRequest[] = [
  { about: 'the root, cloud', to: 'cloud', path: '/' },
  { about: 'the root, self-hosted', to: 'selfHosted', path: '/' },
  { about: 'OPTIONS of an unknown path', to: 'selfHosted', method: 'OPTIONS', path: '/nothing/at/all' },
  { about: 'two slashes', to: 'selfHosted', path: '//api/v2//alerts', headers: bearer },
  { about: 'an unknown path', to: 'cloud', path: '/v2/organizations', headers: basic },
  { about: 'a path of the other listener', to: 'selfHosted', path: `${organization}/members`, headers: basic },
]

/** Answers a few paths as no operation does: with streams of bytes that are no text, and with nothing. */
const served = {
  ...mock,
  abortedCalls: 0,
  async answer(call: Call, listener: Listener): Promise<Answer> {
    if (call.path === '/api/v2/stream') return { status: 200, headers: octets, body: '', stream: twoChunks() }
    if (call.path === '/api/v2/broken-stream')
      return { status: 200, headers: octets, body: '', stream: twoChunks(true) }
    if (call.path !== '/api/v2/never') return mock.answer(call, listener)
    await new Promise(resolve => call.signal!.addEventListener('abort', resolve))
    served.abortedCalls++
    return mock.answer(call, listener)
  },
}
// With a length, because Playwright adds one.
const octets = { 'content-type': 'application/octet-stream', 'content-length': '6' }
async function* twoChunks(isBroken = false) {
  yield Uint8Array.of(0x00, 0xff, 0xfe, 0x80)
  if (isBroken) throw Object.assign(new Error('the engine is gone'), { code: 'ECONNRESET' })
  yield Uint8Array.of(0xc3, 0x28)
}

interface Sent {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | readonly number[]
  readonly redirect?: RequestRedirect
  readonly abortAfterMs?: number
}

/** Sends by `fetch`, in Node or in a page, which gets the source of this function. The bytes of the body become a text. */
async function sendByFetch(
  { url, method, headers, body, redirect, abortAfterMs }: Sent,
  send = fetch,
): Promise<Outcome> {
  const controller = new AbortController()
  if (abortAfterMs !== undefined) setTimeout(() => controller.abort(), abortAfterMs)
  try {
    const sentBody = body === undefined || typeof body === 'string' ? body : Uint8Array.from(body)
    const response = await send(url, { method, headers, body: sentBody, redirect, signal: controller.signal })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
    return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
  } catch {
    return controller.signal.aborted ? 'aborted' : 'failed'
  }
}

/** Sends by node:http, which changes no header. */
function sendOverPort(baseUrl: string, { url, method, headers, body, abortAfterMs }: Sent): Promise<Outcome> {
  const { pathname, search, host } = new URL(url)
  // The class Request, by which the other ways send, adds this header to a text.
  const added = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
  const options = { method, path: pathname + search, headers: { host, ...added, ...headers } }
  return new Promise(resolve => {
    const request = sendHttp(baseUrl, options, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', () => resolve('failed'))
      response.on('end', () => {
        const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const text = Buffer.concat(chunks).toString('latin1')
        resolve({ status: response.statusCode!, headers: Object.fromEntries(named), body: text })
      })
    })
    request.on('error', () => resolve(request.destroyed && abortAfterMs ? 'aborted' : 'failed'))
    request.end(typeof body === 'string' || !body ? body : Uint8Array.from(body))
    if (abortAfterMs !== undefined) setTimeout(() => request.destroy(), abortAfterMs)
  })
}

const browser = await launchBrowser()
const server = setupServer(
  ...createMswHandlers(served, bases),
  http.all(`${origin}/*`, () => new Response('the application')),
)
const ownFetch = createFetch(served, bases)
let running: RunningMock
let page: Page
type Way = (sent: Sent, to: Listener) => Promise<Outcome>
const ways: Readonly<Record<string, Way>> = {
  'the port': (sent, to) => sendOverPort(running.target()[to].baseUrl, sent),
  'mock.fetch': sent => sendByFetch(sent, ownFetch),
  // By default, MSW follows even a redirection that names no address.
  MSW: sent => sendByFetch({ ...sent, redirect: 'manual' }),
  ...(browser && { Playwright: sent => page.evaluate(sendByFetch, sent) }),
}
const others = Object.keys(ways).slice(1)

/** Sends a request by one way, and leaves out the headers of a connection. */
async function send(
  name: string,
  { about: _, to, path, body, ...rest }: TestRequest,
  way = ways[name]!,
): Promise<Outcome> {
  const isRead = ['GET', 'HEAD', undefined].includes(rest.method)
  // As a page of this origin sends it.
  const headers = name === 'Playwright' || isRead ? rest.headers : { origin, ...rest.headers }
  const sentBody = body instanceof Uint8Array ? [...body] : body
  const outcome = await way({ ...rest, url: origin + path, headers, body: sentBody }, to)
  if (typeof outcome === 'string') return outcome
  const { date, connection, 'keep-alive': __, 'transfer-encoding': ___, ...shown } = outcome.headers
  return {
    ...outcome,
    headers: shown,
    body: outcome.body.replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":"…"'),
  }
}

const ofStub = (method: string, status: number): TestRequest => ({
  about: `${method} ${status}`,
  to: 'selfHosted',
  method,
  path: `/api/v2/status/${status}`,
})
const ofStubs = [
  ...Array.from({ length: 400 }, (_, i) => ofStub('GET', 200 + i)),
  ...[200, 204, 205, 304, 404].flatMap(status => [ofStub('HEAD', status), ofStub('POST', status)]),
]

const answersOfPort = new Map<TestRequest, Outcome>()

beforeAll(async () => {
  mock.stub({
    when: { path: '/api/v2/status/*' },
    answer({ path }) {
      const status = Number(path.split('/').at(-1))
      return { status, headers: { 'x-own': 'kept' }, body: hasNoBody(status) ? undefined : { a: 'é' } }
    },
  })
  running = await serve(served, { consolePort: false })
  for (const request of [...requests, ...elsewhere, ...ofStubs])
    answersOfPort.set(request, await send('the port', request))
  // Only now: MSW would also stand between the port and its caller.
  server.listen()
  if (!browser) return
  const context = await browser.newContext()
  await context.route('**/*', route => route.fulfill({ contentType: 'text/html', body: 'the application' }))
  await routeToMock(context, { ...served, fetch: ownFetch })
  page = await context.newPage()
  await page.goto(origin)
})
afterEach(() => mock.setChaos({}))
afterAll(async () => {
  server.close()
  await Promise.all([running.close(), browser?.close()])
})

it.skipIf(browser)(`compares Playwright (${browserMissing})`, () => {})

it('the port answers every request of the comparison', () => {
  const failed = [...answersOfPort].filter(([, outcome]) => typeof outcome === 'string' || outcome.status === 0)
  expect(failed.map(([{ about }]) => about)).toEqual(['a stream that breaks off'])
})

describe.each(others)('%s answers as the port does', way => {
  it.each(requests)('$about', async request => {
    expect(await send(way, request)).toEqual(answersOfPort.get(request))
  })

  it('every status that a stub may have', async () => {
    const answers = await Promise.all(ofStubs.map(request => send(way, request)))
    expect(answers).toEqual(ofStubs.map(request => answersOfPort.get(request)))
  })

  it('no call that chaos drops, and half of one that it truncates', async () => {
    for (const chaos of [{ dropRate: 1 }, { truncateRate: 1 }]) {
      mock.setChaos(chaos)
      expect(await send(way, requests[0]!)).toBe('failed')
      expect(await send(way, { ...requests[0]!, headers: { ...basic, ...withoutChaos } })).toMatchObject({
        status: 200,
      })
    }
  })

  it('no call that its caller aborts, which the mock learns', async () => {
    const { abortedCalls } = served
    expect(await ways[way]!({ url: `${origin}/api/v2/never`, abortAfterMs: 20 }, 'selfHosted')).toBe('aborted')
    await expect.poll(() => served.abortedCalls).toBe(abortedCalls + 1)
  })
})

describe('a path that is not of the API', () => {
  const paths = ['/', '/lazy.js', '/version', '/v10', '/api', '/api/v1/things', '/healthy', '/run', '/service/1/start']

  it.each(paths)("is the application's: %s", async path => {
    const application = { status: 200, body: 'the application' }
    expect(await send('MSW', { about: '', to: 'cloud', path })).toMatchObject(application)
    if (browser) expect(await send('Playwright', { about: '', to: 'cloud', path })).toMatchObject(application)
  })

  it.each(elsewhere)('is answered by mock.fetch as by the port: $about', async request => {
    const apart = createFetch(mock, { [request.to]: origin })
    expect(await send('mock.fetch', request, sent => sendByFetch(sent, apart))).toEqual(answersOfPort.get(request))
  })
})
