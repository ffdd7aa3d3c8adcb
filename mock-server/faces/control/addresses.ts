import { type Gap, gaps, operations, type RuleId, rules } from '../../../fixtures/contract/index.ts'
import { clients } from '../../core/journal/filter.ts'
import { scenarios } from '../../mock/arrange/scenario.ts'
import type { TargetFile } from '../../mock/mock.ts'
import { bounds } from '../../world/size.ts'
import { addressesOfPage } from './addresses-of-page.ts'

/** What the description of the control plane says of an address. */
export interface Address {
  readonly description: string
  /** Fields of the query, beside `world`: what each is. */
  readonly query?: Readonly<Record<string, string>>
  /** The ids of its path in the example. */
  readonly path?: Readonly<Record<string, string>>
  /** What is sent; the example works in the world of the target. */
  readonly body?: { readonly schema?: object; readonly example: unknown; readonly isOptional?: true }
  /** What comes back. Default: 200. */
  readonly answers?: { readonly status?: 201 | 204; readonly type?: string; readonly description?: string }
  /** It is about the mock, or its first world: there is no `world` in its query. */
  readonly isOfMock?: true
}

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})
const share = { type: 'number', minimum: 0, maximum: 1 } as const
const disturbances = {
  latencyMs: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  errorRate: share,
  dropRate: share,
  truncateRate: share,
} as const
const gone = { status: 204, description: 'It is done.' } as const
const targetFile = { description: 'The target file of the world: addresses, credentials and ids.' } as const

const size = object(
  Object.fromEntries(
    Object.entries(bounds).map(([name, { least, most }]) => [name, { ...whole, minimum: least, maximum: most }]),
  ),
)
const scenario = {
  description: 'A scenario by its name, or records over one: lists by the name of a collection.',
  anyOf: [
    { enum: Object.keys(scenarios) },
    {
      type: 'object',
      properties: { scenario: { enum: Object.keys(scenarios) } },
      additionalProperties: { type: 'array', items: { type: 'object' } },
    },
  ],
} as const
const stub = object(
  {
    when: object({
      method: text,
      path: { ...text, description: '{id} or * is any segment, ** any rest.' },
      operation: { enum: Object.keys(operations) },
      query: { type: 'object', additionalProperties: text },
      headers: { type: 'object', additionalProperties: text },
      body: { description: 'Part of the body: fields that it has, items that it has, or a text that it contains.' },
    }),
    answer: object({
      status: { ...whole, minimum: 200, maximum: 599, default: 200 },
      headers: { type: 'object', additionalProperties: text },
      body: {
        description:
          'A text is sent as it is, everything else as JSON. {{body.name}}, {{query.limit}}, {{params.serviceId}}, {{now}} are filled from the call.',
      },
      delayMs: { type: 'number', minimum: 0, maximum: 60_000 },
      template: { type: 'boolean', default: true, description: 'False: what stands in braces stays as it is.' },
    }),
    times: { ...whole, minimum: 1, description: 'How many calls it answers; without it, all.' },
  },
  ['when', 'answer'],
)
const filter = {
  form: 'cloud, managed, selfHosted, sql, or webhook',
  operation: 'the id of an operation, such as alert.list',
  status: 'a status such as 404, or 4xx',
  client: clients.join(', '),
  since: 'from this moment of the mock on',
  until: 'before this moment of the mock',
  text: 'words that occur in path, operation, bodies or reason',
  limit: 'the newest so many',
}
const within = { within: 'the organization, service or stack that the record lies in' }
const record = { type: 'object', description: 'Fields of the record; the schema of its model judges them.' }
const rule: RuleId = 'alert/list-answers'
/** The gaps of a form whose choice the mock makes. */
const choicesOf = (form: string) =>
  object(
    Object.fromEntries(
      (Object.entries(gaps) as [string, Gap][])
        .filter(([, { kind, forms }]) => kind !== 'shape' && forms.some(one => one === form))
        .map(([id, { asks, choices }]) => [id, { ...text, description: asks, examples: choices }]),
    ),
  )

