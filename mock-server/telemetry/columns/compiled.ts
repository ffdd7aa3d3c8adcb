import type { Budget } from './budget.ts'
import type { TextColumn } from './column.ts'
import type { Type } from './types.ts'

/** A time is epoch milliseconds, a boolean 1 or 0, an interval a number of units, a tuple a list, a map an object. */
export type Scalar = string | number | null | readonly Scalar[] | { readonly [key: string]: Scalar }

/** An expression compiled for the rows of one store. */
export interface Compiled {
  readonly type: Type
  /** Whether the expression has the same value in every row. */
  readonly constant: boolean
  /** The string column, if the expression depends on nothing else: `ofCode` evaluates it once per distinct string. */
  readonly column?: TextColumn
  readonly ofCode?: (code: number) => Scalar
  at(row: number): Scalar
}

export function constantOf(type: Type, value: Scalar): Compiled {
  return { type, constant: true, at: () => value }
}

/** Compiles a function of one string column, cached by code. With a budget, the cached results are charged to it. */
export function ofColumn(type: Type, column: TextColumn, ofCode: (code: number) => Scalar, budget?: Budget): Compiled {
  let cache: (Scalar | undefined)[] | undefined
  const at = (row: number) => {
    cache ??= new Array(column.texts.length)
    const code = column.code(row)
    let value = cache[code]
    if (value === undefined) {
      value = ofCode(code)
      budget?.chargeMemory(value)
      cache[code] = value
    }
    return value
  }
  return { type, constant: false, column, ofCode, at }
}

// biome-ignore lint/suspicious/noExplicitAny: values were checked against the types of the arguments
export type Run = (...values: any[]) => Scalar

/** Evaluates one argument of a function, by row, or by code if the call depends on one string column alone. */
export type Evaluate = (rowOrCode: number) => Scalar

/** A function as implemented for the types of its arguments. */
interface Implementation {
  readonly type: Type
  readonly run: Run
  /** Whether the result is NULL, without a call of `run`, if any argument is NULL. */
  readonly skipsNull: boolean
}

/** Compiles a call so that it is evaluated as rarely as possible: once, once per distinct string, or once per row. */
export const compileEagerCall = (implementation: Implementation, args: readonly Compiled[], budget: Budget): Compiled =>
  compileLazyCall(implementation.type, parts => evaluateEagerly(implementation, parts, budget), args, budget)

/** Charges every call and its result to the budget. Calls with one or two arguments avoid allocating a list. */
function evaluateEagerly({ run, skipsNull }: Implementation, parts: readonly Evaluate[], budget: Budget): Evaluate {
  const charged = (value: Scalar) => {
    if (typeof value !== 'number') budget.chargeResult(value)
    return value
  }
  const [first, second] = parts
  if (parts.length === 1) {
    return key => {
      const value = first!(key)
      budget.chargeArgument(value)
      return charged(skipsNull && value === null ? null : run(value))
    }
  }
  if (parts.length === 2) {
    return key => {
      const one = first!(key)
      const other = second!(key)
      budget.chargeArgument(one)
      budget.chargeArgument(other)
      return charged(skipsNull && (one === null || other === null) ? null : run(one, other))
    }
  }
  return key => {
    const values = parts.map(part => part(key))
    for (const value of values) budget.chargeArgument(value)
    return charged(skipsNull && values.includes(null) ? null : run(...values))
  }
}

/** Like `compileEagerCall`, for functions that evaluate only some of their arguments. */
export function compileLazyCall(
  type: Type,
  make: (parts: readonly Evaluate[]) => Evaluate,
  args: readonly Compiled[],
  budget: Budget,
): Compiled {
  if (args.every(arg => arg.constant)) return constantOf(type, make(args.map(arg => arg.at))(0))
  const column = commonColumn(args)
  if (column) return ofColumn(type, column, make(args.map(arg => arg.ofCode ?? arg.at)), budget)
  return { type, constant: false, at: make(args.map(arg => arg.at)) }
}

function commonColumn(args: readonly Compiled[]): TextColumn | undefined {
  const column = args.find(arg => !arg.constant)?.column
  return column && args.every(arg => arg.constant || arg.column === column) ? column : undefined
}
