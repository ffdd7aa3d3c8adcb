import { malformed } from '../../words/refusal.ts'
import { isMoment } from '../../world/clock.ts'
import { type ColumnType, columnTypes } from '../query/columns-of-kind.ts'
import { readTime } from './functions/database-text.ts'
import type { Row, RowStore } from './row-store.ts'

/** The most cells (keys × rows) of a map column: each key takes four bytes per row. */
const maxCells = 200_000_000

/** Loads rows. All are validated before any is stored, so that nothing is loaded if one is invalid. */
export function loadRows(store: RowStore, rows: readonly Row[]): void {
  const times = rows.map((row, index) => checkRow(store, row, index))
  checkKeys(store, rows)
  for (const [index, row] of rows.entries()) store.add(times[index]!, row, true)
}

function checkKeys(store: RowStore, rows: readonly Row[]) {
  for (const [name, column] of store.columns) {
    if (column.type !== 'map') continue
    const keys = new Set(column.keys.keys())
    for (const row of rows) for (const key of Object.keys(row[name] ?? {})) keys.add(key)
    if (keys.size * (store.size + rows.length) > maxCells) {
      throw malformed(
        `rows: Expected fewer different keys in ${name}: ${keys.size} keys are too many for ${store.size + rows.length} rows`,
      )
    }
  }
}

/** Validates a row, and returns its time in epoch milliseconds. */
function checkRow(store: RowStore, row: Row, index: number): number {
  const refusal = (field: string, reason: string) => malformed(`rows.${index}${field && `.${field}`}: ${reason}`)
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw refusal('', 'Expected an object of columns')
  for (const [name, value] of Object.entries(row)) {
    const type = store.typeOf(name)
    if (!type) {
      throw refusal(name, `Not a column of the ${store.kind} table. Its columns are ${store.columnNames.join(', ')}`)
    }
    const problem = value !== null && value !== undefined && findProblem(columnTypes[type].layout, value)
    if (problem) throw refusal(name, problem)
  }
  const time = readAnyTime(row[store.timeColumn])
  // Other times cannot be saved.
  if (!isMoment(time))
    throw refusal(store.timeColumn, 'Expected an ISO 8601 time or an epoch number, from 1970 to 9999')
  return time
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const isNumber = (value: unknown) => isScalar(value) && value !== '' && Number.isFinite(Number(value))

function findProblem(layout: (typeof columnTypes)[ColumnType]['layout'], value: unknown): string | undefined {
  if (layout === 'text' && !isScalar(value)) return 'Expected text'
  if (layout === 'number' && !isNumber(value)) return 'Expected a number'
  if (layout === 'numbers' && !(Array.isArray(value) && value.every(isNumber))) return 'Expected a list of numbers'
  if ((layout === 'list' || layout === 'times') && !Array.isArray(value)) return 'Expected a list'
  if (layout === 'map') {
    if (typeof value !== 'object' || Array.isArray(value)) return 'Expected an object with text values'
    const invalid = Object.entries(value as object).find(([, text]) => !isScalar(text))
    if (invalid) return `Expected text in "${invalid[0]}"`
  }
  return undefined
}

/** Reads an ISO time, or an epoch number in seconds, milliseconds, microseconds or nanoseconds, by its magnitude. */
function readAnyTime(value: unknown): number | undefined {
  if (typeof value === 'number') return inMilliseconds(value)
  if (typeof value !== 'string') return undefined
  return /^\d+$/.test(value) ? inMilliseconds(Number(value)) : readTime(value)
}

function inMilliseconds(epoch: number): number {
  if (epoch < 1e11) return epoch * 1000
  if (epoch < 1e14) return epoch
  return epoch < 1e17 ? epoch / 1e3 : epoch / 1e6
}

/** A lower bound of the bytes of a row in a saved state. Serialising all rows to measure them might exhaust the memory. */
export function sizeOfRow(row: Row): number {
  let bytes = bytesOfTime
  for (const [name, value] of Object.entries(row)) {
    if (name === 'Timestamp' || name === 'TimeUnix') continue
    // At least a digit and a comma for each number.
    if (Array.isArray(value)) bytes += name.length + 2 * value.length + ',"":['.length
    else if (typeof value !== 'object') bytes += sizeOfField(name, value)
    else if (value !== null) for (const [key, text] of Object.entries(value)) bytes += sizeOfField(key, text)
  }
  return bytes
}

/** Every row has a time, which is saved in this form. */
const bytesOfTime = '{"TimeUnix":"1970-01-01T00:00:00.000Z"},'.length

function sizeOfField(name: string, value: unknown): number {
  // Empty values are not saved.
  if (!value) return 0
  return name.length + (typeof value === 'string' ? value.length : 1) + ',"":'.length
}
