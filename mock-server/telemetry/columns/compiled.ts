import type { Budget } from './budget.ts'
import type { TextColumn } from './column.ts'
import type { Type } from './types.ts'

/**
 * Times are epoch milliseconds, truth is 1 or 0, intervals are the number of their units; arrays and tuples are lists, maps
 * are objects.
 */
export type Scalar = string | number | null | readonly Scalar[] | { readonly [key: string]: Scalar }

/** An expression made ready for the rows of one store. */
export interface Compiled {
  readonly type: Type
  /** It is the same in every row. */
  readonly constant: boolean
  /** The one column of texts that it depends on: then it is computed once for every distinct text. */
  readonly column?: TextColumn
  readonly ofCode?: (code: number) => Scalar
  at(row: number): Scalar
}

export function constantOf(type: Type, value: Scalar): Compiled {
  return { type, constant: true, at: () => value }
}

/** What is made of the texts counts as kept; the texts of the column itself are there anyway, and need no budget. */
export function ofColumn(type: Type, column: TextColumn, ofCode: (code: number) => Scalar, budget?: Budget): Compiled {
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

/** One argument of a function, computed when it is asked for: of the row, or of the code of the text that it depends on. */
export type Part = (key: number) => Scalar

/** What is called with the values of its arguments. */
interface Called {
  readonly type: Type
  readonly run: Run
  /** NULL when one of the values is. */
  readonly skipsNull: boolean
}

/** A function over compiled values, at the cheapest place: once, once per distinct text, or once per row. */
export const applied = (called: Called, args: readonly Compiled[], budget: Budget): Compiled =>
  appliedLazily(called.type, parts => calling(called, parts, budget), args, budget)

/** Has the values of every call counted, and what it makes of them. One or two values are called with without a list of them. */
function calling({ run, skipsNull }: Called, parts: readonly Part[], budget: Budget): Part {
  const made = (value: Scalar) => {
    if (typeof value !== 'number') budget.made(value)
    return value
  }
  const [first, second] = parts
  if (parts.length === 1) {
    return key => {
      const value = first!(key)
      budget.take(value)
      return made(skipsNull && value === null ? null : run(value))
    }
  }
  if (parts.length === 2) {
    return key => {
      const one = first!(key)
      const other = second!(key)
      budget.take(one)
      budget.take(other)
      return made(skipsNull && (one === null || other === null) ? null : run(one, other))
    }
  }
  return key => {
    const values = parts.map(part => part(key))
    for (const value of values) budget.take(value)
    return made(skipsNull && values.includes(null) ? null : run(...values))
  }
}

/** As `applied`, for functions that do not look at all of their arguments. */
export function appliedLazily(
  type: Type,
  make: (parts: readonly Part[]) => Part,
  args: readonly Compiled[],
  budget: Budget,
): Compiled {
  if (args.every(arg => arg.constant)) return constantOf(type, make(args.map(arg => arg.at))(0))
  const column = commonColumn(args)
  if (column) return ofColumn(type, column, make(args.map(arg => arg.ofCode ?? arg.at)), budget)
  return { type, constant: false, at: make(args.map(arg => arg.at)) }
}

/** The one column of texts that all arguments depend on. */
function commonColumn(args: readonly Compiled[]): TextColumn | undefined {
  const column = args.find(arg => !arg.constant)?.column
  return column && args.every(arg => arg.constant || arg.column === column) ? column : undefined
}
