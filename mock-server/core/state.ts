import type { Row } from './charts/telemetry.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import { everywhere, type SelfHosted, type Size, selfHostedStack } from './populate/populate.ts'
import type { SourceKind } from './resources.ts'
import type { Kind } from './world.ts'

type Records = readonly { readonly id: string }[]
const ofStack = ['connections', 'sources', 'webhooks', 'dashboards', 'alerts'] as const

/** A whole world as one document: all records, and of the telemetry what was loaded; the rest follows from the seed. */
export interface State {
  readonly version: 1
  readonly seed: number
  readonly size: Size
  readonly now: string
  readonly created: number
  readonly selfHosted: SelfHosted
  readonly organizations: Records
  readonly keys: Records
  readonly members: Readonly<Record<string, Records>>
  readonly services: Readonly<Record<string, Records>>
  readonly backups: Readonly<Record<string, Records>>
  readonly stacks: Readonly<Record<string, StackState>>
}

type StackState = Readonly<Record<(typeof ofStack)[number], Records>> & {
  readonly rows: Readonly<Record<string, readonly Row[]>>
}

export function saveState(deployment: Deployment): State {
  const { seed, size, start, selfHosted, world } = deployment
  const list = (kind: Kind, scope: string): Records =>
    kind === 'alerts' ? world.alerts(scope).list() : world.collection(kind, scope).list()
  const byScope = (kind: Kind, scopes: readonly string[]) =>
    Object.fromEntries(scopes.map(scope => [scope, list(kind, scope)]))
  const organizations = list('organizations', everywhere)
  const services = byScope(
    'services',
    organizations.map(({ id }) => id),
  )
  const serviceIds = Object.values(services)
    .flat()
    .map(({ id }) => id)
  const stackState = (id: string) => ({
    ...Object.fromEntries(ofStack.map(kind => [kind, list(kind, id)])),
    rows: saveRows(deployment, id),
  })
  return {
    version: 1,
    seed,
    size,
    now: new Date(start).toISOString(),
    created: deployment.sequence(),
    selfHosted,
    organizations,
    keys: list('keys', everywhere),
    members: byScope(
      'members',
      organizations.map(({ id }) => id),
    ),
    services,
    backups: byScope('backups', serviceIds),
    stacks: Object.fromEntries([selfHostedStack, ...serviceIds].map(id => [id, stackState(id) as StackState])),
  }
}

function saveRows(deployment: Deployment, stackId: string): Record<string, readonly Row[]> {
  const { telemetry } = deployment.stackOf(stackId)
  const loaded = telemetry.sources().map(({ sourceId }) => [sourceId, telemetry.appended(sourceId)] as const)
  return Object.fromEntries(loaded.filter(([, rows]) => rows.length > 0))
}

/** The world that a document holds, or a sentence about why it holds none. */
export function loadState(state: unknown): Deployment {
  checkState(state)
  const { seed, size, now, created, selfHosted } = state
  const deployment = createDeployment(seed, size, Date.parse(now), { sequence: created, selfHosted })
  const { world } = deployment
  const fill = (kind: Kind, scope: string, records: Records) => world.fill(kind, scope, records)
  fill('organizations', everywhere, state.organizations)
  fill('keys', everywhere, state.keys)
  for (const kind of ['members', 'services', 'backups'] as const) {
    for (const [scope, records] of Object.entries(state[kind])) fill(kind, scope, records)
  }
  for (const [id, stack] of Object.entries(state.stacks)) {
    for (const kind of ofStack) fill(kind, id, stack[kind])
    for (const [sourceId, rows] of Object.entries(stack.rows)) {
      const kind = stack.sources.find(source => source.id === sourceId) as { kind?: SourceKind } | undefined
      if (kind?.kind && kind.kind !== 'promql') deployment.stackOf(id).telemetry.append(sourceId, kind.kind, rows)
    }
  }
  return deployment
}

function checkState(state: unknown): asserts state is State {
  const refuse = (place: string, wanted: string) => new Error(`load a state: ${place}: Expected ${wanted}`)
  if (!isObject(state)) throw refuse('the document', 'an object as GET /control/state answers it')
  if (state.version !== 1) throw refuse('version', '1')
  if (!Number.isSafeInteger(state.seed)) throw refuse('seed', 'a whole number')
  if (!Number.isSafeInteger(state.created)) throw refuse('created', 'a whole number')
  if (typeof state.now !== 'string' || Number.isNaN(Date.parse(state.now))) throw refuse('now', 'an ISO 8601 time')
  for (const field of ['size', 'selfHosted', 'members', 'services', 'backups', 'stacks']) {
    if (!isObject(state[field])) throw refuse(field, 'an object')
  }
  checkRecords('organizations', state.organizations)
  checkRecords('keys', state.keys)
  for (const field of ['members', 'services', 'backups']) {
    for (const [scope, records] of Object.entries(state[field] as object)) checkRecords(`${field}.${scope}`, records)
  }
  for (const [id, stack] of Object.entries(state.stacks as object)) {
    if (!isObject(stack)) throw refuse(`stacks.${id}`, 'an object')
    for (const kind of ofStack) checkRecords(`stacks.${id}.${kind}`, stack[kind])
    if (!isObject(stack.rows)) throw refuse(`stacks.${id}.rows`, 'an object')
  }
}

function checkRecords(place: string, records: unknown) {
  const isFine = Array.isArray(records) && records.every(record => isObject(record) && typeof record.id === 'string')
  if (!isFine) throw new Error(`load a state: ${place}: Expected an array of records, each with its id`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
