import { describe, expect, it } from 'vitest'
import type { Form, OperationId } from '../../../fixtures/contract/index.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { createAnswerJudge } from './judge-answers.ts'

const members = '/v1/organizations/{organizationId}/members'
const kafkaKind = { type: 'string', const: 'kafka' }

const language = { type: 'string', enum: ['sql', 'lucene'] }
/** The two ways to write a chart, as the vendor's document has them. */
const chartsOf = (displayType: string) => [
  {
    type: 'object',
    required: ['displayType', 'select'],
    properties: {
      displayType: { enum: [displayType] },
      select: { type: 'array', items: { type: 'object', required: ['aggFn'], properties: { aggFn: {}, language } } },
    },
  },
  {
    type: 'object',
    required: ['displayType', 'configType', 'sqlTemplate'],
    properties: { displayType: { enum: [displayType] }, configType: { enum: ['sql'] }, sqlTemplate: {} },
  },
]

const schemas = {
  Member: {
    type: 'object',
    required: ['userId'],
    properties: {
      userId: { type: 'string' },
      role: { type: 'string', enum: ['admin', 'developer'] },
      email: { type: 'string', format: 'email' },
      age: { type: 'number', minimum: 18 },
      language: { type: ['string', 'null'], enum: ['sql'] },
      level: { type: 'number', enum: ['0.5', '0.9'] },
      password: { type: 'string', pattern: '(?=[a-z])(?=[0-9])' },
      source: {
        oneOf: [
          { type: 'object', required: ['kind'], properties: { kind: kafkaKind, topics: { type: 'string' } } },
          { type: 'object', properties: { kind: { type: 'string' }, brokers: { type: 'string' } } },
          { type: 'null' },
        ],
      },
      chart: { oneOf: [{ oneOf: chartsOf('line') }, { oneOf: chartsOf('bar') }] },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      limits: { type: 'object', properties: { max: { type: 'number' } }, additionalProperties: false },
    },
  },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const memberList = {
  type: 'object',
  properties: { result: { type: 'array', items: { $ref: '#/components/schemas/Member' } } },
}
const singleMember = { type: 'object', properties: { result: { $ref: '#/components/schemas/Member' } } }
const refusal = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }

const judge = createAnswerJudge({
  openapi: '3.1.0',
  info: { version: '1.0' },
  paths: {
    [members]: { get: { responses: { 200: json(memberList), 400: json(refusal) } } },
    [`${members}/{userId}`]: { get: { responses: { '2XX': json(singleMember) } }, delete: { responses: { 200: {} } } },
    [`${members}/first`]: { get: { responses: { 200: json({ type: 'object', required: ['first'] }) } } },
    '/v1/organizations/{organizationId}/prometheus': {
      get: { responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } },
    },
    '/v1/organizations/{organizationId}/services/{serviceId}/stack/dashboards': {
      get: { responses: { 200: json({ type: 'object', required: ['result'] }) } },
    },
  },
  components: { schemas },
})

interface AnswerOptions {
  readonly method?: string
  readonly path?: string
  readonly form?: Form
  readonly operation?: OperationId
  readonly status?: number
  readonly type?: string
  readonly body?: unknown
}

function exchange(answer: AnswerOptions): Exchange {
  const { method = 'GET', path = '/v1/organizations/o/members', status = 200, type = 'application/json', body } = answer
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return {
    step: '',
    form: answer.form ?? 'cloud',
    operation: 'operation' in answer ? answer.operation : 'member.list',
    as: 'key',
    why: '',
    request: { method, path, headers: {}, body: null },
    response: { status, headers: { 'content-type': type }, text },
    json: typeof body === 'string' ? undefined : body,
    ms: 1,
  }
}

const drift = (...all: AnswerOptions[]) =>
  judge(all.map(exchange)).map(({ kind, id, was, is }) => [kind, id, was, is] as const)
const driftOfMember = (fields: object) => drift({ body: { result: [{ userId: 'u', ...fields }] } })
const idAt = (place: string) => `answered/member.list:$.result[].${place}`

describe('an answer', () => {
  it('is no drift if the document allows it', () => {
    expect(driftOfMember({ role: 'admin', email: 'a@b.example', age: 20, labels: { any: 'thing' } })).toEqual([])
  })

  it.each([
    ['null that the type allows and the enum lacks', { language: null }],
    ['a number whose enum has strings', { level: 0.9 }],
    ['a string for a pattern that no string matches', { password: 'a1' }],
    ['an object that fits several alternatives', { source: { kind: 'kafka' } }],
    ['null as one of the alternatives', { source: null }],
  ])('is no drift if only a mistake in the document forbids it: %s', (_, fields) => {
    expect(driftOfMember(fields)).toEqual([])
  })

  it('is judged by its media type if it is a text', () => {
    const path = '/v1/organizations/o/prometheus'
    expect(drift({ path, type: 'text/plain; charset=utf-8', body: '# HELP' })).toEqual([])
    const id = 'answered/organizationPrometheus.get:$/media-type'
    expect(drift({ path, body: { a: 1 } })).toEqual([['breaking', id, ['text/plain'], 'application/json']])
  })
})

