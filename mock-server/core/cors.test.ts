import { describe, expect, it } from 'vitest'
import { createMock, type MockOptions } from '../mock/mock.ts'
import type { Listener } from '../words/call.ts'
import { explainBlocking } from './journal/blocked-by-browser.ts'

const page = 'http://localhost:3000'
const organization = '/v1/organizations/00000000-0000-4000-8000-000000000000'
/** A path of each form, and two unknown paths. */
const paths = [
  ['cloud', `${organization}/members`],
  ['cloud', `${organization}/services/00000000-0000-4000-8000-000000000000/observability/alerts`],
  ['cloud', '/'],
  ['selfHosted', '/api/v2/alerts'],
  ['selfHosted', '/nothing'],
] as const

function open(options: MockOptions = {}) {
  const mock = createMock(options)
  const send = (
    host: Listener,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    more: object = {},
  ) =>
    mock.answer({ method, path, query: '', headers: { host: '127.0.0.1:8000', ...headers }, body: '', ...more }, host)
  const { apiKey } = mock.target({ selfHosted: '' }).selfHosted!
  return { mock, send, own: { authorization: `Bearer ${apiKey}` } }
}

const preflight = (method: string, headers: string) => ({
  origin: page,
  'access-control-request-method': method,
  'access-control-request-headers': headers,
})

/** The names of the CORS headers, without Vary. */
const listCorsHeaders = (headers: object) =>
  Object.keys(headers).filter(name => /^(access-control|timing-allow)-/.test(name))

describe('a page of another origin', () => {
  it.each(paths)('may read the answer to %s %s', async (host, path) => {
    const { send, mock } = open()
    for (const origin of [page, 'https://app.example.com', 'null']) {
      const { headers } = await send(host, 'GET', path, { origin })
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        vary: expect.stringContaining('Origin'),
      })
    }
    expect(listCorsHeaders((await send(host, 'GET', path)).headers)).toEqual([])
    // Vary keeps a cache from giving a page the answer to a request without an origin.
    expect((await send(host, 'GET', path)).headers.vary).toContain('Origin')
    expect(mock.calls().filter(call => call.blockedByBrowser)).toEqual([])
  })

  it.each(paths)('gets preflights to %s %s answered for every method and header', async (host, path) => {
    const { send, mock } = open({ rateLimit: true, chaos: { errorRate: 1 } })
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const requestHeaders = preflight(method, 'authorization,content-type,x-mine')
      const { status, headers, body } = await send(host, 'OPTIONS', path, requestHeaders)
      expect([status, body]).toEqual([204, ''])
      expect(headers['access-control-allow-methods']!.split(', ')).toContain(method)
      expect(headers).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-allow-headers': 'authorization,content-type,x-mine',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      })
      expect(headers).not.toHaveProperty('access-control-allow-private-network')
    }
    const fromPublicNetwork = { ...preflight('GET', 'authorization'), 'access-control-request-private-network': 'true' }
    expect((await send(host, 'OPTIONS', path, fromPublicNetwork)).headers['access-control-allow-private-network']).toBe(
      'true',
    )
    expect(mock.calls().filter(call => call.blockedByBrowser)).toEqual([])
  })

  it('may read the headers of lists, refusals, quotas and failures', async () => {
    const { send, own, mock } = open({ rateLimit: true })
    const headers = { ...own, origin: page }
    const readExposed = async (...[method, path, headers, more]: [string, string, Record<string, string>, object?]) => {
      const answer = await send('selfHosted', method, path, headers, more)
      expect(answer.headers['access-control-allow-origin']).toBe(page)
      return [answer.status, answer.headers['access-control-expose-headers']]
    }
    expect(await readExposed('GET', '/api/v2/alerts', headers)).toEqual([
      200,
      expect.stringMatching(/etag.*ratelimit|ratelimit.*etag/),
    ])
    expect(await readExposed('GET', '/api/v2/alerts', { origin: page })).toEqual([
      401,
      expect.stringContaining('www-authenticate'),
    ])
    expect(await readExposed('PATCH', '/api/v2/alerts', headers)).toEqual([405, expect.stringContaining('allow')])
    const large = await readExposed(
      'POST',
      '/api/v2/alerts',
      { ...headers, 'content-type': 'application/json' },
      { unread: 'too-large' },
    )
    expect(large).toEqual([413, expect.stringContaining('date')])
    mock.setChaos({ errorRate: 1 })
    expect((await readExposed('GET', '/api/v2/alerts', headers))[0]).toBe(500)
  })
})

describe('a page of another origin, with a restricted option cors', () => {
  it.each([
    ['none', page, false],
    [[page], page, true],
    [page, page, true],
    [['HTTP://LOCALHOST:3000', 'https://a.test:443'], 'https://a.test', true],
    [[page], 'http://localhost:3001', false],
    [[page], 'null', false],
    [['null'], 'null', true],
  ] as const)(
    'can read answers only if its origin is listed, otherwise the journal explains why: cors %j, origin %s, %s',
    async (cors, origin, isAllowed) => {
      const { send, own, mock } = open({ cors })
      for (const [method, path] of [
        ['GET', '/api/v2/alerts'],
        ['GET', '/nothing'],
        ['OPTIONS', '/api/v2/alerts'],
      ] as const) {
        const requestHeaders =
          method === 'OPTIONS' ? { ...preflight('PUT', 'authorization'), origin } : { ...own, origin }
        const { headers } = await send('selfHosted', method, path, requestHeaders)
        expect(headers['access-control-allow-origin']).toBe(isAllowed ? origin : undefined)
        if (!isAllowed) expect(listCorsHeaders(headers)).toEqual([])
        const why = mock.calls(1)[0]!.blockedByBrowser
        if (isAllowed) expect(why).toBeUndefined()
        else expect(why).toContain(`its origin is not allowed (no Access-Control-Allow-Origin); --cors ${origin} or`)
      }
    },
  )
})

