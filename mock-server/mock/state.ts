import { z } from 'zod/v3'
import type { Core } from '../core/core.ts'
import { countersSchema } from '../core/rate-limit.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { Row } from '../telemetry/telemetry.ts'
import { isRecord, writeValue } from '../words/check-options.ts'
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
  /** For a world besides the first: its index, from which its ids follow. */
  readonly ordinal?: number
  readonly size: Size
  /** The name of the document of the user that the mock was started with, if it was. */
  readonly document?: string
  /** The scenario that a reset restores. Default: that of the world that loads the document. */
  readonly scenario?: Scenario
  /** Whether only the records of a new organization and a new stack were seeded. */
  readonly isBare?: boolean
  readonly now: string
  /** The milliseconds by which its clock was advanced, if it was. */
  readonly clockMovedMs?: number
  /** The counters of the rate limits and the state of the random numbers of chaos. */
  readonly disruptions?: SavedDisruptions
  /** The loaded rows, by stack and source. With the extent `opened`, every open stack has an entry. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>
}

/** Limit of the size of a state document, in bytes. */
export const maxStateBytes = 64 * 1024 * 1024

/** A lower bound of the size, from the loaded rows, to refuse a state that is too large before it is written. */
export const minStateBytes = (deployment: Deployment): number =>
  [...deployment.openStacks()].reduce((sum, { telemetry }) => sum + telemetry.bytesOfLoaded(), 0)

/** A state whose rows are read when it is written. Its records never change, because a write replaces a record. */
export type CapturedState = Omit<State, 'rows'> & {
  readonly rows: Readonly<Record<string, Readonly<Record<string, Iterable<Row>>>>>
}

/** The state of this moment, which may be written later. */
export function captureState(
  deployment: Deployment,
  clock: WorldClock,
  disruptions: SavedDisruptions,
  extent: Extent = 'whole',
): CapturedState {
  const { world } = deployment
  const { seed, ordinal, size, start } = world
  // The stack of a deleted service would be refused when the document is loaded.
  const stacks = [...deployment.openStacks()].filter(({ id }) => deployment.hasStack(id))
  const rows = stacks.map(({ id, telemetry, sources }) => {
    const withRows = sources.list().filter(source => telemetry.countLoaded(source.id) > 0)
    return [id, Object.fromEntries(withRows.map(source => [source.id, telemetry.loadedRows(source.id)]))] as const
  })
  return {
    version: stateVersion,
    seed,
    ...(ordinal > 0 && { ordinal }),
    size,
    ...(deployment.isBare && { isBare: true }),
    ...(deployment.core.document && { document: deployment.core.document.name }),
    now: new Date(start).toISOString(),
    ...(clock.moved() !== 0 && { clockMovedMs: clock.moved() }),
    ...world.save(extent),
    disruptions,
    rows: Object.fromEntries(rows.filter(([, bySource]) => extent === 'opened' || Object.keys(bySource).length > 0)),
  }
}

/** The state as a value, with its rows. */
export function completeState({ rows, ...captured }: CapturedState): State {
  const mapValues = <From, To>(object: Readonly<Record<string, From>>, map: (value: From) => To) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
  return { ...captured, rows: mapValues(rows, bySource => mapValues(bySource, list => [...list])) }
}

/** Levels of a state down to a record: the document, its parts, a model, a place, a record. */
const levelsOfState = 5

/** The state as JSON, in pieces of about one record, so that other work can be done between two. */
export const writeState = (captured: CapturedState): Iterable<string> => writePieces(captured, levelsOfState)

/** An array with more items, such as the tiles of a large dashboard, is written item by item at any level. */
const longArray = 100

const isLong = (value: unknown) => Array.isArray(value) && value.length > longArray

function* writePieces(value: unknown, levels: number): Generator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value) ?? 'null'
  else if (Symbol.iterator in value && (levels > 0 || !Array.isArray(value) || isLong(value))) {
    let mark = '['
    for (const item of value as Iterable<unknown>) {
      yield mark
      yield* writePieces(item, levels - 1)
      mark = ','
    }
    yield mark === '[' ? '[]' : ']'
  } else if (levels > 0 || Object.values(value).some(isLong)) {
    let mark = '{'
    for (const [name, own] of Object.entries(value)) {
      if (own === undefined) continue
      yield `${mark}${JSON.stringify(name)}:`
      yield* writePieces(own, levels - 1)
      mark = ','
    }
    yield mark === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}