describe('an answer that the document does not allow', () => {
  it.each([
    ['without a required field', {}, ['breaking', idAt('userId/required'), 'required', null]],
    ['of another type', { userId: 1 }, ['breaking', idAt('userId/type'), 'string', 'number']],
    [
      'with a value outside the enum',
      { userId: 'u', role: 'x' },
      ['breaking', idAt('role/enum'), ['admin', 'developer'], 'x'],
    ],
    ['in another format', { userId: 'u', email: 'x' }, ['breaking', idAt('email/format'), 'email', 'x']],
    ['beyond a bound', { userId: 'u', age: 3 }, ['neutral', idAt('age/minimum'), 18, '3']],
    [
      'that fits no alternative, compared with the nearest,',
      { userId: 'u', source: { kind: 'x', brokers: 7 } },
      ['breaking', idAt('source.brokers/type'), 'string', 'number'],
    ],
    [
      'that fits no alternative of the union that a constant selects',
      { userId: 'u', chart: { displayType: 'bar', select: Array(4).fill({ aggFn: 'count', language: 'promql' }) } },
      ['breaking', idAt('chart.select[].language/enum'), ['sql', 'lucene'], 'promql'],
    ],
    ['with an undocumented field', { userId: 'u', mcp: 1 }, ['additive', idAt('').replace(/\.$/, '/new'), null, 'mcp']],
    [
      'with an undocumented field in a closed object',
      { userId: 'u', limits: { min: 1 } },
      ['additive', idAt('limits/new'), null, 'min'],
    ],
  ])('%s is drift', (_, member, expected) => {
    expect(drift({ body: { result: [member, member] } })).toEqual([expected])
  })

  it('is reported once for a schema that several operations share, with all values', () => {
    const wrong = (role: string) => ({ userId: 'u', role })
    const found = drift(
      { body: { result: [wrong('x')] } },
      { path: '/v1/organizations/o/members/u', operation: undefined, body: { result: wrong('y') } },
    )
    const id = 'answered/member.get:$.result.role/enum'
    expect(found).toEqual([['breaking', id, ['admin', 'developer'], ['x', 'y']]])
    const [reported] = judge([exchange({ body: { result: [wrong('x')] } })])
    const operations = [{ id: 'member.list', method: 'GET', path: members }]
    expect(reported).toMatchObject({ part: 'document', family: 'member', operations })
  })

  it('is drift if its status is not documented', () => {
    const id = 'answered/member.list/status'
    expect(drift({ status: 204 })).toEqual([['breaking', id, ['200'], '204']])
    expect(drift({ status: 401, body: {} })).toEqual([['neutral', 'answered/refusals/status-401', null, '401']])
  })

  it('is drift if it is not JSON or has no body', () => {
    const id = 'answered/member.list:$/media-type'
    const mediaTypes = ['application/json']
    expect(drift({ type: 'text/html', body: '<p>' })).toEqual([['breaking', id, mediaTypes, 'text/html']])
    expect(drift({})).toEqual([['breaking', id, mediaTypes, 'no body']])
    expect(drift({ body: '{' })).toEqual([['breaking', 'answered/member.list:$/type', 'object', 'nothing']])
  })

  it('is drift if it is a refusal that lacks a required field', () => {
    const id = 'answered/member.list:400$.error/required'
    expect(drift({ status: 400, body: {} })).toEqual([['breaking', id, 'required', null]])
  })

  it('is drift if it is the success of an undocumented operation', () => {
    const [path, operation] = ['/v1/organizations/5b0c3f3e-9f2d-4c8b-a1d7-0c9e8f7a6b5d/x?a=1', undefined]
    const id = 'answered/GET /v1/organizations/{}/x/undocumented'
    expect(drift({ path, operation, body: {} })).toEqual([['additive', id, null, '200']])
    expect(drift({ path, operation, status: 404, body: {} })).toEqual([])
  })
})

it('an unreadable schema of the document is reported as neutral drift', () => {
  const paths = { [members]: { get: { responses: { 200: json({ $ref: '#/components/schemas/Absent' }) } } } }
  const found = createAnswerJudge({ openapi: '3.0.3', paths })([exchange({ body: {} })])
  expect(found).toMatchObject([
    { kind: 'neutral', id: 'answered/schemas-unread', is: expect.stringContaining('Absent') },
  ])
})

describe('the path of a request', () => {
  it('selects the operation with the most literal segments, below any prefix', () => {
    const path = '/gateway/v1/organizations/o/members/first?x=1'
    const id = 'answered/GET /v1/organizations/{}/members/first:$.first/required'
    expect(drift({ path, body: {} })).toEqual([['breaking', id, 'required', null]])
  })

  it('matches the document whatever name the fixed segment of the managed form has there', () => {
    const path = '/v1/organizations/o/services/s/clickstack/dashboards'
    const id = 'answered/dashboard.list:$.result/required'
    const operation = 'dashboard.list'
    expect(drift({ path, form: 'managed', operation, body: {} })).toEqual([['breaking', id, 'required', null]])
  })
})
