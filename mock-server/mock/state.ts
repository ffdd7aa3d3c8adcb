import { z } from 'zod/v3'
import { countersSchema } from '../core/rate-limit.ts'
import { serviceOf, services } from '../families/service/model.ts'
import { sources } from '../families/source/index.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { Row } from '../telemetry/telemetry.ts'
import { isRecord } from '../words/check-options.ts'
import { Refusal } from '../words/refusal.ts'
import { isMoment, type WorldClock } from '../world/clock.ts'
import { readSize, type Size } from '../world/size.ts'
import { type Extent, type Saved, selfHosted } from '../world/world.ts'
import { capturedIn, readScenario, type Scenario } from './arrange/scenario.ts'
import { createDeployment, type Deployment } from './deployment.ts'

const savedDisruptions = z
  .object({ dice: z.number(), cloud: countersSchema, selfHosted: countersSchema })
  .partial()
  .strict()
export type SavedDisruptions = z.infer<typeof savedDisruptions>

export const stateVersion = 2

/** A world as one document: its records and the loaded telemetry; the rest follows from the seed. */
export interface State extends Saved {
  readonly version: typeof stateVersion
  readonly seed: number
  /** For a world beside the first: its index, from which its ids follow. */
  readonly ordinal?: number
  readonly size: Size
  /** The state that a reset restores. Default: that of the world which loads the document. */
  readonly scenario?: Scenario
  /** Whether only the records of the first day were seeded. */
  readonly isBare?: boolean
  readonly now: string
  /** The milliseconds by which its clock was advanced, if it was. */
  readonly clockMovedMs?: number
  /** The counters of the rate limits and the state of the random numbers of chaos. */
  readonly trouble?: SavedDisruptions
  /** The loaded rows, by stack and source; if not all records are saved, of every used stack. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>
}

/** Limit of the size of a state document, in bytes. */
export const maxStateBytes = 64 * 1024 * 1024

/** A lower bound of the size, from the loaded rows: whether they are too many must be known before they are written. */
export const minStateBytes = (deployment: Deployment): number =>
  [...deployment.openStacks()].reduce((sum, { telemetry }) => sum + telemetry.bytesOfLoaded(), 0)

export function saveState(
  deployment: Deployment,
  clock: WorldClock,
  trouble: SavedDisruptions,
  extent: Extent = 'whole',
): State {
  const { world } = deployment
  const { seed, ordinal, size, start } = world
  // The stack of a deleted service would be refused when the document is loaded.
  const isThere = (id: string) => id === selfHosted || serviceOf(world, id) !== undefined
  const stacks = [...deployment.openStacks()].filter(({ id }) => isThere(id))
  const rows = stacks.map(({ id, telemetry }) => {
    const loaded = world.list(sources, id).map(source => [source.id, telemetry.loadedRows(source.id)] as const)
    return [id, Object.fromEntries(loaded.filter(([, list]) => list.length > 0))] as const
  })
  return {
    version: stateVersion,
    seed,
    ...(ordinal > 0 && { ordinal }),
    size,
    ...(deployment.isBare && { isBare: true }),
    now: new Date(start).toISOString(),
    ...(clock.moved() !== 0 && { clockMovedMs: clock.moved() }),
    ...world.save(extent),
    trouble,
    rows: Object.fromEntries(rows.filter(([, bySource]) => extent === 'opened' || Object.keys(bySource).length > 0)),
  }
}

/** Reads a world, or throws an Error, and advances the clock by as much as the saved one was. `accept` may throw, too. */
export function loadState(
  state: unknown,
  clock: WorldClock,
  accept: (deployment: Deployment) => void,
  externalEngine?: ExternalEngine,
) {
  const read = readState(state)
  const leap = (read.clockMovedMs ?? 0) - clock.moved()
  if (!isMoment(clock.now() + leap)) {
    throw refuse('clockMovedMs', 'milliseconds that lead to a time from 1970 to 9999')
  }
  const { seed, ordinal = 0, size, isBare = false, now } = read
  const from = {
    seed,
    ordinal,
    size,
    start: Date.parse(now),
    now: clock.now,
    externalEngine,
    isBare,
    captured: capturedIn(read.scenario),
  }
  const deployment = createDeployment(from)
  deployment.world.load(read)
  loadRows(deployment, read)
  accept(deployment)
  clock.resume()
  clock.advance(leap)
  return { deployment, scenario: read.scenario, trouble: read.trouble ?? {} }
}

/** Opens stacks, so that their alerts are evaluated from now on: all, or those that were open. */
function loadRows({ world, stackOf }: Deployment, { rows, created }: State): void {
  const isStack = (id: string) => id === selfHosted || world.places(sources).includes(id)
  for (const id of created === undefined ? world.places(sources) : Object.keys(rows)) if (isStack(id)) stackOf(id)
  for (const [id, bySource] of Object.entries(rows)) {
    if (!isRecord(bySource)) throw refuse(`rows.${id}`, 'an object of rows by source')
    if (!isStack(id)) throw refuse(`rows.${id}`, `the id of a ${services.name}, or self-hosted`)
    for (const [sourceId, list] of Object.entries(bySource)) {
      const place = `rows.${id}.${sourceId}`
      const kind = world.in(sources, id).get(sourceId)?.kind
      if (!kind || kind === 'promql') throw refuse(place, 'the id of a source that has rows')
      if (!Array.isArray(list)) throw refuse(place, 'a list of rows')
      try {
        stackOf(id).telemetry.load(sourceId, kind, list)
      } catch (error) {
        throw error instanceof Refusal ? new Error(`load a state: ${place}: ${error.sentence}`) : error
      }
    }
  }
}

function readState(state: unknown): State {
  if (!isRecord(state)) throw refuse('the document', 'an object as GET /control/state answers it')
  if (state.version === 1) {
    throw refuse('version', '2: version 1 is of an older release, whose records lie elsewhere. Arrange the world again')
  }
  if (state.version !== stateVersion) throw refuse('version', String(stateVersion))
  const isFrom0 = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  const isTime = (value: unknown) => typeof value === 'string' && isMoment(Date.parse(value))
  const checks: readonly (readonly [field: string, isGood: (value: unknown) => boolean, wanted: string])[] = [
    ['seed', Number.isSafeInteger, 'a whole number'],
    ['ordinal', value => value === undefined || isFrom0(value), 'a whole number from 0'],
    ['now', isTime, 'an ISO 8601 time from 1970 to 9999'],
    ['clockMovedMs', value => value === undefined || typeof value === 'number', 'a number'],
    ['isBare', value => value === undefined || typeof value === 'boolean', 'true or false'],
    ['size', isRecord, 'an object'],
    ['rows', isRecord, 'an object'],
  ]
  for (const [field, isValid, expected] of checks) if (!isValid(state[field])) throw refuse(field, expected)
  const trouble = savedDisruptions.optional().safeParse(state.trouble)
  if (!trouble.success) {
    const [{ path, message } = { path: [], message: '' }] = trouble.error.issues
    throw new Error(`load a state: ${['trouble', ...path].join('.')}: ${message}`)
  }
  if (state.scenario !== undefined) readScenario('load a state: scenario', state.scenario)
  readSize('load a state: size', state.size as Partial<Size>)
  return state as unknown as State
}

const refuse = (place: string, wanted: string) => new Error(`load a state: ${place}: Expected ${wanted}`)