/**
 * Reads a world; throws an Error if it is invalid. `accept` may reject the deployment by throwing; else the clock runs as at its start, and
 * is advanced by as much as the saved one was.
 */
export function loadState(
  core: Core,
  state: unknown,
  clock: WorldClock,
  accept: (deployment: Deployment) => void,
  externalEngine?: ExternalEngine,
) {
  const read = readState(core, state)
  const advanceMs = (read.clockMovedMs ?? 0) - clock.moved()
  if (!isMoment(clock.now() + advanceMs)) {
    throw stateError('clockMovedMs', 'milliseconds that lead to a time from 1970 to 9999')
  }
  const { seed, ordinal = 0, size, isBare = false, now } = read
  const from = {
    core,
    seed,
    ordinal,
    size,
    start: Date.parse(now),
    now: clock.now,
    externalEngine,
    isBare,
    captured: capturedIn(core, read.scenario),
  }
  const deployment = createDeployment(from)
  deployment.world.load(read)
  loadRows(deployment, read)
  accept(deployment)
  clock.unfreeze()
  clock.advance(advanceMs)
  return { deployment, scenario: read.scenario, disruptions: read.disruptions ?? {} }
}

/** Loads rows. Opens all stacks, or those with an entry if only opened places were saved: open ones evaluate alerts. */
function loadRows({ stackIds, stackOf }: Deployment, { rows, created }: State): void {
  const isStack = (id: string) => id === selfHosted || stackIds().includes(id)
  const opened = created === undefined ? stackIds() : Object.keys(rows)
  for (const id of opened.filter(isStack)) stackOf(id)
  for (const [id, bySource] of Object.entries(rows)) {
    if (!isRecord(bySource)) throw stateError(`rows.${id}`, 'an object of rows by source')
    if (!isStack(id)) throw stateError(`rows.${id}`, 'the id of a service, or self-hosted')
    for (const [sourceId, list] of Object.entries(bySource)) {
      const place = `rows.${id}.${sourceId}`
      const kind = stackOf(id).sources.get(sourceId)?.kind
      if (!kind || kind === 'promql') throw stateError(place, 'the id of a source that has rows')
      if (!Array.isArray(list)) throw stateError(place, 'a list of rows')
      try {
        stackOf(id).telemetry.load(sourceId, kind, list)
      } catch (error) {
        throw error instanceof Refusal ? new Error(`load a state: ${place}: ${error.sentence}`) : error
      }
    }
  }
}

function readState(core: Core, state: unknown): State {
  const { document } = core
  if (!isRecord(state)) throw stateError('the document', 'an object as returned by GET /control/state')
  if (state.version === 1) {
    throw stateError(
      'version',
      '2: version 1 is of an older release with another layout. Create the state again with this release',
    )
  }
  if (state.version !== stateVersion) throw stateError('version', String(stateVersion))
  // Its records have the fields of that document.
  if (state.document !== undefined && state.document !== document?.name) {
    const own = document ? `the mock has ${document.name}` : 'the mock has none'
    throw new Error(
      `load a state: document: It was saved under ${writeValue(state.document)}, and ${own}: start the mock with that document, or with a new state`,
    )
  }
  const isNaturalNumber = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  const isTime = (value: unknown) => typeof value === 'string' && isMoment(Date.parse(value))
  const checks: readonly (readonly [field: string, isValid: (value: unknown) => boolean, expected: string])[] = [
    ['seed', Number.isSafeInteger, 'a whole number'],
    ['ordinal', value => value === undefined || isNaturalNumber(value), 'a whole number from 0'],
    ['now', isTime, 'an ISO 8601 time from 1970 to 9999'],
    ['clockMovedMs', value => value === undefined || typeof value === 'number', 'a number'],
    ['isBare', value => value === undefined || typeof value === 'boolean', 'true or false'],
    ['size', isRecord, 'an object'],
    ['rows', isRecord, 'an object'],
  ]
  for (const [field, isValid, expected] of checks) if (!isValid(state[field])) throw stateError(field, expected)
  const disruptions = savedDisruptions.optional().safeParse(state.disruptions)
  if (!disruptions.success) {
    const [{ path, message } = { path: [], message: '' }] = disruptions.error.issues
    throw new Error(`load a state: ${['disruptions', ...path].join('.')}: ${message}`)
  }
  if (state.scenario !== undefined) readScenario(core, 'load a state: scenario', state.scenario)
  readSize('load a state: size', state.size as Partial<Size>)
  return state as unknown as State
}

const stateError = (place: string, expected: string) => new Error(`load a state: ${place}: Expected ${expected}`)
