import type { Row } from '../telemetry/telemetry.ts'
import { Refusal } from '../words/refusal.ts'
import type { SourceKind } from '../words/resources.ts'
import { isMoment, type WorldClock } from '../world/clock.ts'
import { checkState, ofStack } from './check-state.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import { appendRows, sizeOfAppended } from './load-rows-into.ts'
import { everywhere, type SelfHosted, type Size, selfHostedStack } from './populate/populate.ts'
import type { Kind } from './world.ts'

type Records = readonly { readonly id: string }[]

/** A whole world as one document: all records, and of the telemetry what was loaded; the rest follows from the seed. */
export interface State {
  readonly version: 1
  readonly seed: number
  /** Of a world that was opened beside the first: its place among them, from which its ids come. */
  readonly ordinal?: number
  readonly size: Size
  /** When it was laid out. */
  readonly now: string
  /** By how much its clock was put forward, when it was. */
  readonly clockMovedMs?: number
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

/** The largest document that a world is saved as, and taken back from. */
export const mostOfState = 64 * 1024 * 1024

/**
 * The bytes that the state takes at least, for the rows that were loaded. They alone can become more than can be written,
 * and it is known at once, so that nobody tries.
 */
export function leastOfState(deployment: Deployment): number {
  let bytes = 0
  for (const { telemetry } of deployment.openStacks()) bytes += sizeOfAppended(telemetry)
  return bytes
}

export function saveState(deployment: Deployment, clock: WorldClock): State {
  const { seed, ordinal, size, start, selfHosted, world } = deployment
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
    ...(ordinal > 0 && { ordinal }),
    size,
    now: new Date(start).toISOString(),
    ...(clock.moved() !== 0 && { clockMovedMs: clock.moved() }),
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

/**
 * The world that a document holds, or a sentence about why it holds none. Its clock is put forward by as much as that of
 * the world was, once `admit` has let the world in.
 */
export function loadState(state: unknown, clock: WorldClock, admit: (deployment: Deployment) => void): Deployment {
  checkState(state)
  const leap = (state.clockMovedMs ?? 0) - clock.moved()
  if (!isMoment(clock.now() + leap)) {
    throw new Error('load a state: clockMovedMs: Expected milliseconds that lead to a time from 1970 to 9999')
  }
  const deployment = readState(state, clock)
  admit(deployment)
  clock.advance(leap)
  return deployment
}

function readState(state: State, clock: WorldClock): Deployment {
  const { seed, ordinal, size, now, created, selfHosted } = state
  const deployment = createDeployment(seed, size, Date.parse(now), clock.now, {
    ordinal,
    sequence: created,
    selfHosted,
  })
  const { world } = deployment
  const fill = (kind: Kind, scope: string, records: Records) => refuseBy(kind, () => world.fill(kind, scope, records))
  fill('organizations', everywhere, state.organizations)
  fill('keys', everywhere, state.keys)
  for (const kind of ['members', 'services', 'backups'] as const) {
    for (const [scope, records] of Object.entries(state[kind])) fill(kind, scope, records)
  }
  for (const [id, stack] of Object.entries(state.stacks)) {
    // Open from now on, so that its alerts are evaluated before anybody asks for them.
    const { telemetry } = deployment.stackOf(id)
    for (const kind of ofStack) fill(kind, id, stack[kind])
    for (const [sourceId, rows] of Object.entries(stack.rows)) {
      const { kind } = (stack.sources.find(source => source.id === sourceId) ?? {}) as { kind?: SourceKind }
      const place = `stacks.${id}.rows.${sourceId}`
      if (!kind || kind === 'promql') throw new Error(`load a state: ${place}: There is no such source that has rows`)
      refuseBy(place, () => appendRows(telemetry, sourceId, kind, rows))
    }
  }
  return deployment
}

/** Whatever a part of the document is refused for is said with its place. */
function refuseBy(place: string, load: () => void) {
  try {
    load()
  } catch (error) {
    const says = error instanceof Refusal ? error.says : (error as Error).message
    throw new Error(`load a state: ${place}: ${says}`)
  }
}
