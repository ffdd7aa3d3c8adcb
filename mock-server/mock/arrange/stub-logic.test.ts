import { beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../words/call.ts'
import { createMock, type Mock, type StubOptions } from '../mock.ts'

const options = { logs: 0, freeze: true, now: '2026-01-01T00:00:00Z' }
const circle: { self?: unknown } = {}
circle.self = circle
let mock: Mock
beforeEach(() => {
  mock = createMock(options)
})

const path = '/api/v2/alerts'
const authorization = () => `Bearer ${mock.target({ selfHosted: 'http://x' }).selfHosted!.apiKey}`
const send = (call: Partial<Call> = {}) => {
  const headers = { authorization: authorization(), ...call.headers }
  return mock.answer({ method: 'GET', path, query: '', body: '', ...call, headers }, 'selfHosted')
}
const post = (body: unknown, call: Partial<Call> = {}) => send({ method: 'POST', body: JSON.stringify(body), ...call })
const statuses = async (calls: number) => {
  const answers = []
  for (let i = 0; i < calls; i++) answers.push((await send()).status)
  return answers
}

describe('a stub with a function', () => {
  it('gets the call, its ids, and the number of its answers', async () => {
    mock.stub({
      when: { operation: 'alert.get' },
      answer: ({ params, query, body, operation, count, now }) => ({
        status: 203,
        body: { params, query, body, operation, count, now },
      }),
    })
    const answer = await send({ path: `${path}/${'a'.repeat(24)}`, query: 'x=1' })
    expect(answer.status).toBe(203)
    expect(JSON.parse(answer.body)).toEqual({
      params: { id: 'a'.repeat(24) },
      query: { x: '1' },
      operation: 'alert.get',
      count: 1,
      now: '2026-01-01T00:00:00.000Z',
    })
  })

  it('gets a body as text, or parsed if it is JSON, and can be asynchronous', async () => {
    mock.stub({ when: { method: 'POST' }, answer: async ({ body }) => ({ body: { got: body.name ?? body } }) })
    expect((await post({ name: 'Ada' })).body).toBe('{"got":"Ada"}')
    expect((await send({ method: 'POST', body: 'plain' })).body).toBe('{"got":"plain"}')
  })

  it('can leave a call to older stubs and the mock by returning undefined, which does not count as an answer', async () => {
    mock.stub({ when: { path }, answer: { status: 410 }, times: 1 })
    mock.stub({ when: { path }, answer: ({ query }) => (query.busy ? { status: 503 } : undefined), times: 1 })
    expect(await statuses(2)).toEqual([410, 200])
    expect((await send({ query: 'busy=1' })).status).toBe(503)
    expect(mock.stubs().map(({ answered }) => answered)).toEqual([1, 1])
  })

  it('counts simultaneous calls', async () => {
    mock.stub({ when: {}, answer: async () => ({ status: 503 }), times: 1 })
    expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([503, 200])
  })

  it.each<[string, StubOptions, string]>([
    [
      'throws',
      {
        when: {},
        answer: () => {
          throw new Error('no idea')
        },
      },
      'stub-1 could not answer: no idea',
    ],
    ['returns an invalid answer', { when: {}, answer: () => ({ status: 7 }) }, 'answer.status: Number must be'],
    ['returns a circular body', { when: {}, answer: () => ({ body: circle }) }, 'stub-1 could not answer'],
  ])('that %s causes a 500 with the reason', async (_, stub, why) => {
    mock.stub(stub)
    const answer = await send()
    expect([answer.status, answer.cause]).toMatchObject([500, { stub: 'stub-1', why: expect.stringContaining(why) }])
    expect(answer.body).toContain('stub-1 could not answer')
  })

  it('is kept by a snapshot that is restored in the same process', async () => {
    mock.stub({ when: {}, answer: () => ({ status: 503 }), times: 1 })
    const before = mock.snapshot()
    expect(await statuses(2)).toEqual([503, 200])
    mock.restore(before)
    expect(await statuses(1)).toEqual([503])
  })
})

describe('a sequence of answers', () => {
  it('is used in order, and its last answer is repeated', async () => {
    mock.stub({ when: {}, answer: [{ status: 503 }, () => ({ status: 429 }), { status: 202 }] })
    expect(await statuses(4)).toEqual([503, 429, 202, 202])
  })

  it('ends after `times` answers', async () => {
    mock.stub({ when: {}, answer: [{ status: 503 }, { status: 202 }], times: 2 })
    expect(await statuses(3)).toEqual([503, 202, 200])
  })

  it('is refused if it is empty or has an invalid answer', () => {
    expect(() => mock.stub({ when: {}, answer: [] })).toThrow('answer: Expected at least one answer')
    expect(() => mock.stub({ when: {}, answer: [{}, { status: 1 }] })).toThrow('answer.1.status: Number must be')
  })
})

describe("a change of the mock's answer", () => {
  it('gets the answer without chaos, and can modify it or return another', async () => {
    mock.setChaos({ errorRate: 1 })
    const call = { method: 'GET', path, query: '', body: '', headers: { authorization: authorization() } }
    const unchanged = JSON.parse((await createMock(options).answer(call, 'selfHosted')).body)
    mock.stub({
      when: { operation: 'alert.list' },
      change(answer) {
        answer.body.data[0].name = 'Changed'
        answer.headers['x-changed'] = 'yes'
      },
    })
    const { headers, body, cause } = await send()
    expect(JSON.parse(body)).toEqual({
      ...unchanged,
      data: [{ ...unchanged.data[0], name: 'Changed' }, ...unchanged.data.slice(1)],
    })
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-changed': 'yes' })
    expect(headers.etag).toBeUndefined()
    expect(cause).toMatchObject({ stub: 'stub-1', why: expect.stringMatching(/^Changed by stub-1\. Before: 200\./) })
    mock.stub({ when: {}, change: ({ status }, { count }) => ({ status: status + count }), times: 1 })
    expect(await statuses(2)).toEqual([201, 200])
  })

  it('performs the call', async () => {
    const { id } = mock.list('alert')[0]!
    mock.stub({ when: { method: 'DELETE' }, change: () => ({ status: 503 }) })
    expect((await send({ method: 'DELETE', path: `${path}/${id}` })).status).toBe(503)
    expect(mock.list('alert').map(alert => alert.id)).not.toContain(id)
  })

  it('cannot be combined with an answer', () => {
    expect(() => mock.stub({ when: {}, answer: {}, change: () => {} })).toThrow('answer, change: Expected one of them')
  })
})

describe('a template', () => {
  const answerTo = async (body: unknown, answer: unknown, headers?: Record<string, string>) => {
    mock.removeStubs()
    mock.stub({ when: {}, answer: { body: answer, headers } })
    return (await post(body, { query: 'limit=5', headers: { 'x-tenant': 'one' } })).body
  }

  it('keeps the type of a value that is only a placeholder, and omits missing values', async () => {
    const sent = { name: 'Ada', n: 3, is: true, none: null, tags: [{ key: 'a' }] }
    expect(
      JSON.parse(
        await answerTo(sent, {
          name: '{{body.name}}',
          n: '{{ body.n }}',
          is: '{{body.is}}',
          none: '{{body.none}}',
          tags: '{{body.tags}}',
          key: '{{body.tags.0.key}}',
          missing: '{{body.missing}}',
          list: ['{{query.limit}}', '{{headers.x-tenant}}', '{{method}}', '{{path}}', '{{count}}', '{{now}}'],
        }),
      ),
    ).toEqual({
      ...sent,
      key: 'a',
      list: ['5', 'one', 'POST', path, 1, '2026-01-01T00:00:00.000Z'],
    })
  })

  it('inserts values into a text, escaped for its media type', async () => {
    const sent = { name: 'A "B" <i>', o: { n: 1 } }
    expect(JSON.parse(await answerTo(sent, { text: 'Hi {{body.name}}: {{body.o}}{{body.missing}}.' }))).toEqual({
      text: 'Hi A "B" <i>: {"n":1}.',
    })
    const json = await answerTo(sent, '{"text": "{{body.name}}"}', { 'Content-Type': 'application/json' })
    expect(JSON.parse(json)).toEqual({ text: sent.name })
    const html = await answerTo(sent, '<p>{{body.name}}</p>', { 'content-type': 'text/html' })
    expect(html).toBe('<p>A &#34;B&#34; &#60;i&#62;</p>')
    expect(await answerTo(sent, 'Hi {{body.name}}')).toBe('Hi A "B" <i>')
  })

  it('can echo a body, and replaces characters that a header cannot have', async () => {
    mock.stub({ when: {}, answer: { body: '{{body}}', headers: { location: '/a/{{body.id}}' } } })
    const answer = await post({ id: 'ä\r\nx: 1€' })
    expect(answer.body).toBe('{"id":"ä\\r\\nx: 1€"}')
    expect(answer.headers.location).toBe('/a/ä??x: 1?')
  })

  it.each([
    'body.constructor',
    'body.__proto__',
    'body.toString.name',
    'body.name.length',
    'body.list.length',
    'headers.hasOwnProperty',
    'params.constructor.name',
  ])('cannot read a property of a prototype: {{%s}}', async placeholder => {
    expect(
      await answerTo({ name: 'Ada', list: [1] }, { got: `{{${placeholder}}}`, text: `-{{${placeholder}}}-` }),
    ).toBe('{"text":"--"}')
  })

  it('treats a sent __proto__ as an ordinary field', async () => {
    const body = '{"__proto__":{"a":1}}'
    mock.stub({ when: {}, answer: { body: { echo: '{{body}}', a: '{{body.a}}' } } })
    expect((await send({ method: 'POST', body })).body).toBe('{"echo":{"__proto__":{"a":1}}}')
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  it('is not filled in if it has no placeholders for a call, or with `template: false`', async () => {
    expect(await answerTo({}, { text: '{{title}} {{#each body}}' })).toBe('{"text":"{{title}} {{#each body}}"}')
    mock.stub({ when: {}, answer: { body: '{{body}}', template: false } })
    expect((await post({})).body).toBe('{{body}}')
  })
})
