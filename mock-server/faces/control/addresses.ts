import type { Contract, Gap, RuleId } from '../../../fixtures/built-contract/index.ts'
import { clients } from '../../core/journal/filter.ts'
import { scenarios } from '../../mock/arrange/scenario.ts'
import type { TargetFile } from '../../mock/mock.ts'
import { sizeBounds } from '../../world/size.ts'

/** The description of an address of the control plane. */
export interface Address {
  readonly description: string
  /** Descriptions of the fields of the query, without `world`. */
  readonly query?: Readonly<Record<string, string>>
  /** Examples of the ids in the path. */
  readonly path?: Readonly<Record<string, string>>
  /** The body, with an example that is valid in the world of the target. */
  readonly body?: { readonly schema?: object; readonly example: unknown; readonly isOptional?: true }
  /** Default: 200 with JSON. */
  readonly answers?: { readonly status?: 201 | 204; readonly type?: string; readonly description?: string }
  /** The query takes no `world`: the address is about the mock, or about its first world. */
  readonly isOfMock?: true
}

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
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
const done = { status: 204, description: 'Done.' } as const
const targetFile = { description: 'The target file of the world: addresses, credentials and ids.' } as const
const leftOut = '`leftOut` has a sentence for each thing of a captured scenario that the world does not serve.'

const size = object(
  Object.fromEntries(
    Object.entries(sizeBounds).map(([name, { min, max }]) => [name, { ...integer, minimum: min, maximum: max }]),
  ),
)
const scenario = {
  description: 'The name of a scenario, or records on top of one, as lists by collection.',
  anyOf: [
    { enum: Object.keys(scenarios) },
    {
      type: 'object',
      properties: { scenario: { enum: Object.keys(scenarios) }, captured: object({ at: text }, ['at']) },
      additionalProperties: { type: 'array', items: { type: 'object' } },
    },
  ],
} as const
const stubOf = ({ operations }: Contract) =>
  object(
    {
      when: object({
        method: text,
        path: { ...text, description: '{id} or * matches any segment, ** any number of them.' },
        operation: { enum: Object.keys(operations) },
        query: { type: 'object', additionalProperties: text },
        headers: { type: 'object', additionalProperties: text },
        body: { description: 'Fields or items that the body must have, or a text that it must contain.' },
      }),
      answer: object({
        status: { ...integer, minimum: 200, maximum: 599, default: 200 },
        headers: { type: 'object', additionalProperties: text },
        body: {
          description:
            'A text is sent unchanged, everything else as JSON. {{body.name}}, {{query.limit}}, {{params.serviceId}} and {{now}} are replaced by values of the call.',
        },
        delayMs: { type: 'number', minimum: 0, maximum: 60_000 },
        template: { type: 'boolean', default: true, description: 'False: braces are sent unchanged.' },
      }),
      times: { ...integer, minimum: 1, description: 'The number of calls to answer; all by default.' },
    },
    ['when', 'answer'],
  )
const filter = {
  form: 'cloud, managed, selfHosted, sql, or webhook',
  operation: 'the id of an operation, such as alert.list',
  status: 'a status such as 404, or 4xx',
  client: clients.join(', '),
  since: 'from this moment of the clock on',
  until: 'before this moment of the clock',
  text: 'words in path, operation, bodies or reason',
  limit: 'the number of calls',
}
const within = { within: 'the organization, service or stack of the record' }
const record = { type: 'object', description: 'Fields of the record, which are checked by the schema of its model.' }
const exampleRule: RuleId = 'alert/list-answers'
/** The schema of the choices in a form: a field for each gap that the mock decides. */
const choicesOf = ({ gaps }: Contract, form: string) =>
  object(
    Object.fromEntries(
      (Object.entries(gaps) as [string, Gap][])
        .filter(([, { kind, forms }]) => kind !== 'shape' && forms.some(one => one === form))
        .map(([id, { question, choices }]) => [id, { ...text, description: question, examples: choices }]),
    ),
  )

