import { describe, expect, it } from 'vitest'
import { contract } from '../../../fixtures/built-contract/index.ts'
import { createMock } from '../../index.ts'
import { mergeUsages } from './merge.ts'
import { createUsage, type UsedCall } from './usage.ts'

const alerts = { method: 'POST', path: '/api/v2/alerts', operation: 'alert.create', query: '', status: 200 }
const send = (body: unknown, more: Partial<UsedCall> = {}): UsedCall => ({
  ...alerts,
  body: JSON.stringify(body),
  ...more,
})
const usageOf = (...calls: readonly UsedCall[]) => {
  const usage = createUsage(contract)
  for (const call of calls) usage.add(call)
  return usage.read()
}
const onlyOperation = (...calls: readonly UsedCall[]) => Object.values(usageOf(...calls).operations)[0]!

/** What stands in bodies and queries, and must not stand in a committed file. */
const needles = {
  password: 'Hunter2-hunter2',
  token: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  key: '4b1dAbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  email: 'ada.lovelace@corp.example.org',
  host: 'db-7.internal.corp.example.org',
  sql: "SELECT card FROM payments WHERE holder = 'Ada'",
  id: '7d3cf6a1-1111-4222-8333-944455556666',
  name: 'Ada Lovelace',
}

describe('a usage', () => {
  it('counts calls by operation, with statuses, tests, fields, types, values and sizes', () => {
    const body = { name: 'Errors', threshold: 5, interval: '5m', source: 'saved_search', channel: { type: 'webhook' } }
    const operation = onlyOperation(
      send(body, { from: 'b > two' }),
      send({ ...body, threshold: 0.5, interval: '1h' }, { from: 'a > one' }),
    )
    expect(operation).toMatchObject({
      id: 'alert.create',
      count: 2,
      from: ['a > one', 'b > two'],
      statuses: { 200: 2 },
    })
    expect(operation.fields).toMatchObject({
      $: { count: 2, types: ['object'] },
      '$.interval': { count: 2, types: ['string'], values: ['1h', '5m'], from: 'a > one' },
      '$.name': { texts: ['text'], length: [6, 6] },
      '$.threshold': { types: ['integer', 'number'], range: [0.5, 5] },
      '$.channel.type': { values: ['webhook'] },
    })
    expect(operation.fields!['$.interval']).not.toHaveProperty('texts')
  })

  it('counts only the status of a request that was refused as invalid', () => {
    expect(onlyOperation(send({ nonsense: 1 }, { status: 400 }))).toEqual({
      id: 'alert.create',
      count: 0,
      statuses: { 400: 1 },
    })
  })

  it('reads numbers and booleans of a query, and every value of a repeated parameter', () => {
    const list = { method: 'GET', path: '/v1/organizations/{organizationId}/usageCost', operation: 'usageCost.get' }
    const query = 'from_date=2026-01-02&limit=20&deep=true&filter=a&filter=bcd'
    const { parameters, examples } = onlyOperation({ ...list, query, body: '', status: 200 })
    expect(parameters).toMatchObject({
      from_date: { texts: ['date'] },
      limit: { types: ['integer'], range: [20, 20] },
      deep: { values: [true] },
      filter: { count: 2, length: [1, 3] },
    })
    expect(examples).toEqual([{ query: 'from_date=2026-01-01&limit=20&deep=true&filter=fil' }])
  })

  it('keeps no text of a request, wherever it stands', () => {
    const secrets = Object.values(needles)
    const nested = Object.fromEntries(Object.entries(needles).map(([name, text]) => [name, { [text]: [text] }]))
    const service = {
      method: 'POST',
      path: '/v1/organizations/{organizationId}/services',
      operation: 'service.create',
      query: new URLSearchParams(Object.fromEntries(secrets.map(text => [text, text]))).toString(),
      status: 200,
    }
    const usage = usageOf(
      send({ ...needles, ...nested, tags: secrets, note: secrets.join(' '), channel: needles }),
      {
        ...service,
        body: JSON.stringify({ ...needles, name: needles.name, tags: [{ key: 'a', value: needles.host }] }),
      },
      { ...service, operation: undefined, path: '/v1/unknown', body: needles.sql },
    )
    const text = JSON.stringify(usage)
    for (const needle of secrets) expect(text).not.toContain(needle)
    expect(text).not.toMatch(/Ada|hunter|corp|payments/i)
    expect(Object.values(usage.operations).map(({ unread }) => unread)).toEqual([undefined, undefined, 1])
  })

  it('has examples that have all fields and values, with generated texts', () => {
    const { examples } = onlyOperation(
      send({ interval: '5m' }, { from: 'a' }),
      send({ interval: '5m', name: needles.name, channel: { type: 'webhook', webhookId: needles.id } }, { from: 'b' }),
      send({ interval: '1h', name: needles.email }, { from: 'c' }),
    )
    expect(examples).toEqual([
      {
        from: 'b',
        body: {
          interval: '5m',
          name: 'Shop',
          channel: { type: 'webhook', webhookId: '00000000-0000-4000-8000-000000000000' },
        },
      },
      { from: 'c', body: { interval: '1h', name: 'person@example.com' } },
    ])
  })

  it('is the same however the calls are divided among workers, and in whatever order they are merged', () => {
    const calls = [
      send({ name: 'a', interval: '5m' }, { from: 'x' }),
      send({ name: 'bb', threshold: 3 }, { from: 'y', query: 'limit=2' }),
      send({ name: null, threshold: 1 }, { from: 'w', status: 503 }),
    ]
    const whole = usageOf(...calls)
    expect(mergeUsages(calls.map(call => usageOf(call)))).toEqual(whole)
    expect(mergeUsages(calls.map(call => usageOf(call)).reverse())).toEqual(whole)
    expect(mergeUsages([whole])).toEqual(whole)
  })
})