/** What is to be said of each address below /control, by method and path; the examples are of the world of a target. */
export function describeAddresses({ cloud, selfHosted }: TargetFile): Readonly<Record<string, Address>> {
  const { organizationId = '', serviceId = '' } = cloud ?? {}
  const { dashboardId = '', webhookId = '', sources: { log: sourceId = '' } = {} } = selfHosted?.references ?? {}
  const service = { collection: 'services', key: serviceId }
  return {
    'GET target': { description: 'The target file of the mock, which stack-parity verify reads.', answers: targetFile },
    'POST reset': {
      description: 'Puts the world back to the start; another seed or scenario gives another one. Stubs are removed.',
      body: { schema: object({ seed: whole, scenario }), example: { seed: 1, scenario: 'shop' }, isOptional: true },
      answers: targetFile,
    },
    'GET calls': {
      description: 'The calls of the journal, the newest first; credentials are redacted.',
      query: filter,
    },
    'GET calls.har': { description: 'The same as HAR 1.2, the oldest first, with whole bodies.', query: filter },
    'DELETE calls': { description: 'Forgets the calls.', answers: gone },
    'GET faults': { description: 'The rules that are broken on purpose.' },
    'PUT faults': {
      description: 'Breaks exactly these rules.',
      body: { schema: { type: 'array', items: { enum: Object.keys(rules) } }, example: [rule] },
    },
    'GET choices': { description: 'The choices in force where the specification is silent, by form and gap.' },
    'PUT choices': {
      description: 'Changes the choices that are named, and leaves the others.',
      body: {
        schema: object(Object.fromEntries(['cloud', 'managed', 'selfHosted'].map(form => [form, choicesOf(form)]))),
        example: { cloud: { 'path/unknown-path': '404 text' } },
      },
    },
    'GET chaos': { description: 'Latency, failures and rate limits.' },
    'PUT chaos': {
      description: 'Sets latency, failures and rate limits. What is left out is off.',
      body: {
        schema: object({
          ...disturbances,
          rateLimit: { type: 'boolean' },
          seed: whole,
          byOperation: { type: 'object', additionalProperties: object(disturbances) },
          operations: { type: 'array', items: { enum: Object.keys(operations) }, minItems: 1 },
        }),
        example: { latencyMs: [0, 50], errorRate: 0.01, rateLimit: true },
      },
    },
    'GET stubs': {
      description:
        'The stubs, with how many calls each has answered, and for one that answered none the call that came nearest.',
    },
    'POST stubs': {
      description: 'Answers these calls so, so many times, before the mock is asked. A list of answers is a sequence.',
      body: {
        schema: stub,
        example: {
          when: { method: 'POST', path: '/api/v2/alerts', body: { threshold: 5 } },
          answer: { status: 503, headers: { 'retry-after': '2' }, body: { message: 'busy' } },
          times: 2,
        },
      },
      answers: { status: 201, description: 'The stub, with its id.' },
    },
    'DELETE stubs/{id}': { description: 'Removes a stub.', path: { id: 'stub-1' }, answers: gone },
    'DELETE stubs': { description: 'Removes all stubs.', answers: gone },
    'GET clock': { description: 'The time of the world.' },
    'PUT clock': {
      description: 'Sets the clock, or puts it forward; alerts of the time between are evaluated, and webhooks called.',
      body: {
        schema: {
          anyOf: [object({ now: { ...text, format: 'date-time' } }), object({ advanceMs: { type: 'number' } })],
        },
        example: { advanceMs: 60_000 },
      },
    },
    'POST rows': {
      description: "Loads rows, in OpenTelemetry columns of the source's kind, that chart queries then see.",
      body: {
        schema: object({ sourceId: text, rows: { type: 'array', items: { type: 'object' } } }, ['sourceId', 'rows']),
        example: {
          sourceId,
          rows: [{ Timestamp: '2026-01-01T00:00:00Z', ServiceName: 'api', SeverityText: 'ERROR', Body: 'timed out' }],
        },
      },
    },
    'GET records/{collection}': {
      description: 'The records of a collection, such as members, in one place.',
      query: { ...within, search: 'words that occur in the record', limit: 'at most 1000', offset: 'after so many' },
      path: { collection: 'members' },
    },
    'POST records/{collection}': {
      description: 'Creates a record; what is not given is usual. Secrets are shown this once.',
      query: within,
      path: { collection: 'members' },
      body: { schema: record, example: { name: 'Ada Lovelace', role: 'admin' } },
      answers: { status: 201, description: 'The whole record.' },
    },
    'GET records/{collection}/{key}': { description: 'A record by its key.', query: within, path: service },
    'PATCH records/{collection}/{key}': {
      description: 'Changes the fields that are given.',
      query: within,
      path: service,
      body: { schema: record, example: { state: 'degraded' } },
    },
    'DELETE records/{collection}/{key}': {
      description: 'Removes a record with everything that lies within it.',
      query: within,
      path: { collection: 'webhooks', key: webhookId },
      answers: gone,
    },
    'GET records/{collection}/{key}/dependents': {
      description: 'The records that lie within a record or name it, which its deletion concerns.',
      query: within,
      path: service,
    },
    'POST send': {
      description:
        'Sends a call to an API as a client would; credentials that it does not bring are those of the world.',
      body: {
        schema: object(
          { api: { enum: ['cloud', 'selfHosted'] }, method: text, path: text, headers: { type: 'object' }, body: {} },
          ['api', 'path'],
        ),
        example: { api: 'selfHosted', method: 'GET', path: '/api/v2/alerts' },
      },
    },
    'GET openapi/cloud.json': { description: 'The cloud API as OpenAPI.' },
    'GET openapi/self-hosted.json': { description: 'The self-hosted API as OpenAPI.' },
    'GET openapi/control.json': { description: 'This document.', isOfMock: true },
    'GET worlds': { description: 'The worlds beside the first.', isOfMock: true },
    'POST worlds': {
      description: 'Opens a world of its own, with credentials of its own, on the same ports; one with a name once.',
      body: {
        schema: object({ name: text, seed: whole, size, scenario, expiresInMs: { type: 'number' } }),
        example: { name: 'job-4711', scenario: 'empty', size: { members: 3 } },
        isOptional: true,
      },
      answers: { status: 201, description: 'The id and the target file of the world; 200 when it was open.' },
      isOfMock: true,
    },
    'DELETE worlds/{id}': { description: 'Closes a world.', path: { id: 'job-4711' }, answers: gone, isOfMock: true },
    'POST received/{name}': {
      description: 'Takes a webhook, and keeps it to be looked at; needs no token.',
      path: { name: 'mine' },
      body: { schema: {}, example: { text: 'An alert fires.' } },
      answers: gone,
      isOfMock: true,
    },
    'GET received': { description: 'What was received, the newest first.', isOfMock: true },
    'DELETE received': { description: 'Forgets what was received.', answers: gone, isOfMock: true },
    ...addressesOfPage({ organizationId, dashboardId }),
    'GET state': {
      description: 'The whole world as one document, secrets included.',
      query: { extent: 'opened: only the places that were looked at; the rest follows from the seed' },
    },
    'PUT state': {
      description: 'Takes such a document back. What it leaves out is as at the start of its seed and size.',
      body: {
        schema: { type: 'object' },
        example: {
          version: 2,
          seed: 1,
          now: '2026-01-01T00:00:00Z',
          ids: 0,
          records: {},
          rows: {},
          size: Object.fromEntries(Object.entries(bounds).map(([name, { usual }]) => [name, usual])),
        },
      },
      answers: targetFile,
    },
  }
}
