import { call } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { type Aggregation, refuseMetricFunction } from '../query/plan.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import type { Compiled } from './compiled.ts'
import { type Aggregate, prepareAggregate } from './functions/aggregate-functions.ts'
import type { RowStore } from './row-store.ts'
import { isNumeric } from './types.ts'

/** The aggregates of charts, by the function of the database that computes them. */
const functions: Readonly<Record<string, string>> = {
  any: 'any',
  count_distinct: 'uniqExact',
  sum: 'sum',
  min: 'min',
  max: 'max',
  avg: 'avg',
  last_value: 'last_value',
  quantile: 'quantile',
}

/** Compiles an aggregation for the rows of a store. */
export function compileAggregate(
  store: RowStore,
  { aggFn, value: expression, level }: Aggregation,
  budget = new Budget(),
): Aggregate {
  if (aggFn === 'count') return prepareAggregate('count', [], budget)
  refuseMetricFunction(aggFn)
  const value = compileExpression(store, expression!, budget)
  if (aggFn === 'count_distinct' || aggFn === 'any') return aggregateCompiled(value, { aggFn }, budget)
  // The database reads the value as text, so that anything other than a number counts as 0, NULL included.
  const asNumber = call('toFloat64OrDefault', [call('toString', [expression!])])
  const number = isNumeric(value.type) ? value : compileExpression(store, asNumber, budget)
  return aggregateCompiled({ ...number, type: 'Float64', at: row => number.at(row) ?? 0 }, { aggFn, level }, budget)
}

/** The aggregate of compiled values. Only `any` and `count_distinct` take other values than numbers. */
export function aggregateCompiled(value: Compiled, { aggFn, level }: Aggregation, budget: Budget): Aggregate {
  if (aggFn === 'count') return prepareAggregate('count', [], budget)
  const name = functions[aggFn]
  if (!name) throw new InvalidQuery(`Expected an aggregate, but "${aggFn}" is none`)
  return prepareAggregate(name, [value], budget, aggFn === 'quantile' && level !== undefined ? [level] : [])
}
