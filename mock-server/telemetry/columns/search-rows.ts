import type { Expression } from '../query/expression.ts'
import { inPart } from '../query/invalid-query.ts'
import type { RowsPlan } from '../query/plan.ts'
import type { Order } from '../query/sql.ts'
import { Budget } from './budget.ts'
import { compileExpression, compileFilters } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { createCsvWriter } from './csv-value.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'

/** One page of the rows that a search matches, as JSON values. Throws an InvalidQuery that names the part of the query. */
export function searchRows(store: RowStore, search: RowsPlan, budget = new Budget()): readonly (readonly unknown[])[] {
  const compile = (expression: Expression) => compileExpression(store, expression, budget)
  const filter = inPart('where', () => compileFilters(store, search.filters, budget))
  const columns = inPart('select', () => search.columns.map(compile))
  const keys = inPart('orderBy', () => search.orderBy.map(({ expression }) => compile(expression)))
  const matches: number[] = []
  const addMatch = (row: number) => {
    if (!filter || filter(row)) matches.push(row)
  }
  inPart('where', () => store.visit(search.start, search.end, addMatch))
  const sorted = inPart('orderBy', () => sortRows(matches, keys, search, store, budget))
  const writers = columns.map(({ type }) =>
    search.format === 'csv' ? createCsvWriter(type, budget) : (value: Scalar) => jsonValue(type, value),
  )
  const show = (row: number) => present(row, columns, writers, budget)
  const different = search.isDistinct ? inPart('select', () => withoutRepeated(sorted, show)) : sorted
  const page = different.slice(search.offset, search.offset + search.limit)
  return inPart('select', () => page.map(show))
}

/** Of rows with equal values, only the first. */
function withoutRepeated(rows: readonly number[], show: (row: number) => unknown): readonly number[] {
  const seen = new Set<string>()
  return rows.filter(row => {
    const key = JSON.stringify(show(row))
    return !seen.has(key) && seen.add(key)
  })
}

export function sortRows(
  rows: readonly number[],
  keys: readonly Compiled[],
  { orderBy }: Pick<RowsPlan, 'orderBy'>,
  { times }: RowStore,
  budget: Budget,
): readonly number[] {
  if (keys.length === 0) return rows.toSorted((a, b) => times[b]! - times[a]!)
  budget.spend(rows.length * keys.length)
  const values = new Map(rows.map(row => [row, keys.map(({ at }) => at(row))]))
  return rows.toSorted((a, b) => {
    const [one, other] = [values.get(a)!, values.get(b)!]
    for (const [index, order] of orderBy.entries()) {
      const difference = compare(one[index]!, other[index]!, order)
      if (difference !== 0) return difference
    }
    return 0
  })
}

function compare(a: Scalar, b: Scalar, { isDescending, areNullsFirst }: Order): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === areNullsFirst ? -1 : 1
  const [one, other] = typeof a === 'object' || typeof b === 'object' ? [JSON.stringify(a), JSON.stringify(b)] : [a, b]
  if (one === other) return 0
  return one < other === isDescending ? 1 : -1
}

const present = (
  row: number,
  columns: readonly Compiled[],
  writers: readonly ((value: Scalar) => unknown)[],
  budget: Budget,
) =>
  columns.map(({ at }, index) => {
    const value = at(row)
    budget.chargeMemory(value)
    return writers[index]!(value)
  })
