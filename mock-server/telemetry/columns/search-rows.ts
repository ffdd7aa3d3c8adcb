import type { Expression, Order } from '../query/expression.ts'
import { inPart } from '../query/invalid-query.ts'
import type { RowsPlan } from '../query/plan.ts'
import { joinArrays } from './array-join.ts'
import { Budget } from './budget.ts'
import { compileExpression, compileFilters } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { createCsvWriter } from './csv-value.ts'
import { order as orderOf } from './functions/compare-functions.ts'
import { aggregateRows, isAggregated } from './group-rows.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'
import type { Type } from './types.ts'

/** One page of the rows that a search matches, as JSON values. Throws an InvalidQuery that names the part of the query. */
export function searchRows(store: RowStore, search: RowsPlan, budget = new Budget()): readonly (readonly unknown[])[] {
  const { types, rows } = selectRows(store, search, budget)
  const writers = types.map(type =>
    search.format === 'csv' ? createCsvWriter(type, budget) : (value: Scalar) => jsonValue(type, value),
  )
  return inPart('select', () => rows.map(row => row.map((value, index) => writers[index]!(value))))
}

/** The rows of a query before they are sorted, by number: those of the store, their lines by `arrayJoin`, or groups. */
export interface Lines {
  readonly types: readonly Type[]
  readonly lines: readonly number[]
  show(line: number): readonly Scalar[]
  keys(line: number): readonly Scalar[]
  /** Without an order, the newest lines come first. */
  time(line: number): number
}

/** The rows that a query matches, and the compiler of expressions for them. */
export interface Matches {
  readonly lines: readonly number[]
  compile(expression: Expression): Compiled
  time(line: number): number
}

/** One page of the rows of a query, and the types of its columns. */
export function selectRows(store: RowStore, plan: RowsPlan, budget: Budget) {
  const expressions = [...plan.filters, ...plan.columns, ...plan.orderBy.map(({ expression }) => expression)]
  const matches = findMatches(store, plan, expressions, budget)
  const result = isAggregated(plan) ? aggregateRows(matches, plan, budget) : rowsOf(matches, plan)
  const sorted = inPart('orderBy', () => sort(result, plan, budget))
  const show = (line: number) => {
    const values = result.show(line)
    for (const value of values) budget.chargeMemory(value)
    return values
  }
  const different = plan.isDistinct ? inPart('select', () => withoutRepeated(sorted, show)) : sorted
  const page = different.slice(plan.offset, plan.offset + plan.limit)
  return { types: result.types, rows: inPart('select', () => page.map(show)) }
}

function findMatches(
  store: RowStore,
  { start, end, filters }: RowsPlan,
  expressions: readonly Expression[],
  budget: Budget,
): Matches {
  const join = joinArrays(store, expressions, budget)
  const compileRow = (expression: Expression) =>
    compileExpression(store, join ? join.replace(expression) : expression, budget)
  const filter = inPart('where', () => compileFilters(store, join ? filters.map(join.replace) : filters, budget))
  const rows: number[] = []
  const elements: (readonly Scalar[])[] = []
  const visitRow = (row: number) => {
    if (!join) return !filter || filter(row) ? void rows.push(row) : undefined
    join.visit(row, joined => {
      if (!filter || filter(row)) elements[rows.push(row) - 1] = joined
    })
  }
  inPart('where', () => store.visit(start, end, visitRow))
  if (!join) return { lines: rows, compile: compileRow, time: line => store.times[line]! }
  return {
    lines: [...rows.keys()],
    compile(expression) {
      const { type, constant, at } = compileRow(expression)
      const atLine = (line: number) => {
        join.select(elements[line] ?? [])
        return at(rows[line]!)
      }
      return { type, constant, at: atLine }
    },
    time: line => store.times[rows[line]!]!,
  }
}

function rowsOf({ lines, compile, time }: Matches, { columns, orderBy }: RowsPlan): Lines {
  const shown = inPart('select', () => columns.map(compile))
  const sortKeys = inPart('orderBy', () => orderBy.map(({ expression }) => compile(expression)))
  return {
    types: shown.map(({ type }) => type),
    lines,
    time,
    show: line => shown.map(({ at }) => at(line)),
    keys: line => sortKeys.map(({ at }) => at(line)),
  }
}

/** Of lines with equal values, only the first. */
function withoutRepeated(lines: readonly number[], show: (line: number) => unknown): readonly number[] {
  const seen = new Set<string>()
  return lines.filter(line => {
    const key = JSON.stringify(show(line))
    return !seen.has(key) && seen.add(key)
  })
}

export function sort(
  { lines, keys, time }: Pick<Lines, 'lines' | 'keys' | 'time'>,
  { orderBy }: Pick<RowsPlan, 'orderBy'>,
  budget: Budget,
): readonly number[] {
  if (orderBy.length === 0) return lines.toSorted((a, b) => time(b) - time(a))
  budget.spend(lines.length * orderBy.length)
  const values = new Map(lines.map(line => [line, keys(line)]))
  return lines.toSorted((a, b) => {
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
  return isDescending ? orderOf(b, a) : orderOf(a, b)
}
