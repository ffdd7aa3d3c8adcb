import { columnsOfKind, layoutOfType, type TelemetryKind, timeColumnOfKind } from '../query/columns-of-kind.ts'
import { type Column, MapColumn, NumberColumn, NumbersColumn, TextColumn } from './column.ts'
import { isoTime } from './json-value.ts'

/** A row as values: columns by name, maps as objects of texts. */
export type Row = Readonly<Record<string, unknown>>

/** Neighbouring rows that came in the same way, one after the other. */
interface Run {
  readonly isLoaded: boolean
  readonly from: number
  to: number
  /** Rows before this one are in order of time; a query searches them by halves and looks at each of the others. */
  ordered: number
}

/**
 * The rows of one source, column by column. A writer starts a row with its time and then writes the columns it has; what it
 * leaves out reads as empty or 0. A query sees the rows that were laid out before those that were loaded, whichever came first.
 */
export class RowStore {
  size = 0
  /** Epoch milliseconds of each row, with a fraction where the source had one. */
  times = new Float64Array(0)
  /** Those that were laid out, by the time of their first row, before those that were loaded, by when they came. */
  readonly #runs: Run[] = []
  #run: Run | undefined
  readonly #columns = new Map<string, Column>()

  /** The database's names for it, which columns may be said with. */
  table: { readonly databaseName?: string; readonly tableName?: string } | undefined

  /** The moment at which somebody looks, in epoch milliseconds. */
  now = 0

  constructor(readonly kind: TelemetryKind) {
    for (const [name, type] of Object.entries(columnsOfKind[kind])) {
      const layout = layoutOfType[type]
      if (layout === 'text') this.#columns.set(name, new TextColumn())
      if (layout === 'number') this.#columns.set(name, new NumberColumn())
      if (layout === 'numbers') this.#columns.set(name, new NumbersColumn())
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

  /** The writer of a column of lists of numbers. */
  numbers(column: string): NumbersColumn {
    const found = this.#columns.get(column)
    if (found?.type === 'numbers') return found
    throw new TypeError(`write ${column}: the ${this.kind} table has no such column of lists`)
  }

  /** Starts a row at this epoch millisecond and returns its number, to hand to the writers. */
  start(time: number, isLoaded = false): number {
    const row = this.size++
    if (row >= this.times.length) {
      const larger = new Float64Array(Math.max(64, Math.ceil((row + 1) * 1.5)))
      larger.set(this.times)
      this.times = larger
    }
    this.times[row] = time
    let run = this.#run
    if (run?.isLoaded !== isLoaded) {
      run = { isLoaded, from: row, to: row, ordered: row }
      this.#run = run
      const later = (one: Run) => one.isLoaded || this.times[one.from]! > time
      let place = this.#runs.length
      if (!isLoaded) while (place > 0 && later(this.#runs[place - 1]!)) place--
      this.#runs.splice(place, 0, run)
    }
    run.to = row + 1
    if (run.ordered === row && (row === run.from || this.times[row - 1]! <= time)) run.ordered = row + 1
    return row
  }

  /** The next row does not go on where the last one ended: rows may be laid out in any order of times. */
  startRun(): void {
    this.#run = undefined
  }

  /** Looks at the rows of a range of epoch milliseconds, both ends included: rows in order of time are found by halves. */
  visit(start: number, end: number, look: (row: number) => void): void {
    const { times } = this
    for (const run of this.#runs) {
      let { from } = run
      for (let to = run.ordered; from < to; ) {
        const middle = (from + to) >>> 1
        if (times[middle]! < start) from = middle + 1
        else to = middle
      }
      for (let row = from; row < run.ordered && times[row]! <= end; row++) look(row)
      for (let row = run.ordered; row < run.to; row++) if (times[row]! >= start && times[row]! <= end) look(row)
    }
  }

  /** How many rows were loaded. */
  get sizeOfLoaded(): number {
    return this.#runs.reduce((sum, { isLoaded, from, to }) => (isLoaded ? sum + to - from : sum), 0)
  }

  /** The numbers of the rows that were loaded, in the order in which they came. */
  *loaded(): Generator<number> {
    for (const { isLoaded, from, to } of this.#runs) if (isLoaded) for (let row = from; row < to; row++) yield row
  }

  /** Loads the rows that another store of the kind was loaded with. */
  loadFrom(other: RowStore): void {
    const from = this.size
    for (const row of other.loaded()) this.start(other.times[row]!, true)
    for (const [name, column] of other.columns) this.#columns.get(name)!.copy(column as never, other.loaded(), from)
  }

  /** The row as values, without the columns that are empty: what `append` takes. */
  row(row: number): Row {
    const values: Record<string, unknown> = { [this.timeColumn]: isoOf(this.times[row]!) }
    for (const [name, column] of this.#columns) {
      if (column.type === 'text' && column.code(row) !== 0) values[name] = column.text(row)
      if (column.type === 'number' && column.number(row) !== 0) values[name] = column.number(row)
      if (column.type === 'numbers' && column.numbers(row).length > 0) values[name] = column.numbers(row)
      if (column.type === 'map') {
        const written = [...column.keys].filter(([, key]) => key.code(row) !== 0)
        if (written.length > 0) values[name] = Object.fromEntries(written.map(([key, texts]) => [key, texts.text(row)]))
      }
    }
    return values
  }
}

const isoOf = (time: number) => (Number.isInteger(time) ? new Date(time).toISOString() : isoTime(time, 9))
