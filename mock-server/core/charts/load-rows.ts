import { malformed } from '../refusal.ts'
import { type ColumnType, columnsOfKind } from './columns-of-kind.ts'
import type { Row, RowStore } from './row-store.ts'

/** Checks every row, then writes all of them: one wrong row and none is loaded. */
export function loadRows(store: RowStore, rows: readonly Row[]): void {
  const columns = columnsOfKind[store.kind]
  const times = rows.map((row, index) => checkRow(store, columns, row, index))
  rows.forEach((row, index) => {
    const at = store.start(times[index]!)
    for (const [name, value] of Object.entries(row)) {
      const type = columns[name]
      if (value === null || value === undefined) continue
      if (type === 'text') store.text(name).write(at, String(value))
      if (type === 'number') store.number(name).write(at, Number(value))
      if (type === 'map') {
        for (const [key, text] of Object.entries(value as object)) store.text(name, key).write(at, String(text))
      }
    }
  })
}

function checkRow(store: RowStore, columns: Readonly<Record<string, ColumnType>>, row: Row, index: number): number {
  const refuse = (field: string, why: string) => malformed(`rows.${index}${field && `.${field}`}: ${why}`)
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw refuse('', 'Expected an object of columns')
  for (const [name, value] of Object.entries(row)) {
    const type = Object.hasOwn(columns, name) ? columns[name]! : undefined
    if (!type) {
      throw refuse(name, `Not a column of the ${store.kind} table. Its columns are ${Object.keys(columns).join(', ')}`)
    }
    const wanted = type !== 'time' && value !== null && value !== undefined && whatIsWrong(type, value)
    if (wanted) throw refuse(name, wanted)
  }
  const time = readTime(row[store.timeColumn])
  if (time === undefined) throw refuse(store.timeColumn, 'Expected an ISO 8601 time or epoch milliseconds')
  return time
}

const scalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function whatIsWrong(type: Exclude<ColumnType, 'time'>, value: unknown): string | undefined {
  if (type === 'text' && !scalar(value)) return 'Expected a text'
  if (type === 'number' && (!scalar(value) || value === '' || !Number.isFinite(Number(value))))
    return 'Expected a number'
  if (type === 'map') {
    if (typeof value !== 'object' || Array.isArray(value)) return 'Expected an object of texts'
    const wrong = Object.entries(value as object).find(([, text]) => !scalar(text))
    if (wrong) return `Expected a text in "${wrong[0]}"`
  }
  return undefined
}

const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i

/** Epoch milliseconds of an ISO time (a fraction down to nanoseconds is kept, no zone is UTC) or of an epoch in s, ms, µs or ns. */
function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? inMilliseconds(value) : undefined
  if (typeof value !== 'string') return undefined
  if (/^\d+$/.test(value)) return inMilliseconds(Number(value))
  const [, date, clock, fraction, zone = 'Z'] = iso.exec(value) ?? []
  if (!date) return undefined
  const whole = Date.parse(`${date}T${clock}${zone.toUpperCase()}`)
  return Number.isNaN(whole) ? undefined : whole + Number(`0${fraction ?? ''}`) * 1000
}

function inMilliseconds(epoch: number): number {
  if (epoch < 1e11) return epoch * 1000
  if (epoch < 1e14) return epoch
  return epoch < 1e17 ? epoch / 1e3 : epoch / 1e6
}
