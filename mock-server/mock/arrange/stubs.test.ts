import { beforeEach, describe, expect, it } from 'vitest'
import { createFetch, defaultBases } from '../../faces/fetch.ts'
import type { Call } from '../../words/call.ts'
import { createMock, type Mock, type Snapshot, type StubCondition, type StubOptions } from '../mock.ts'

let mock: Mock
beforeEach(() => {
  mock = createMock({ logs: 0 })
})

const path = '/api/v2/alerts'
const authorization = () => `Bearer ${mock.target({ selfHosted: 'http://x' }).selfHosted!.apiKey}`
const send = (call: Partial<Call> = {}) =>
  mock.answer(
    {
      method: 'GET',
      path,
      query: '',
      body: '',
      ...call,
      headers: { authorization: authorization(), ...call.headers },
    },
    'selfHosted',
  )

describe('a stub', () => {
  it('answers as often as `times` says, and then the mock answers', async () => {
    mock.stub({ when: { method: 'get', path }, answer: { status: 503, body: { message: 'busy' } }, times: 2 })
    const answers = [await send(), await send(), await send()]
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200])
    expect(answers[0]).toMatchObject({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"message":"busy"}',
    })
    expect(mock.stubs()).toMatchObject([{ id: 'stub-1', answered: 2, times: 2 }])
  })

  it('is named in the journal, with the operation of the call', async () => {
    mock.stub({ when: { operation: 'alert.list' }, answer: {}, times: 3 })
    await send()
    expect(mock.calls(1)).toMatchObject([
      { operation: 'alert.list', because: { stub: 'stub-1', why: expect.stringContaining('stub-1, 1 of 3 times') } },
    ])
  })

  it('changes nothing in the world', async () => {
    const before = mock.revision()
    mock.stub({ when: {}, answer: { status: 200 } })
    await send({ method: 'DELETE', path: `${path}/${mock.list('alert')[0]!.id}` })
    expect(mock.revision()).toBe(before)
  })

  it('has priority over faults, chaos and older stubs', async () => {
    mock.setFaults(['alert/list-answers'])
    mock.setChaos({ errorRate: 1 })
    mock.stub({ when: { path }, answer: { status: 410 } })
    mock.stub({ when: { path }, answer: { status: 418, body: 'tea' }, times: 1 })
    expect([await send(), await send()]).toMatchObject([
      { status: 418, body: 'tea', headers: { 'content-type': 'text/plain; charset=utf-8' } },
      { status: 410, body: '', headers: {} },
    ])
  })

  const post = {
    method: 'POST',
    body: '{"name":"Ada","tags":[{"key":"a"},{"key":"b","n":1}]}',
    query: 'limit=10&x=%20',
  }
  const headers = { 'x-tenant': 'one' }
  const fitting: readonly StubCondition[] = [
    {},
    { method: 'POST' },
    { path: '/api/v2/{resource}' },
    { path: '/api/*/al*ts' },
    { path: '/{a}{b}/*v2**ts*' },
    { path: '/api/**' },
    { path: '**' },
    { operation: 'alert.create' },
    { query: { limit: '10', x: ' ' } },
    { headers: { 'X-Tenant': 'one' } },
    { body: { name: 'Ada' } },
    { body: { tags: [{ key: 'b' }] } },
    { body: '"name":"Ada"' },
  ]
  const missing: readonly StubCondition[] = [
    { method: 'PUT' },
    { path: '/api/v2' },
    { path: '/api/*' },
    { path: '/api/*alerts' },
    { path: '/{a}{b}{c}{d}/v2/alerts' },
    { path: '/api/v2/alerts/{id}' },
    { path: '/api/v2/alert.' },
    { operation: 'alert.list' },
    { query: { limit: '1' } },
    { headers: { 'x-tenant': 'two' } },
    { body: { name: 'Ada', role: null } },
    { body: { tags: [{ key: 'c' }] } },
    { body: { tags: { key: 'a' } } },
    { body: 'Eve' },
  ]
  it.each(fitting)('answers a call that matches %j', async when => {
    mock.stub({ when, answer: { status: 299 } })
    expect((await send({ ...post, headers })).status).toBe(299)
  })
  it.each(missing)('does not answer a call that does not match %j', async when => {
    mock.stub({ when, answer: { status: 299 } })
    expect((await send({ ...post, headers })).status).not.toBe(299)
  })

  it('matches a long path against any pattern in linear time, without backtracking', async () => {
    const when = { path: `/${'**a{x}*'.repeat(20)}b` }
    mock.stub({ when, answer: { status: 299 } })
    const long = `/${'a'.repeat(5000)}`
    expect([(await send({ path: long })).status, (await send({ path: `${long}b` })).status]).toEqual([404, 299])
  })

  it('answers preflights only if its condition is OPTIONS, and adds CORS headers', async () => {
    mock.stub({ when: {}, answer: { status: 500 } })
    const origin = 'http://localhost:3000'
    const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } }
    expect((await send(preflight)).status).toBe(204)
    expect((await send({ headers: { origin } })).headers['access-control-allow-origin']).toBe(origin)
    mock.stub({ when: { method: 'OPTIONS' }, answer: { status: 403 } })
    expect((await send(preflight)).status).toBe(403)
  })

  it('is removed by its id, with all others, and by a reset', async () => {
    const one = mock.stub({ when: {}, answer: { status: 500 } })
    mock.stub({ when: { method: 'PUT' }, answer: {} })
    expect([mock.removeStubs(one.id), mock.removeStubs(one.id)]).toEqual([true, false])
    expect((await send()).status).toBe(200)
    mock.removeStubs()
    expect(mock.stubs()).toEqual([])
    mock.stub({ when: {}, answer: { status: 500 } })
    mock.reset()
    expect((await send()).status).toBe(200)
  })

  it('answers calls of its own world only', async () => {
    mock.stub({ when: {}, answer: { status: 500 } })
    const other = mock.worlds.open().world.target({ selfHosted: 'http://x' }).selfHosted!.apiKey
    expect((await send({ headers: { authorization: `Bearer ${other}` } })).status).toBe(200)
  })

  it('is delayed by `delayMs`', async () => {
    mock.stub({ when: {}, answer: { status: 202, delayMs: 30 } })
    const began = performance.now()
    const response = await createFetch(mock, defaultBases)('http://self-hosted.localhost/api/v2')
    expect([response.status, performance.now() - began > 25]).toEqual([202, true])
  })

  const refused: readonly (readonly [options: unknown, sentence: string])[] = [
    [{ answer: {} }, 'when: Required'],
    [{ when: {} }, 'answer: Required'],
    [{ when: { url: '/' }, answer: {} }, 'when.url: There is no such field; there are method, path, operation,'],
    [{ when: { metod: 'GET' }, answer: {} }, 'when.metod: There is no such field; the nearest is method'],
    [{ when: { method: 'GETT' }, answer: {} }, 'when.method: there is no method "GETT"; the nearest is GET'],
    [{ when: {}, answer: { headers: { 'Content-Length': '9' } } }, 'answer.headers.Content-Length: Expected none'],
    [{ when: { path: 'alerts' }, answer: {} }, 'when.path: Expected a path that begins with /'],
    [{ when: { operation: 'alert.lst' }, answer: {} }, 'there is no operation "alert.lst"; the nearest is alert.list'],
    [{ when: {}, answer: { status: 100 } }, 'answer.status: Number must be greater than or equal to 200'],
    [{ when: {}, answer: { status: 204, body: {} } }, 'answer.body: Expected none'],
    [{ when: {}, answer: { headers: { 'x y': '1' } } }, 'answer.headers.x y: Expected the name of a header'],
    [{ when: {}, answer: { headers: { x: 'a\r\nb: c' } } }, 'answer.headers.x: Expected a text on one line'],
    [{ when: {}, answer: { delayMs: 1e9 } }, 'answer.delayMs: Number must be less than or equal to 60000'],
    [{ when: {}, answer: {}, times: 0 }, 'times: Number must be greater than or equal to 1'],
  ]
  it.each(refused)('refuses %j', (options, sentence) => {
    expect(() => mock.stub(options as StubOptions)).toThrow(sentence)
    expect(mock.stubs()).toEqual([])
  })

  it.each<[string, StubOptions, string]>([
    ['path', { when: { path: `/${'*'.repeat(1000)}` }, answer: {} }, 'when.path: Expected a path of at most 1000'],
    ['body to match', { when: { body: 'x'.repeat(10_000) }, answer: {} }, 'when.body: Expected at most 10000'],
    ['answer', { when: {}, answer: { body: 'x'.repeat(2 ** 26) } }, 'all stubs take at most 64 MiB'],
  ])('refuses a %s that is too long', (_, options, sentence) => {
    expect(() => mock.stub(options)).toThrow(sentence)
  })
})