describe('requests like earlier ones, which are counted without being parsed', () => {
  const base = {
    name: 'Errors',
    note: 'all',
    interval: '5m',
    threshold: 5,
    tags: ['a'],
    channel: { webhookId: needles.id },
  }
  it.each<[string, object]>([
    ['another text', { name: 'Latest' }],
    ['a longer text', { name: 'x'.repeat(41) }],
    ['an email address', { name: 'a@b.cd' }],
    ['a URI', { name: 'a://b1' }],
    ['a date', { note: '2026-01-01' }],
    ['an object id', { note: '651a2536ddd31b675e000009' }],
    ['another id', { channel: { webhookId: '00000000-1111-4222-8333-944455556666' } }],
    ['no id', { channel: { webhookId: 'x' } }],
    ['an escape', { name: 'a"b\n\\c' }],
    ['another value of an enum', { interval: '1h' }],
    ['a value that no enum has', { interval: '9y' }],
    ['another number', { threshold: 6 }],
    ['a fraction', { threshold: 5.5 }],
    ['null', { threshold: null }],
    ['another type', { threshold: true }],
    ['more items', { tags: ['a', 'b'] }],
    ['no items', { tags: [] }],
    ['another field', { more: 1 }],
    ['a field less', { tags: undefined }],
  ])('count as any other: %s', (_, change) => {
    const [long, empty] = ['x'.repeat(40), '']
    const calls = [
      ...[{ name: empty, note: empty }, { name: long, note: long }, {}, {}, {}].map(one =>
        send({ ...base, ...one }, { from: 'm' }),
      ),
      send({ ...base, ...change }, { from: 'm' }),
      send(base, { from: 'm', query: 'limit=2' }),
      send(base, { from: 'a' }),
      send(base, { from: 'z' }),
      send(base),
    ]
    const [oneByOne] = Object.values(mergeUsages(calls.map(call => usageOf(call))).operations)
    expect(onlyOperation(...calls)).toEqual({ ...oneByOne, examples: expect.anything() })
  })

  it('still say which of their statuses and tests are new', () => {
    const usage = createUsage(contract)
    const add = (status: number, from: string) => usage.add(send(base, { status, from }))
    expect([add(200, 'b'), add(200, 'b'), add(200, 'b'), add(503, 'b')]).toEqual([true, false, false, true])
    expect(usage.read()).toEqual(usage.read())
  })
})

describe('the usage of a mock', () => {
  it('is what the calls in its journal used, without those of the suite', async () => {
    const mock = createMock({ logs: 1 })
    const { baseUrl, apiKey } = mock.target().selfHosted
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const post = (name: string, agent: string) =>
      mock.fetch(`${baseUrl}/api/v2/dashboards`, {
        method: 'POST',
        headers: { ...headers, 'user-agent': agent },
        body: JSON.stringify({ name, tiles: [] }),
      })
    await post('Mine', 'app')
    await post('Theirs', 'stack-parity verify')
    await mock.fetch(`${baseUrl}/api/v2/alerts?limit=5`, { headers })
    await mock.fetch(`${baseUrl}/elsewhere`, { headers })
    expect(mock.usage()).toMatchObject({
      usage: 1,
      operations: {
        'GET /api/v2/alerts': { id: 'alert.list', count: 1, parameters: { limit: { range: [5, 5] } } },
        'POST /api/v2/dashboards': { id: 'dashboard.create', count: 1, fields: { '$.name': { texts: ['text'] } } },
      },
    })
    expect(Object.keys(mock.usage().operations)).toHaveLength(2)
    mock.forgetCalls()
    expect(mock.usage().operations).toEqual({})
  })

  it('has the kinds of objects that came in answers, all of them where an answer is not known whole', () => {
    const pipes = '/v1/organizations/{organizationId}/services/{serviceId}/clickpipes'
    const list = { method: 'GET', path: pipes, operation: 'clickPipe.list', query: '', body: '', status: 200 }
    const answer = (name: string, kind = 'kafka') =>
      JSON.stringify({ status: 200, result: [{ name, source: { [kind]: {} } }] })
    const cameAfter = (...answers: readonly (string | undefined)[]) =>
      onlyOperation(...answers.map(one => ({ ...list, answer: one }))).came
    const source = (name: string) => `$.result[].source.${name}`
    expect(cameAfter('{"result":[]}')).toBeUndefined()
    expect(cameAfter(answer('a'), answer('mysql'))).toEqual([source('kafka')])
    expect(cameAfter(answer('a', 'mysql'), answer('b'))).toEqual(['kafka', 'mysql'].map(source))
    expect(cameAfter(answer('a'), undefined)).toEqual(
      expect.arrayContaining(['*', 'kafka', 'kinesis', 'mysql'].map(source)),
    )
    expect(cameAfter('{ "result": [{ "source" : { "snowflake" : { "type" : "a" } } }] }')).toEqual([source('*')])
    const boards = { ...list, path: '/api/v2/dashboards', operation: 'dashboard.list' }
    const tiles = ['line', 'treemap'].map(displayType => ({ config: { displayType } }))
    const { came } = onlyOperation({ ...boards, answer: JSON.stringify({ data: [{ tiles }] }) })
    expect(came).toEqual(['*', 'line'].map(type => `$.data[].tiles[].config.displayType=${type}`))
    const refused = { ...list, status: 500, answer: answer('a') }
    expect(onlyOperation(refused)).not.toHaveProperty('came')
  })
})
