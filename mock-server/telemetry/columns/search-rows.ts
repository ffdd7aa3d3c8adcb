import { column } from '../query/expression.ts'
import { InvalidQuery, inPart } from '../query/invalid-query.ts'
import type { RowsPlan } from '../query/plan.ts'
import { Budget } from './budget.ts'
import type { Scalar } from './compiled.ts'
import { createCsvWriter } from './csv-value.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'
import { isAggregated, selectRows } from './select-rows.ts'

/** One page of the rows that a search matches, as JSON values. Throws an InvalidQuery that names the part of the query. */
export function searchRows(store: RowStore, search: RowsPlan, budget = new Budget()): readonly (readonly unknown[])[] {
  const { types, rows } = selectRows(store, newestFirst(search, store.timeColumn), budget)
  const writers = types.map(type =>
    search.format === 'csv' ? createCsvWriter(type, budget) : (value: Scalar) => jsonValue(type, value),
  )
  return inPart('select', () => rows.map(row => row.map((value, index) => writers[index]!(value))))
}

/** A search without an order has the newest rows first. */
function newestFirst(plan: RowsPlan, timeColumn: string): RowsPlan {
  if (plan.orderBy.length > 0) return plan
  if (isAggregated(plan)) {
    const sentence = 'Expected an order, such as 1, because rows are sorted by time without one'
    throw new InvalidQuery(sentence, 0, undefined, 'NOT_AN_AGGREGATE', 'orderBy')
  }
  return { ...plan, orderBy: [{ expression: column(timeColumn), isDescending: true, areNullsFirst: false }] }
}
