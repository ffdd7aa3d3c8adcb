/** A column of texts: one code a row and every distinct text once, so that a predicate runs once per distinct text. */
export class TextColumn {
  readonly type = 'text'
  /** The text behind each code. Code 0 reads as the empty text: a row that was never written. */
  readonly texts: string[] = ['']
  codes = new Uint32Array(0)
  #codeOf = new Map<string, number>()

  /** `sparse` columns hold one key of a map: there, an empty text that was written differs from an absent key. */
  constructor(readonly sparse = false) {
    if (!sparse) this.#codeOf.set('', 0)
  }

  write(row: number, text: string): void {
    if (row >= this.codes.length) this.codes = grown(this.codes, new Uint32Array(roomFor(row)))
    let code = this.#codeOf.get(text)
    if (code === undefined) {
      code = this.texts.push(text) - 1
      this.#codeOf.set(text, code)
    }
    this.codes[row] = code
  }

  /** Writes these rows of another column, one after the other, from `to` on. */
  copy(other: TextColumn, rows: Iterable<number>, to: number): void {
    let at = to
    for (const row of rows) {
      if (other.code(row) !== 0) this.write(at, other.text(row))
      at++
    }
  }

  code(row: number): number {
    return this.codes[row] ?? 0
  }

  text(row: number): string {
    return this.texts[this.codes[row] ?? 0] ?? ''
  }
}

/** A column of numbers; a row that was never written reads as 0, as in the database. */
export class NumberColumn {
  readonly type = 'number'
  values = new Float64Array(0)

  write(row: number, value: number): void {
    if (row >= this.values.length) this.values = grown(this.values, new Float64Array(roomFor(row)))
    this.values[row] = value
  }

  copy(other: NumberColumn, rows: Iterable<number>, to: number): void {
    let at = to
    for (const row of rows) {
      if (other.number(row) !== 0) this.write(at, other.number(row))
      at++
    }
  }

  number(row: number): number {
    return this.values[row] ?? 0
  }
}

/** A column of lists of numbers; a row that was never written reads as the empty list. */
export class NumbersColumn {
  readonly type = 'numbers'
  readonly #lists: (readonly number[] | undefined)[] = []

  write(row: number, numbers: readonly number[]): void {
    this.#lists[row] = numbers
  }

  copy(other: NumbersColumn, rows: Iterable<number>, to: number): void {
    let at = to
    for (const row of rows) {
      if (other.numbers(row).length > 0) this.write(at, other.numbers(row))
      at++
    }
  }

  numbers(row: number): readonly number[] {
    return this.#lists[row] ?? none
  }
}

const none: readonly number[] = []

/** A map of texts: one sparse column for every key that was ever written. */
export class MapColumn {
  readonly type = 'map'
  readonly keys = new Map<string, TextColumn>()

  key(name: string): TextColumn {
    let column = this.keys.get(name)
    if (!column) {
      column = new TextColumn(true)
      this.keys.set(name, column)
    }
    return column
  }

  copy(other: MapColumn, rows: Iterable<number>, to: number): void {
    const all = [...rows]
    for (const [name, column] of other.keys) this.key(name).copy(column, all, to)
  }
}

export type Column = TextColumn | NumberColumn | NumbersColumn | MapColumn

const roomFor = (row: number) => Math.max(64, Math.ceil((row + 1) * 1.5))

function grown<T extends Uint32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old as never)
  return larger
}