/** The addresses below /control by method and path, with examples for the world of a target. */
export function describeAddresses(
  contract: Contract,
  { cloud, selfHosted }: TargetFile,
): Readonly<Record<string, Address>> {
  const { operations, rules } = contract
  const { organizationId = '', serviceId = '' } = cloud ?? {}
  const { dashboardId = '', webhookId = '', sources: { log: sourceId = '' } = {} } = selfHosted?.references ?? {}
  const service = { collection: 'services', key: serviceId }
  return {
    'GET target': {
      description: 'The target file of the world, which stack-parity verify reads.',
      answers: targetFile,
    },
    'POST reset': {
      description: 'Resets the world, also to another seed or scenario, and removes its stubs.',
      body: { schema: object({ seed: integer, scenario }), example: { seed: 1, scenario: 'shop' }, isOptional: true },
      answers: { description: `${targetFile.description} ${leftOut}` },
    },
    'GET calls': {
      description: 'The calls of the journal, the newest first. Credentials are redacted.',
      query: filter,
    },
    'GET calls.har': {
      description: 'The same calls as HAR 1.2, the oldest first, with complete bodies.',
      query: filter,
    },
    'GET usage': {
      description:
        'What the calls in the journal used, as a usage file: operations with counts, parameters, fields and values of enums.',
    },
    'DELETE calls': { description: 'Deletes the calls of the journal.', answers: done },
    'GET faults': { description: 'The rules that are broken on purpose.' },
    'PUT faults': {
      description: 'Breaks these rules, and no others.',
      body: { schema: { type: 'array', items: { enum: Object.keys(rules) } }, example: [exampleRule] },
    },
    'GET choices': { description: 'The choices in force, by form and gap.' },
    'PUT choices': {
      description: 'Changes the given choices.',
      body: {
        schema: object(
          Object.fromEntries(['cloud', 'managed', 'selfHosted'].map(form => [form, choicesOf(contract, form)])),
        ),
        example: { cloud: { 'path/unknown-path': '404 text' } },
      },
    },
    'GET chaos': { description: 'Latency, failures and rate limits.' },
    'PUT chaos': {
      description: 'Sets latency, failures and rate limits. Omitted settings are off.',
      body: {
        schema: object({
          ...disturbances,
          rateLimit: { type: 'boolean' },
          seed: integer,
          byOperation: { type: 'object', additionalProperties: object(disturbances) },
          operations: { type: 'array', items: { enum: Object.keys(operations) }, minItems: 1 },
        }),
        example: { latencyMs: [0, 50], errorRate: 0.01, rateLimit: true },
      },
    },
    'GET stubs': {
      description: 'The stubs, each with the number of calls that it answered, or with the call that nearly matched.',
    },
    'POST stubs': {
      description:
        'Answers matching calls instead of the mock, up to a number of times. A list of answers is a sequence.',
      body: {
        schema: stubOf(contract),
        example: {
          when: { method: 'POST', path: '/api/v2/alerts', body: { threshold: 5 } },
          answer: { status: 503, headers: { 'retry-after': '2' }, body: { message: 'busy' } },
          times: 2,
        },
      },
      answers: { status: 201, description: 'The stub, with its id.' },
    },
    'DELETE stubs/{id}': { description: 'Removes a stub.', path: { id: 'stub-1' }, answers: done },
    'DELETE stubs': { description: 'Removes all stubs.', answers: done },
    'GET clock': { description: 'The time of the world, and whether its clock is frozen.' },
    'PUT clock': {
      description:
        'Sets the clock, after which alerts are evaluated once, or advances it through every minute, and delivers webhooks; `freeze` then stops the clock, `false` lets it run on.',
      body: {
        schema: {
          anyOf: [
            object({ now: { ...text, format: 'date-time' }, freeze: { type: 'boolean' } }, ['now']),
            object({ advanceMs: { type: 'number' }, freeze: { type: 'boolean' } }, ['advanceMs']),
            object({ freeze: { type: 'boolean' } }, ['freeze']),
          ],
        },
        example: { advanceMs: 60_000 },
      },
    },
    'POST rows': {
      description: "Loads rows for chart queries, with the OpenTelemetry columns of the source's kind.",
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
      query: {
        ...within,
        search: 'words in the record',
        limit: 'at most 1,000',
        offset: 'the number of records to skip',
      },
      path: { collection: 'members' },
    },
    'POST records/{collection}': {
      description: 'Creates a record with defaults for omitted fields. Only this answer has its secrets.',
      query: within,
      path: { collection: 'members' },
      body: { schema: record, example: { name: 'Ada Lovelace', role: 'admin' } },
      answers: { status: 201, description: 'The record with its secrets.' },
    },
    'GET records/{collection}/{key}': { description: 'A record by its key.', query: within, path: service },
    'PATCH records/{collection}/{key}': {
      description: 'Changes the given fields of a record.',
      query: within,
      path: service,
      body: { schema: record, example: { state: 'degraded' } },
    },
    'DELETE records/{collection}/{key}': {
      description: 'Removes a record and all records within it.',
      query: within,
      path: { collection: 'webhooks', key: webhookId },
      answers: done,
    },
    'GET records/{collection}/{key}/dependents': {
      description: 'The records within a record, and those that refer to it.',
      query: within,
      path: service,
    },
    'POST send': {
      description: 'Sends a call to an API like a client, by default with the credentials of the world.',
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
    'GET worlds': { description: 'The worlds besides the first.', isOfMock: true },
    'POST worlds': {
      description:
        'Opens another world on the same ports, with its own credentials. A name refers to the same world each time.',
      body: {
        schema: object({ name: text, seed: integer, size, scenario, expiresInMs: { type: 'number' } }),
        example: { name: 'job-4711', scenario: 'empty', size: { members: 3 } },
        isOptional: true,
      },
      answers: { status: 201, description: `The id and the target file of the world; 200 if it was open. ${leftOut}` },
      isOfMock: true,
    },
    'DELETE worlds/{id}': { description: 'Closes a world.', path: { id: 'job-4711' }, answers: done, isOfMock: true },
    'POST received/{name}': {
      description: 'Receives and keeps a webhook. No token is required.',
      path: { name: 'mine' },
      body: { schema: {}, example: { text: 'An alert fires.' } },
      answers: done,
      isOfMock: true,
    },
    'GET received': { description: 'The received webhooks, the newest first.', isOfMock: true },
    'DELETE received': { description: 'Deletes the received webhooks.', answers: done, isOfMock: true },
    ...addressesOfPage(organizationId, dashboardId),
    'GET state': {
      description: 'The whole world as one document, secrets included.',
      query: { extent: 'opened: only the places in use; the others follow from the seed' },
    },
    'PUT state': {
      description: 'Loads such a document. Omitted parts are as at the start.',
      body: {
        schema: { type: 'object' },
        example: {
          version: 2,
          seed: 1,
          now: '2026-01-01T00:00:00Z',
          ids: 0,
          records: {},
          rows: {},
          size: Object.fromEntries(Object.entries(sizeBounds).map(([name, { defaultValue }]) => [name, defaultValue])),
        },
      },
      answers: targetFile,
    },
  }
}

const range = { minutes: 'the length of the range', until: 'its end; now by default' }

/** The addresses that exist for the page alone. */
const addressesOfPage = (organizationId: string, dashboardId: string): Readonly<Record<string, Address>> => ({
  'GET about': { description: 'Seed, size, choices and rules of the world.' },
  'GET drawings/{stack}/{dashboard}': {
    description: 'A dashboard with the computed contents of its tiles.',
    path: { stack: 'self-hosted', dashboard: dashboardId },
    query: { ...range },
  },
  'GET found/{stack}/{kind}': {
    description: 'The rows of a source that match a search, the newest first.',
    path: { stack: 'self-hosted', kind: 'log' },
    query: {
      ...range,
      where: 'a search',
      language: 'lucene or sql',
      limit: 'at most 1,000',
      offset: 'the number of rows to skip',
    },
  },
  'GET traces/{stack}/{trace}': {
    description: 'The spans and log lines of a trace.',
    path: { stack: 'self-hosted', trace: '4bf92f3577b34da6a3ce929d0e0e4736' },
    query: { near: 'a time within the trace; by default, the last day is searched' },
  },
  'GET alerts/{stack}': {
    description: 'The alerts of a stack with their history.',
    path: { stack: 'self-hosted' },
  },
  'GET services/{organization}': {
    description: 'The services of an organization with their states of the last day.',
    path: { organization: organizationId },
  },
  'GET requests/{operation}': {
    description: 'A request for an operation that is valid in this world.',
    path: { operation: 'alert.create' },
  },
  'POST verify': {
    description: 'Runs the suite in a world of its own that is like this one; 501 without the suite.',
  },
  'GET verify': { description: 'The progress of the run.', isOfMock: true },
  'GET verify/report.json': { description: 'The report of the last run; 404 before it has ended.', isOfMock: true },
  'GET verify/report.html': {
    description: 'The report of the last run as a page; 404 before it has ended.',
    answers: { type: 'text/html' },
    isOfMock: true,
  },
})
