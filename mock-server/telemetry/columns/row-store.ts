import {
  type ColumnType,
  columnsOfKind,
  columnTypes,
  type TelemetryKind,
  timeColumnOf,
} from '../query/columns-of-kind.ts'
import { type Column, enlarge, ListColumn, MapColumn, NumberColumn, NumbersColumn, TextColumn } from './column.ts'
import type { Compiled } from './compiled.ts'
import { isoTime } from './json-value.ts'

/** A row as an object: columns by name, maps as objects of strings. */
export type Row = Readonly<Record<string, unknown>>

/** A column in addition to those of the kind of telemetry: an alias of one of these, or a column of its own. */
export type ExtraColumn = { readonly like: string } | { readonly type: 'text' | 'float' }

/** The additional columns of one table, and the values that generated rows have in them and in keys of maps. */
export interface ExtraColumns {
  readonly columns: ReadonlyMap<string, ExtraColumn>
  readonly contents: readonly {
    readonly column: string
    readonly key?: string
    /** The value of another column of the row, or one of a few texts. */
    readonly content: { readonly like: string } | readonly string[]
  }[]
}

/** Consecutive rows that arrived together. */
interface Run {
  readonly isLoaded: boolean
  /** Indexes of rows; `to` is excluded. */
  readonly from: number
  to: number
  /** Rows before this index are sorted by time, and found by binary search; the others are scanned. */
  sortedTo: number
}

const createColumn = {
  time: () => undefined,
  text: () => new TextColumn(),
  number: () => new NumberColumn(),
  numbers: () => new NumbersColumn(),
  list: () => new ListColumn(),
  times: () => new ListColumn(true),
  map: () => new MapColumn(),
}

/** The rows of one source by column. Queries visit generated rows before loaded rows, whichever arrived first. */
export class RowStore {
  size = 0
  /** The time of each row in epoch milliseconds, with a fraction if it has microseconds. */
  times = new Float64Array(0)
  /** Generated runs, sorted by the time of their first row, followed by loaded runs in order of arrival. */
  readonly #runs: Run[] = []
  /** The run to which the next row is added. */
  #run: Run | undefined
  /** The columns by name, without the time. */
  readonly columns: ReadonlyMap<string, Column>
  /** The columns with the last of their names: an alias shares a column with other names. */
  readonly #namedColumns: readonly (readonly [Column, string])[]

  /** The names by which a query may qualify columns. */
  table: { readonly databaseName?: string; readonly tableName?: string } | undefined

  /** The columns of a subquery, in place of those of the kind. */
  computed: ReadonlyMap<string, Compiled> | undefined

  /** The time that now() returns, in epoch milliseconds. */
  now = 0

  constructor(
    readonly kind: TelemetryKind,
    readonly extraColumns: ExtraColumns['columns'] = new Map(),
  ) {
    const columns = new Map<string, Column>()
    for (const name of this.columnNames) {
      const extra = this.extraColumns.get(name)
      const aliased = extra && 'like' in extra && columns.get(extra.like)
      const column = aliased || createColumn[columnTypes[this.typeOf(name)!].layout]()
      if (column) columns.set(name, column)
    }
    this.columns = columns
    this.#namedColumns = [...new Map([...columns].map(([name, column]) => [column, name]))]
  }

  /** The names of all columns, the time included. */
  get columnNames(): readonly string[] {
    return this.computed
      ? [...this.computed.keys()]
      : [...Object.keys(columnsOfKind[this.kind]), ...this.extraColumns.keys()]
  }

  /** The type of a column; undefined if there is no such column. */
  typeOf(name: string): ColumnType | undefined {
    const ofKind = columnsOfKind[this.kind]
    const extra = this.extraColumns.get(name)
    if (extra) return 'like' in extra ? ofKind[extra.like] : extra.type
    return Object.hasOwn(ofKind, name) ? ofKind[name] : undefined
  }

