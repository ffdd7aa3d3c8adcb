import type { Expression } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import { isTrue } from './functions/lambda-functions.ts'
import type { RowStore } from './row-store.ts'
import { isNothing, widthOf } from './types.ts'

/** Whether the row of an index matches. */
export type Filter = (row: number) => boolean

/** Compiles conditions that must all match; undefined if every row matches. */
export function compileFilters(
  store: RowStore,
  conditions: readonly Expression[],
  budget = new Budget(),
): Filter | undefined {
  const filters = conditions.flatMap(condition => compileFilter(store, condition, budget) ?? [])
  return filters.length < 2 ? filters[0] : row => filters.every(filter => filter(row))
}

function compileFilter(store: RowStore, condition: Expression, budget: Budget): Filter | undefined {
  const { type, constant, at } = compileExpression(store, condition, budget)
  // A condition has eight bits in the database: a boolean or a small integer.
  const width = widthOf(type)
  if (!isNothing(type) && (!width || width.bits === 64))
    throw new InvalidQuery(`Expected a condition, but this is a ${type}`, condition.at)
  if (constant) return isTrue(at(0)) ? undefined : () => false
  return row => isTrue(at(row))
}
