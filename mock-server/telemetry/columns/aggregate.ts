import { call } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import type { Aggregation } from '../query/plan.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'
import { isNumeric } from './types.ts'

/** The accumulator of one bucket and group. */
export interface Accumulator {
  add(row: number): void
  /** The value as answered: counts, which have 64 bits, are strings. Undefined yields no point. */
  result(): unknown
}

export const aggregates = [
  'avg',
  'count',
  'count_distinct',
  'last_value',
  'max',
  'min',
  'quantile',
  'sum',
  'any',
  'none',
  'increase',
] as const

/** Compiles an aggregation for the rows of a store. Each call of the returned function creates an accumulator. */
export function compileAggregate(
  store: RowStore,
  { aggFn, value: expression, level }: Aggregation,
  budget = new Budget(),
): () => Accumulator {
  if (aggFn === 'count') return countAccumulator
  if (aggFn === 'none') throw new InvalidQuery('Expected an aggregate, but "none" leaves the rows as they are')
  if (aggFn === 'increase') {
    throw new InvalidQuery('Expected the counter of a metric source, which alone has an increase')
  }
  const value = compileExpression(store, expression!, budget)
  if (aggFn === 'count_distinct' || aggFn === 'any') return aggregateOf(value, { aggFn, level }, budget)
  // The database reads the value as text, so that anything other than a number counts as 0, NULL included.
  const readNumber = () =>
    compileExpression(store, call('toFloat64OrDefault', [call('toString', [expression!])]), budget)
  const number = isNumeric(value.type) ? value : readNumber()
  return aggregateOf({ ...number, at: row => number.at(row) ?? 0 }, { aggFn, level }, budget)
}

/** Accumulators of compiled values; only `any` and `count_distinct` take strings. */
export function aggregateOf(value: Compiled, { aggFn, level }: Aggregation, budget: Budget): () => Accumulator {
  if (aggFn === 'count') return countAccumulator
  if (aggFn === 'count_distinct') return () => distinctAccumulator(value, budget)
  if (aggFn === 'any') return () => anyAccumulator(value, budget)
  const make = numberAccumulators[aggFn]
  if (!make) throw new InvalidQuery(`Expected an aggregate, but "${aggFn}" is none`)
  return () => make(value, level ?? 0.5)
}

function countAccumulator(): Accumulator {
  let count = 0
  return { add: () => void count++, result: () => String(count) }
}

function distinctAccumulator(value: Compiled, budget: Budget): Accumulator {
  const seen = new Set<Scalar>()
  const add = (row: number) => {
    const one = value.at(row)
    if (one === null) return
    const key = typeof one === 'object' ? JSON.stringify(one) : one
    if (seen.has(key)) return
    // Results that depend on one column are cached per distinct string.
    if (!value.column) budget.keep(key)
    seen.add(key)
  }
  return { add, result: () => String(seen.size) }
}

function anyAccumulator(value: Compiled, budget: Budget): Accumulator {
  let first: Scalar | undefined
  const add = (row: number) => {
    if (first !== undefined) return
    first = value.at(row) ?? undefined
    budget.keep(first)
  }
  return { add, result: () => jsonValue(value.type, first ?? null) }
}

/** An accumulator of one number; `step` receives undefined for the first value. */
const folding =
  (
    step: (current: number | undefined, next: number) => number,
    finish = (current: number, _count: number) => current,
  ) =>
  (value: Compiled): Accumulator => {
    let current: number | undefined
    let count = 0
    const add = (row: number) => {
      const next = value.at(row)
      if (typeof next !== 'number') return
      current = step(current, next)
      count++
    }
    return { add, result: () => jsonValue('Float64', current === undefined ? null : finish(current, count)) }
  }

/** Interpolates linearly between the two nearest ranks; NaN is ignored. */
function quantileAccumulator(value: Compiled, level: number): Accumulator {
  const numbers: number[] = []
  const add = (row: number) => {
    const next = value.at(row)
    if (typeof next === 'number' && !Number.isNaN(next)) numbers.push(next)
  }
  const result = () => {
    if (numbers.length === 0) return null
    const sorted = Float64Array.from(numbers).sort()
    const rank = level * (sorted.length - 1)
    const below = Math.floor(rank)
    const above = Math.min(below + 1, sorted.length - 1)
    return jsonValue('Float64', sorted[below]! * (below + 1 - rank) + sorted[above]! * (rank - below))
  }
  return { add, result }
}

const numberAccumulators: Readonly<Record<string, (value: Compiled, level: number) => Accumulator>> = {
  sum: folding((sum = 0, next) => sum + next),
  // NaN is ignored.
  min: folding((min, next) => (min === undefined || Number.isNaN(min) || next < min ? next : min)),
  max: folding((max, next) => (max === undefined || Number.isNaN(max) || next > max ? next : max)),
  last_value: folding((_, next) => next),
  avg: folding(
    (sum = 0, next) => sum + next,
    (sum, count) => sum / count,
  ),
  quantile: quantileAccumulator,
}