describe('a snapshot', () => {
  it.each([
    [{}, 'restore a snapshot: state: It is missing: Expected what snapshot() returned'],
    [
      { ...createMock().snapshot(), stubbs: [] },
      'restore a snapshot: there is no option "stubbs"; the nearest is stubs',
    ],
  ])('that is invalid is refused, and the mock does not change (%#)', (snapshot, sentence) => {
    const mock = createMock({ chaos: { errorRate: 1 } })
    const before = mock.revision()
    expect(() => mock.restore(snapshot as Snapshot)).toThrow(sentence)
    expect([mock.chaos().errorRate, mock.revision()]).toEqual([1, before])
  })

  it('restores records, faults, chaos, stubs with their number of answers, and the clock', async () => {
    const frozen = createMock({ logs: 0, freeze: true, now: Date.UTC(2026, 0, 1) })
    frozen.stub({ when: {}, answer: { status: 503 }, times: 1 })
    const snapshot = frozen.snapshot()
    const before = frozen.state()

    const call = { method: 'GET', path, query: '', headers: {}, body: '' }
    expect((await frozen.answer(call, 'selfHosted')).status).toBe(503)
    frozen.create('member', { name: 'Ada' })
    frozen.remove('webhook', frozen.list('webhook')[0]!.id)
    frozen.setFaults(['alert/list-answers'])
    frozen.setChaos({ errorRate: 1 })
    frozen.clock.advance(86_400_000)
    frozen.restore(snapshot)

    expect(frozen.state()).toEqual(before)
    expect([frozen.faults(), frozen.chaos(), frozen.clock.now()]).toEqual([[], snapshot.chaos, Date.UTC(2026, 0, 1)])
    expect((await frozen.answer(call, 'selfHosted')).status).toBe(503)
  })
})

it('a stub with the name __proto__, which would be lost, is refused', () => {
  const named = JSON.parse('{"__proto__":"x"}')
  const stub = (options: object) => () => createMock({ logs: 0 }).stub(options as Parameters<Mock['stub']>[0])
  expect(stub({ when: { headers: named }, answer: {} })).toThrow(
    'stub a call: when.headers.__proto__: This name cannot',
  )
  expect(stub({ when: { query: named }, answer: {} })).toThrow('stub a call: when.query.__proto__: This name cannot')
  expect(stub({ when: {}, answer: { headers: named } })).toThrow('stub a call: answer.headers.__proto__: This name')
})
