import { type Exchange, sentIn } from '../engine/exchange.ts'
import { findList, isObject } from '../engine/recognise.ts'

/** Recognises the counts in the answer to a chart query, whose shape the specification does not show. */

type Row = Readonly<Record<string, unknown>>

/** The rows of an answer as objects by column; undefined if no list is recognised. */
export function findRows(json: unknown): readonly Row[] | undefined {
  const objects = findList(json, 'data')
  if (objects && objects.length > 0) return objects
  const table = findTable(json)
  if (!table) return objects
  return table.rows.map(row => Object.fromEntries(row.map((cell, index) => [table.columns[index] ?? `${index}`, cell])))
}

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Searches `depth` levels of nested objects. */
function findTable(value: unknown, depth = 3): Table | undefined {
  if (!isObject(value)) return isRows(value) ? { columns: [], rows: value } : undefined
  const parts: readonly unknown[] = Object.values(value)
  const rows = parts.find(isRows)
  if (rows) return { columns: parts.find(isNames) ?? [], rows }
  if (depth === 0) return undefined
  for (const part of parts) {
    const table = isObject(part) ? findTable(part, depth - 1) : undefined
    if (table) return table
  }
  return undefined
}

const isRows = (value: unknown): value is readonly (readonly unknown[])[] =>
  Array.isArray(value) && value.length > 0 && value.every(Array.isArray)
const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(name => typeof name === 'string')

/** Finds the column of numbers that are not all times near the start of the query; undefined unless there is exactly one. */
export function findCountColumn(rows: readonly Row[], query: Exchange): string | undefined {
  const start = inMilliseconds(Number(sentIn(query).startTime))
  const isTime = (value: unknown) => Math.abs(inMilliseconds(Number(value)) - start) < MAX_DISTANCE_MS
  const columns = Object.keys(rows[0] ?? {}).filter(
    name => rows.every(row => isNumeric(row[name])) && !rows.every(row => isTime(row[name])),
  )
  return columns.length === 1 ? columns[0] : undefined
}

/** The longest time between the start of a query and a time in its answer. */
const MAX_DISTANCE_MS = 3 * 86_400_000

/** Derives the unit from the size: the present time differs by a factor of a thousand from one unit to the next. */
function inMilliseconds(epoch: number): number {
  if (epoch < 1e11) return epoch * 1000
  if (epoch < 1e14) return epoch
  return epoch < 1e17 ? epoch / 1e3 : epoch / 1e6
}

/** Undefined if a row has no number in the column. */
export function sumOf(rows: readonly Row[], column: string): number | undefined {
  if (!rows.every(row => isNumeric(row[column]))) return undefined
  return rows.reduce((sum, row) => sum + Number(row[column]), 0)
}

const isNumeric = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))
