import { usualLimits } from '../limits.ts'
import { Refusal } from '../refusal.ts'
import type { Connection, Dashboard, Source, Webhook } from '../resources.ts'
import type { Stack } from '../stack.ts'
import { createWorld } from '../world.ts'
import type { Request } from './behaviour.ts'
import { type OperationName, observability } from './observability.ts'

/** What the tests of this folder talk to: a stack with one connection, a log and a trace source, and one webhook. */
export function createExampleStack() {
  const world = createWorld(() => [])
  const scope = 'example'
  const stack: Stack = {
    id: scope,
    teamId: ids.team,
    dashboards: world.collection<Dashboard>('dashboards', scope),
    alerts: world.alerts(scope),
    sources: world.collection<Source>('sources', scope),
    webhooks: world.collection<Webhook>('webhooks', scope),
    connections: world.collection<Connection>('connections', scope),
    telemetry: {} as Stack['telemetry'],
  }
  const from = { databaseName: 'default', tableName: 'otel_logs' }
  stack.connections.create({ id: ids.connection, name: 'Local', host: 'http://database.test', username: 'default' })
  stack.sources.create({ id: ids.log, name: 'Logs', kind: 'log', connection: ids.connection, from })
  stack.sources.create({ id: ids.trace, name: 'Traces', kind: 'trace', connection: ids.connection, from })
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

type Part = Partial<Omit<Request, 'query' | 'choice'>> & {
  readonly query?: string
  readonly choices?: Readonly<Record<string, string>>
}

/** Asks for an operation in process; what comes back is what a user would read, parsed. */
export function createAsker(stack = createExampleStack(), always: Part = {}) {
  let count = 0
  const newId = () => `${'a'.repeat(16)}${(++count).toString(16).padStart(8, '0')}`
  const ask = (operation: OperationName, part: Part = {}) => {
    const { query, choices, ...rest } = { ...always, ...part }
    const reply = observability[operation].behaviour({
      stack,
      form: 'selfHosted',
      edition: '2.24',
      body: {},
      now: start,
      limits: usualLimits,
      newId,
      ...rest,
      query: new URLSearchParams(query),
      choice: gap => choices?.[gap] ?? orders[gap] ?? '404 json',
    })
    return reply.kind === 'deleted' ? reply : { ...reply, value: JSON.parse(reply.json) }
  }
  const refusal = (operation: OperationName, part: Part = {}): Refusal => {
    try {
      ask(operation, part)
    } catch (reason) {
      if (reason instanceof Refusal) return reason
      throw reason
    }
    throw new Error(`${operation} was not refused`)
  }
  return {
    stack,
    refusal,
    /** The answer, or the dashboards, alerts … of a list. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a user would, without types
    answer: (operation: OperationName, part?: Part): any => (ask(operation, part) as { value: unknown }).value,
    ask,
    /** The sentences of a refused schema, as the self-hosted form joins them. */
    sentences: (operation: OperationName, part?: Part) =>
      (refusal(operation, part).more.issues ?? []).map(({ path, says }) => [...path, says].join(': ')),
  }
}

const orders: Readonly<Record<string, string>> = {
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
