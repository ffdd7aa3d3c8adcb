import { sources } from '../families/source/model.ts'
import type { Row, Telemetry, TelemetryKind } from '../telemetry/telemetry.ts'
import { type Eventually, explaining } from '../words/eventually.ts'
import { Refusal } from '../words/refusal.ts'
import type { Deployment } from './deployment.ts'

/** Loads rows into a source of any stack. */
export function loadRowsInto(
  deployment: Deployment,
  sourceId: string,
  rows: unknown,
  most: number,
): Eventually<number> {
  if (!Array.isArray(rows)) throw new Error('load rows: rows: Expected an array of objects')
  const stackId = findStack(deployment, sourceId)
  if (stackId === undefined) throw new Error(`load rows: sourceId: There is no source "${sourceId}"`)
  const stack = deployment.stackOf(stackId)
  const source = stack.sources.get(sourceId)!
  const { kind } = source
  if (kind === 'promql') throw new Error('load rows: sourceId: A PromQL source has no rows')
  const { elsewhere } = stack.telemetry
  if (elsewhere) return explaining(() => elsewhere.load(source, rows as Row[]), explain)
  const had = stack.telemetry.loaded(sourceId)
  if (had + rows.length > most) {
    throw new Error(`load rows: rows: Expected at most ${most} to be loaded into a source, which has ${had}: ${advice}`)
  }
  try {
    appendRows(stack.telemetry, sourceId, kind, rows as Row[])
  } catch (error) {
    throw explain(error)
  }
  return rows.length
}

const explain = (error: unknown) => (error instanceof Refusal ? new Error(`load rows: ${error.says}`) : error)

const advice = 'reset the world, or allow more (limits.rows, --max-rows)'

const findStack = ({ world }: Deployment, sourceId: string): string | undefined =>
  world.places(sources).find(place => world.in(sources, place).get(sourceId) !== undefined)

const bytesOf = new WeakMap<Telemetry, number>()

/** Appends rows, and remembers about how many bytes they take in a saved state. */
export function appendRows(telemetry: Telemetry, sourceId: string, kind: TelemetryKind, rows: readonly Row[]): void {
  telemetry.append(sourceId, kind, rows)
  let bytes = sizeOfAppended(telemetry)
  for (const row of rows) bytes += sizeOfRow(row)
  bytesOf.set(telemetry, bytes)
}

/**
 * The bytes that the appended rows of a stack take at least in a saved state. It is known without writing them, which
 * would take all memory when they are many. Rows that a source lost since still count.
 */
export const sizeOfAppended = (telemetry: Telemetry): number => bytesOf.get(telemetry) ?? 0

/**
 * A lower bound: it leaves out quotes, escapes and the further bytes of letters beyond ASCII. Empty values are not
 * saved.
 */
function sizeOfRow(row: Row): number {
  let bytes = smallestRow
  for (const [name, value] of Object.entries(row)) {
    // Times are saved in one format, whatever was sent.
    if (name === 'Timestamp' || name === 'TimeUnix') continue
    if (Array.isArray(value)) bytes += name.length + 2 * value.length + ',"":['.length
    else if (typeof value !== 'object') bytes += sizeOfField(name, value)
    else if (value !== null) for (const [key, text] of Object.entries(value)) bytes += sizeOfField(key, text)
  }
  return bytes
}

const smallestRow = '{"TimeUnix":"1970-01-01T00:00:00.000Z"},'.length

function sizeOfField(name: string, value: unknown): number {
  if (!value) return 0
  return name.length + (typeof value === 'string' ? value.length : 1) + ',"":'.length
}
