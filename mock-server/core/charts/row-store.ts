import { type Column, MapColumn, NumberColumn, TextColumn } from './column.ts'
import { columnsOfKind, layoutOfType, type TelemetryKind, timeColumnOfKind } from './columns-of-kind.ts'
import { isoTime } from './json-value.ts'

/** A row as values: columns by name, maps as objects of texts. */
export type Row = Readonly<Record<string, unknown>>

/**
 * The rows of one source, column by column. A writer starts a row with its time and then writes the columns it has; what it
 * leaves out reads as empty or 0. Rows keep the order in which they came.
 */
export class RowStore {
  size = 0
  /** Epoch milliseconds of each row, with a fraction where the source had one. */
  times = new Float64Array(0)
  /** Rows before this one are in order of time; a query searches them by halves and looks at each of the others. */
  ordered = 0
  readonly #columns = new Map<string, Column>()

  constructor(readonly kind: TelemetryKind) {
    for (const [name, type] of Object.entries(columnsOfKind[kind])) {
      const layout = layoutOfType[type]
      if (layout === 'text') this.#columns.set(name, new TextColumn())
      if (layout === 'number') this.#columns.set(name, new NumberColumn())
      if (layout === 'map') this.#columns.set(name, new MapColumn())
    }
  }

  get timeColumn(): string {
    return timeColumnOfKind[this.kind]
  }

  /** The columns of the kind by name, without that of the time. */
  get columns(): ReadonlyMap<string, Column> {
    return this.#columns
  }

  /** The writer of a column of texts, or of one key of a map. Asked for once, then used for every row. */
  text(column: string, key?: string): TextColumn {
    const found = this.#columns.get(column)
    if (found?.type === 'map' && key !== undefined) return found.key(key)
    if (found?.type === 'text' && key === undefined) return found
    throw new TypeError(`write ${column}: the ${this.kind} table has no such column of texts`)
  }

  /** The writer of a column of numbers. */
  number(column: string): NumberColumn {
    const found = this.#columns.get(column)
    if (found?.type === 'number') return found
    throw new TypeError(`write ${column}: the ${this.kind} table has no such column of numbers`)
  }

  /** Starts a row at this epoch millisecond and returns its number, to hand to the writers. */
  start(time: number): number {
    const row = this.size++
    if (row >= this.times.length) {
      const larger = new Float64Array(Math.max(64, Math.ceil((row + 1) * 1.5)))
      larger.set(this.times)
      this.times = larger
    }
    this.times[row] = time
    if (this.ordered === row && (row === 0 || this.times[row - 1]! <= time)) this.ordered = row + 1
    return row
  }

  /** The row as values, without the columns that are empty: what `append` takes. */
  row(row: number): Row {
    const values: Record<string, unknown> = { [this.timeColumn]: isoOf(this.times[row]!) }
    for (const [name, column] of this.#columns) {
      if (column.type === 'text' && column.code(row) !== 0) values[name] = column.text(row)
      if (column.type === 'number' && column.number(row) !== 0) values[name] = column.number(row)
      if (column.type === 'map') {
        const written = [...column.keys].filter(([, key]) => key.code(row) !== 0)
        if (written.length > 0) values[name] = Object.fromEntries(written.map(([key, texts]) => [key, texts.text(row)]))
      }
    }
    return values
  }
}

const isoOf = (time: number) => (Number.isInteger(time) ? new Date(time).toISOString() : isoTime(time, true))