describe('the CORS headers of a deployment', () => {
  it.each([{ as: 'self-hosted-2.24' }, { cors: 'as-deployed' }] as const)(
    'allow one origin for the self-hosted form, and no origin for the cloud: %o',
    async options => {
      const { send, own, mock } = open(options)
      const { headers } = await send('selfHosted', 'GET', '/api/v2/alerts', { ...own, origin: page })
      expect(headers).toMatchObject({
        'access-control-allow-origin': 'http://localhost:8080',
        'access-control-allow-credentials': 'true',
        'timing-allow-origin': 'http://localhost:8080',
        vary: 'Origin, Accept-Encoding',
      })
      expect(mock.calls(1)[0]!.blockedByBrowser).toContain(
        `A browser keeps this answer from the page at ${page}: only http://localhost:8080 is allowed`,
      )
      expect(listCorsHeaders((await send('cloud', 'GET', organization, { origin: page })).headers)).toEqual([])
      await send('selfHosted', 'GET', '/api/v2/alerts', { ...own, origin: 'http://localhost:8080' })
      expect(mock.calls(1)[0]!.blockedByBrowser).toBeUndefined()
    },
  )

  it('give way to an explicit cors option, and are not implied by single choices', async () => {
    const origin = { origin: page }
    const { send } = open({ as: 'self-hosted-2.24', cors: 'any' })
    expect((await send('selfHosted', 'GET', '/api/v2/alerts', origin)).headers['access-control-allow-origin']).toBe(
      page,
    )
    const chosen = open({ choices: { selfHosted: { 'auth/challenge': 'absent' } } })
    expect((await chosen.send('cloud', 'GET', '/', origin)).headers['access-control-allow-origin']).toBe(page)
  })
})

describe('the option cors', () => {
  it.each([
    [['any', page], '"any" cannot be combined with http://localhost:3000'],
    [[], 'Expected an origin such as http://localhost:3000, or any, none or as-deployed alone, received []'],
    ['*', 'or any, none or as-deployed alone, received "*"'],
    ['http://localhost:3000/', 'received "http://localhost:3000/"'],
    ['localhost:3000', 'received "localhost:3000"'],
    [[7], 'received 7'],
    [true, 'received true'],
  ])('refuses %j', (cors, sentence) => {
    expect(() => createMock({ cors: cors as never })).toThrow(
      `create a mock: cors: ${sentence.startsWith('"any"') ? sentence : ''}`,
    )
    expect(() => createMock({ cors: cors as never })).toThrow(sentence)
  })
})

describe('explainBlocking', () => {
  const get = (headers: object = {}, method = 'GET') => ({
    method,
    path: '/',
    query: '',
    body: '',
    headers: { host: '127.0.0.1:8000', origin: page, ...headers },
  })
  const answerWith = (headers: Record<string, string>, status = 200) => ({ status, headers, body: '' })
  const open = { 'access-control-allow-origin': page }

  it.each([
    [
      'a wildcard with credentials',
      get({ cookie: 'a=b' }),
      answerWith({ 'access-control-allow-origin': '*' }),
      /has credentials, for which.*\* is not enough/,
    ],
    [
      'credentials that are not allowed',
      get({ cookie: 'a=b' }),
      answerWith(open),
      /no Access-Control-Allow-Credentials: true/,
    ],
    [
      'a preflight with an error',
      get(preflight('PUT', ''), 'OPTIONS'),
      answerWith(open, 405),
      /will not send the PUT .* preflight was answered with 405/,
    ],
    [
      'a method',
      get(preflight('PUT', ''), 'OPTIONS'),
      answerWith({ ...open, 'access-control-allow-methods': 'GET,POST' }),
      /PUT is not among the methods/,
    ],
    [
      'a header',
      get(preflight('GET', 'x-mine'), 'OPTIONS'),
      answerWith({ ...open, 'access-control-allow-headers': 'a' }),
      /the header x-mine is not allowed/,
    ],
    [
      'authorization by a wildcard',
      get(preflight('GET', 'Authorization'), 'OPTIONS'),
      answerWith({ ...open, 'access-control-allow-headers': '*' }),
      /the header authorization is not allowed/,
    ],
    [
      'access from a public network',
      get({ ...preflight('GET', ''), 'access-control-request-private-network': 'true' }, 'OPTIONS'),
      answerWith(open),
      /no Access-Control-Allow-Private-Network: true/,
    ],
  ] as const)('explains why a browser refuses %s', (_, call, answer, sentence) => {
    expect(explainBlocking(call, answer)).toMatch(sentence)
  })

  it.each([
    ['the request has no origin', get({ origin: undefined }), answerWith({})],
    ['the page has the same origin', get({ origin: 'http://127.0.0.1:8000' }), answerWith({})],
    ['the request is a navigation', get({ 'sec-fetch-mode': 'navigate' }), answerWith({})],
    ['every origin is allowed', get(), answerWith({ 'access-control-allow-origin': '*' })],
    ['there is no answer', get(), answerWith({}, 0)],
    [
      'every method and header is allowed',
      get(preflight('PUT', 'x-mine'), 'OPTIONS'),
      answerWith({ ...open, 'access-control-allow-methods': '*', 'access-control-allow-headers': '*' }),
    ],
  ] as const)('returns undefined when %s', (_, call, answer) => {
    expect(explainBlocking(call, answer)).toBeUndefined()
  })
})
