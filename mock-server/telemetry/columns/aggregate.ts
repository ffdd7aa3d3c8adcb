import { call } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { type Aggregation, refuseMetricFunction } from '../query/plan.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'
import { isNumeric } from './types.ts'

/** The accumulator of one bucket and group. */
export interface Accumulator {
  add(row: number): void
  /** The value as in an answer: a count is a string, because it has 64 bits. Undefined yields no point. */
  result(): unknown
}

/** Compiles an aggregation for the rows of a store. The returned function creates an accumulator. */
export function compileAggregate(
  store: RowStore,
  { aggFn, value: expression, level }: Aggregation,
  budget = new Budget(),
): () => Accumulator {
  if (aggFn === 'count') return countAccumulator
  refuseMetricFunction(aggFn)
  const value = compileExpression(store, expression!, budget)
  if (aggFn === 'count_distinct' || aggFn === 'any') return aggregateCompiled(value, { aggFn, level }, budget)
  // The database reads the value as text, so that anything other than a number counts as 0, NULL included.
  const asNumber = call('toFloat64OrDefault', [call('toString', [expression!])])
  const number = isNumeric(value.type) ? value : compileExpression(store, asNumber, budget)
  return aggregateCompiled({ ...number, at: row => number.at(row) ?? 0 }, { aggFn, level }, budget)
}

/** Creates accumulators of compiled values. Only `count`, `any` and `count_distinct` take other values than numbers. */
export function aggregateCompiled(value: Compiled, { aggFn, level }: Aggregation, budget: Budget): () => Accumulator {
  if (aggFn === 'count') return countAccumulator
  if (aggFn === 'count_distinct') return () => distinctAccumulator(value, budget)
  if (aggFn === 'any') return () => anyAccumulator(value, budget)
  const create = numberAccumulators[aggFn]
  if (!create) throw new InvalidQuery(`Expected an aggregate, but "${aggFn}" is none`)
  return () => create(value, level ?? 0.5)
}

function countAccumulator(): Accumulator {
  let count = 0
  return { add: () => void count++, result: () => String(count) }
}

function distinctAccumulator(value: Compiled, budget: Budget): Accumulator {
  const seen = new Set<Scalar>()
  const add = (row: number) => {
    const current = value.at(row)
    if (current === null) return
    const key = typeof current === 'object' ? JSON.stringify(current) : current
    if (seen.has(key)) return
    // The results of an expression over one text column are in memory anyway, once per distinct text.
    if (!value.column) budget.chargeMemory(key)
    seen.add(key)
  }
  return { add, result: () => String(seen.size) }
}

function anyAccumulator(value: Compiled, budget: Budget): Accumulator {
  let first: Scalar | undefined
  const add = (row: number) => {
    if (first !== undefined) return
    first = value.at(row) ?? undefined
    budget.chargeMemory(first)
  }
  return { add, result: () => jsonValue(value.type, first ?? null) }
}

/** Defines an accumulator that folds numbers into one; `step` receives undefined as `current` for the first number. */
const defineNumberAccumulator =
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
  sum: defineNumberAccumulator((sum = 0, next) => sum + next),
  // NaN is ignored.
  min: defineNumberAccumulator((min, next) => (min === undefined || Number.isNaN(min) || next < min ? next : min)),
  max: defineNumberAccumulator((max, next) => (max === undefined || Number.isNaN(max) || next > max ? next : max)),
  last_value: defineNumberAccumulator((_, next) => next),
  avg: defineNumberAccumulator(
    (sum = 0, next) => sum + next,
    (sum, count) => sum / count,
  ),
  quantile: quantileAccumulator,
}