  get timeColumn(): string {
    return timeColumnOf(this.kind)
  }

  text = (name: string): TextColumn => this.#column(name, TextColumn)
  number = (name: string): NumberColumn => this.#column(name, NumberColumn)
  numbers = (name: string): NumbersColumn => this.#column(name, NumbersColumn)

  #column<C extends Column>(name: string, layout: new () => C): C {
    const column = this.columns.get(name)
    if (column instanceof layout) return column
    throw new TypeError(`read ${name}: the ${this.kind} table has no ${layout.name} of this name`)
  }

  /** Adds a row at an epoch millisecond, with the values of its columns by name. */
  add(time: number, values: Row, isLoaded = false): void {
    const row = this.#addTime(time, isLoaded)
    for (const name in values) {
      const value = values[name]
      if (value !== undefined && value !== null) this.columns.get(name)?.write(row, value)
    }
  }

  /** Adds a row without values to the current run, or to a new one, and returns its index. */
  #addTime(time: number, isLoaded: boolean): number {
    const row = this.size++
    if (row >= this.times.length) this.times = enlarge(this.times, row)
    this.times[row] = time
    let run = this.#run
    if (run?.isLoaded !== isLoaded) {
      run = { isLoaded, from: row, to: row, sortedTo: row }
      this.#run = run
      const isLater = (one: Run) => one.isLoaded || this.times[one.from]! > time
      let place = this.#runs.length
      if (!isLoaded) while (place > 0 && isLater(this.#runs[place - 1]!)) place--
      this.#runs.splice(place, 0, run)
    }
    run.to = row + 1
    if (run.sortedTo === row && (row === run.from || this.times[row - 1]! <= time)) run.sortedTo = row + 1
    return row
  }

  /** Starts a new run for the rows of a slot, because slots may be generated in any order. */
  startRun(): void {
    this.#run = undefined
  }

  /** Visits the rows of a range of epoch milliseconds, both ends included. Sorted rows are found by binary search. */
  visit(start: number, end: number, visitRow: (row: number) => void): void {
    const { times } = this
    for (const run of this.#runs) {
      let { from } = run
      for (let to = run.sortedTo; from < to; ) {
        const middle = (from + to) >>> 1
        if (times[middle]! < start) from = middle + 1
        else to = middle
      }
      for (let row = from; row < run.sortedTo && times[row]! <= end; row++) visitRow(row)
      for (let row = run.sortedTo; row < run.to; row++) if (times[row]! >= start && times[row]! <= end) visitRow(row)
    }
  }

  get sizeOfLoaded(): number {
    return this.#runs.reduce((sum, { isLoaded, from, to }) => (isLoaded ? sum + to - from : sum), 0)
  }

  /** The indexes of the rows that are loaded now, in order of arrival; rows that are added while they are read are not among them. */
  loaded(): Iterable<number> {
    return indexesIn(this.#runs.filter(({ isLoaded }) => isLoaded).map(({ from, to }) => [from, to]))
  }

  /** Copies the loaded rows of another store of the same kind. */
  loadFrom(other: RowStore): void {
    for (const row of other.loaded()) this.add(other.times[row]!, other.#values(row), true)
  }

  /** The row as an object, with its time and without empty columns. */
  row(row: number): Row {
    return { [this.timeColumn]: isoOf(this.times[row]!), ...this.#values(row) }
  }

  #values(row: number): Row {
    const values = this.#namedColumns.map(([column, name]) => [name, column.value(row)] as const)
    return Object.fromEntries(values.filter(([, value]) => value !== undefined))
  }
}

function* indexesIn(ranges: readonly (readonly [from: number, to: number])[]): Generator<number> {
  for (const [from, to] of ranges) for (let row = from; row < to; row++) yield row
}

const isoOf = (time: number) => (Number.isInteger(time) ? new Date(time).toISOString() : isoTime(time, 9))
