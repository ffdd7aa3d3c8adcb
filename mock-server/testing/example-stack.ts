import type { OperationId } from '../../fixtures/contract/index.ts'
import { judgeBody, judgeRequest, type MutableRequest } from '../core/accept/judge-request.ts'
import type { Request } from '../families/family.ts'
import { openStack, type Stack } from '../families/stack/stack.ts'
import { core } from '../mock/made-of.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { defaultLimits } from '../words/limits.ts'
import { Refusal } from '../words/refusal.ts'
import type { Reply } from '../words/reply.ts'
import type { Model } from '../world/collection.ts'
import { readSize } from '../world/size.ts'
import { createWorld } from '../world/world.ts'

/** The stack of the tests of the observability families, with one connection, two sources and one webhook. */
function createExampleStack() {
  const size = readSize('lay out an example', {})
  const world = createWorld({ ...core, seed: 1, ordinal: 0, size, start })
  const place = 'example'
  const empty = ['connection', 'source', 'webhook', 'dashboard', 'alert', 'savedSearch'].map(name => [
    name,
    { [place]: [] },
  ])
  world.load({ ids: 0, records: { team: { [place]: [{ id: ids.team }] }, ...Object.fromEntries(empty) } })
  const stack: Stack & { world?: typeof world } = openStack(world, place, () => ({}) as Telemetry)
  stack.world = world
  const table = { databaseName: 'default', tableName: 'otel_logs' }
  const source = {
    connection: ids.connection,
    from: table,
    timestampValueExpression: 'Timestamp',
    querySettings: [],
    disabled: false,
  }
  stack.connections.create({ id: ids.connection, name: 'Local', host: 'http://database.test', username: 'default' })
  stack.sources.create({ id: ids.log, name: 'Logs', kind: 'log', ...source })
  stack.sources.create({ id: ids.trace, name: 'Traces', kind: 'trace', ...source })
  stack.webhooks.create({
    id: ids.webhook,
    name: 'On call',
    service: 'generic',
    url: 'https://hooks.example.test/in',
    headers: { Authorization: 'secret' },
    body: '{{title}}',
    createdAt: new Date(start).toISOString(),
    updatedAt: new Date(start).toISOString(),
  })
  return stack
}

const start = Date.parse('2026-03-01T12:00:00Z')
const id = (digit: string) => digit.repeat(24)
export const ids = {
  team: id('1'),
  connection: id('2'),
  log: id('3'),
  trace: id('4'),
  webhook: id('5'),
  nobody: id('f'),
}

type PartialRequest = Partial<Omit<Request, 'query' | 'choice'>> & {
  readonly id?: string
  readonly query?: string
  readonly choices?: Readonly<Record<string, string>>
}

/** A client that calls operations of a stack in process, and parses the answers. `defaults` apply to each request. */
export function createStackClient(stack = createExampleStack(), defaults: PartialRequest = {}) {
  const ask = (operation: OperationId, partial: PartialRequest = {}) => {
    const { query, choices, id, ...rest } = { ...defaults, ...partial }
    const { world } = stack as Required<typeof stack>
    const request = {
      stack,
      world,
      form: 'selfHosted',
      edition: '2.24',
      ids: id === undefined ? {} : { id },
      body: {},
      text: '',
      origin: 'http://self-hosted.test',
      now: start,
      actor: { kind: 'user' },
      limits: defaultLimits,
      in: <T extends object>(model: Model<T>, place = 'example') => world.in(model, place),
      describe: () => ({}),
      log: () => {},
      ...rest,
      query: new URLSearchParams(query),
      choice: (gap: string) => choices?.[gap] ?? defaultChoices[gap] ?? '404 json',
      parameters: {},
      judge: () => judgeBody(core, operation, request),
    } as MutableRequest
    judgeRequest(core, operation, request)
    const reply = core.handlers[operation](request) as Exclude<Reply, { kind: 'text' | 'records' }>
    return reply.kind === 'deleted' ? reply : { ...reply, value: JSON.parse(reply.json) }
  }
  const refusal = (operation: OperationId, partial: PartialRequest = {}): Refusal => {
    try {
      ask(operation, partial)
    } catch (reason) {
      if (reason instanceof Refusal) return reason
      throw reason
    }
    throw new Error(`${operation} was not refused`)
  }
  return {
    stack,
    refusal,
    /** The result: a record, or a list of records. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a user would, without types
    answer: (operation: OperationId, partial?: PartialRequest): any =>
      (ask(operation, partial) as { value: unknown }).value,
    ask,
    /** The issues of a refused request, as the self-hosted form writes them. */
    sentences: (operation: OperationId, partial?: PartialRequest) =>
      (refusal(operation, partial).details.issues ?? []).map(({ path, sentence }) => [...path, sentence].join(': ')),
  }
}

const defaultChoices: Readonly<Record<string, string>> = {
  'dashboard/order-of-list': 'name descending',
  'alert/order-of-list': 'oldest first',
  'dashboard/language-without-query': 'null',
}

export const lineTile = {
  name: 'Errors',
  x: 0,
  y: 0,
  w: 6,
  h: 3,
  config: { displayType: 'line', sourceId: ids.log, select: [{ aggFn: 'count' }] },
}

export const alertOn = (dashboard: { id: string; tiles: { id: string }[] }, more: object = {}) => ({
  source: 'tile',
  dashboardId: dashboard.id,
  tileId: dashboard.tiles[0]?.id,
  threshold: 10,
  thresholdType: 'above',
  interval: '5m',
  channel: { type: 'webhook', webhookId: ids.webhook },
  ...more,
})
