import type { Expression } from '../query/expression.ts'
import type { Dialect } from '../query/lucene-to-sql.ts'
import { Unreadable } from '../query/unreadable.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { compileFilters, type Where } from './filter.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'

export interface ColumnOfRows {
  readonly name: string
  readonly expression: Expression
}

export interface Order {
  readonly expression: Expression
  readonly isDescending: boolean
}

export interface RowSearch {
  /** All hold. */
  readonly wheres: readonly Where[]
  readonly dialect: Dialect
  readonly columns: readonly ColumnOfRows[]
  /** Without any, the newest rows come first. */
  readonly orderBy: readonly Order[]
  /** Epoch milliseconds; both ends count. */
  readonly start: number
  readonly end: number
  readonly limit: number
  readonly offset: number
}

/** The rows of a store that a search finds, as a page of answers in JSON. Throws an Unreadable that names its part. */
export function searchRows(store: RowStore, search: RowSearch): readonly Readonly<Record<string, unknown>>[] {
  const budget = new Budget()
  const compile = (one: { readonly expression: Expression }) => compileExpression(store, one.expression, budget)
  const filter = reading('where', () => compileFilters(store, search.wheres, search.dialect, budget))
  const columns = reading('select', () => search.columns.map(compile))
  const keys = reading('orderBy', () => search.orderBy.map(compile))
  const found: number[] = []
  const look = (row: number) => {
    if (!filter || filter(row)) found.push(row)
  }
  reading('where', () => store.visit(search.start, search.end, look))
  const sorted = reading('orderBy', () => sort(found, keys, search, store, budget))
  const page = sorted.slice(search.offset, search.offset + search.limit)
  return reading('select', () => page.map(row => present(row, search.columns, columns, budget)))
}

function sort(
  rows: readonly number[],
  keys: readonly Compiled[],
  { orderBy }: RowSearch,
  { times }: RowStore,
  budget: Budget,
): readonly number[] {
  if (keys.length === 0) return rows.toSorted((a, b) => times[b]! - times[a]!)
  budget.spend(rows.length * keys.length)
  const values = new Map(rows.map(row => [row, keys.map(({ at }) => at(row))]))
  return rows.toSorted((a, b) => {
    const [one, other] = [values.get(a)!, values.get(b)!]
    for (const [index, { isDescending }] of orderBy.entries()) {
      const difference = compare(one[index]!, other[index]!, isDescending)
      if (difference !== 0) return difference
    }
    return 0
  })
}

/** What has no value comes last in either direction. */
function compare(a: Scalar, b: Scalar, isDescending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const [one, other] = typeof a === 'object' || typeof b === 'object' ? [JSON.stringify(a), JSON.stringify(b)] : [a, b]
  if (one === other) return 0
  return one < other === isDescending ? 1 : -1
}

function present(row: number, columns: readonly ColumnOfRows[], compiled: readonly Compiled[], budget: Budget) {
  return Object.fromEntries(
    columns.map(({ name }, index) => {
      const { type, at } = compiled[index]!
      const value = at(row)
      budget.keep(value)
      return [name, jsonValue(type, value)]
    }),
  )
}

function reading<T>(part: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.says, error.at, error.raw, part) : error
  }
}
