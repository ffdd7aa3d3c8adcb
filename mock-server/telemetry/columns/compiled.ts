import type { Budget } from './budget.ts'
import type { TextColumn } from './column.ts'

/** The types of the database as far as answers differ by them; `second` is a time without a fraction, `day` one without a clock. */
export type ValueType = 'text' | 'integer' | 'wide' | 'float' | 'time' | 'second' | 'day' | 'map' | 'list'

/** Times are epoch milliseconds, truth is 1 or 0, a list holds the members of an IN or the keys of a map. */
export type Scalar = string | number | null | readonly Scalar[] | Readonly<Record<string, string>>

/** An expression made ready for the rows of one store. */
export interface Compiled {
  readonly type: ValueType
  /** It is the same in every row. */
  readonly constant: boolean
  /** The one column of texts that it depends on: then it is computed once for every distinct text. */
  readonly column?: TextColumn
  readonly ofCode?: (code: number) => Scalar
  at(row: number): Scalar
}

export const isNumeric = (type: ValueType) => type === 'integer' || type === 'wide' || type === 'float'
export const isTime = (type: ValueType) => type === 'time' || type === 'second' || type === 'day'

export function constantOf(type: ValueType, value: Scalar): Compiled {
  return { type, constant: true, at: () => value }
}

/** What is made of the texts counts as kept; the texts of the column itself are there anyway, and need no budget. */
export function ofColumn(
  type: ValueType,
  column: TextColumn,
  ofCode: (code: number) => Scalar,
  budget?: Budget,
): Compiled {
  let known: (Scalar | undefined)[] | undefined
  const at = (row: number) => {
    known ??= new Array(column.texts.length)
    const code = column.code(row)
    let value = known[code]
    if (value === undefined) {
      value = ofCode(code)
      budget?.keep(value)
      known[code] = value
    }
    return value
  }
  return { type, constant: false, column, ofCode, at }
}

// biome-ignore lint/suspicious/noExplicitAny: values were checked against the types of the arguments
export type Run = (...values: any[]) => Scalar

/** A function over compiled values, at the cheapest place: once, once per distinct text, or once per row. */
export function applied(type: ValueType, run: Run, args: readonly Compiled[], budget: Budget): Compiled {
  if (args.every(arg => arg.constant)) return constantOf(type, run(...args.map(arg => arg.at(0))))
  const column = args.find(arg => !arg.constant)?.column
  if (column && args.every(arg => arg.constant || arg.column === column)) {
    const parts = args.map(arg => arg.ofCode ?? (() => arg.at(0)))
    return ofColumn(type, column, code => run(...parts.map(part => part(code))), budget)
  }
  return { type, constant: false, at: perRow(run, args) }
}

function perRow(run: Run, args: readonly Compiled[]): (row: number) => Scalar {
  const [first, second] = args
  if (args.length === 1) return row => run(first!.at(row))
  if (args.length === 2 && second!.constant) {
    const fixed = second!.at(0)
    return row => run(first!.at(row), fixed)
  }
  if (args.length === 2) return row => run(first!.at(row), second!.at(row))
  return row => run(...args.map(arg => arg.at(row)))
}
