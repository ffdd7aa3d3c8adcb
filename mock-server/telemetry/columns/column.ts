import type { Scalar } from './compiled.ts'
import { readTime } from './functions/database-text.ts'
import { isoTime } from './json-value.ts'

/** A dictionary-encoded string column: one code per row, so that a predicate is evaluated once per distinct string. */
export class TextColumn {
  readonly type = 'text'
  /** The string of each code. Code 0 is the empty string, which is the value of rows without one. */
  readonly texts: string[] = ['']
  codes = new Uint32Array(0)
  #codeOf = new Map<string, number>()

  /** A `sparse` column has the values of one key of a map; it distinguishes a stored empty string from an absent key. */
  constructor(readonly sparse = false) {
    if (!sparse) this.#codeOf.set('', 0)
  }

  write(row: number, value: unknown): void {
    const text = String(value)
    if (row >= this.codes.length) this.codes = enlarge(this.codes, row)
    let code = this.#codeOf.get(text)
    if (code === undefined) {
      code = this.texts.push(text) - 1
      this.#codeOf.set(text, code)
    }
    this.codes[row] = code
  }

  code(row: number): number {
    return this.codes[row] ?? 0
  }

  text(row: number): string {
    return this.texts[this.codes[row] ?? 0] ?? ''
  }

  value(row: number): string | undefined {
    return this.code(row) === 0 ? undefined : this.text(row)
  }
}

/** A column of numbers; the value of rows without one is 0, as in the database. */
export class NumberColumn {
  readonly type = 'number'
  #values = new Float64Array(0)

  write(row: number, value: unknown): void {
    if (row >= this.#values.length) this.#values = enlarge(this.#values, row)
    this.#values[row] = Number(value)
  }

  at(row: number): number {
    return this.#values[row] ?? 0
  }

  value(row: number): number | undefined {
    return this.at(row) || undefined
  }
}

/** A column of lists of numbers; the value of rows without one is the empty list. */
export class NumbersColumn {
  readonly type = 'numbers'
  readonly #lists: (readonly number[] | undefined)[] = []

  write(row: number, value: unknown): void {
    this.#lists[row] = (value as readonly unknown[]).map(Number)
  }

  at(row: number): readonly number[] {
    return this.#lists[row] ?? []
  }

  value(row: number): readonly number[] | undefined {
    return this.#lists[row]?.length ? this.#lists[row] : undefined
  }
}

/** A column of other lists. With `isOfTimes`, they are epoch milliseconds, and saved as ISO times. */
export class ListColumn {
  readonly type = 'list'
  readonly #lists: (readonly Scalar[] | undefined)[] = []

  constructor(readonly isOfTimes = false) {}

  write(row: number, value: unknown): void {
    const list = value as readonly Scalar[]
    this.#lists[row] = this.isOfTimes ? list.map(time => readTime(String(time)) ?? 0) : list
  }

  at(row: number): readonly Scalar[] {
    return this.#lists[row] ?? []
  }

  value(row: number): readonly unknown[] | undefined {
    const list = this.#lists[row]
    if (!list?.length) return undefined
    return this.isOfTimes ? list.map(time => isoTime(Number(time), 9)) : list
  }
}

/** A map of strings, stored as one sparse column per key. */
export class MapColumn {
  readonly type = 'map'
  readonly keys = new Map<string, TextColumn>()

  write(row: number, value: unknown): void {
    const map = value as Record<string, unknown>
    for (const name in map) {
      if (map[name] === undefined) continue
      let column = this.keys.get(name)
      if (!column) {
        column = new TextColumn(true)
        this.keys.set(name, column)
      }
      column.write(row, map[name])
    }
  }

  at(row: number): Readonly<Record<string, string>> {
    const written = [...this.keys].filter(([, key]) => key.code(row) !== 0)
    return Object.fromEntries(written.map(([key, texts]) => [key, texts.text(row)]))
  }

  value(row: number): Readonly<Record<string, string>> | undefined {
    const map = this.at(row)
    return Object.keys(map).length > 0 ? map : undefined
  }
}

export type Column = TextColumn | NumberColumn | NumbersColumn | ListColumn | MapColumn

/** Copies an array, with room for the index `row` and half as much again. */
export function enlarge<T extends Uint32Array | Float64Array>(old: T, row: number): T {
  const larger = new (old.constructor as new (length: number) => T)(Math.max(64, Math.ceil((row + 1) * 1.5)))
  larger.set(old as never)
  return larger
}
