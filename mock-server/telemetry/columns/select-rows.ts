import { type Call, type Expression, nameOf, type Order, partsOf, replaceParts } from '../query/expression.ts'
import { InvalidQuery, inPart } from '../query/invalid-query.ts'
import type { RowsPlan } from '../query/plan.ts'
import { joinArrays } from './array-join.ts'
import type { Budget } from './budget.ts'
import { compileExpression, compileFilters } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { type Accumulator, type Aggregate, isAggregate, prepareAggregate } from './functions/aggregate-functions.ts'
import { order as orderOf } from './functions/compare-functions.ts'
import { isTrue } from './functions/lambda-functions.ts'
import { createGroups } from './groups.ts'
import type { RowStore } from './row-store.ts'
import type { Type } from './types.ts'

/** The types of the columns, and the rows. */
export interface Rows {
  readonly types: readonly Type[]
  readonly rows: readonly (readonly Scalar[])[]
}

/** The rows of a query before they are sorted, by number: those of the store, their lines by `arrayJoin`, or groups. */
interface Lines {
  readonly lines: readonly number[]
  compile(expression: Expression): Compiled
}

const hasAggregate = (expression: Expression): boolean =>
  (expression.kind === 'call' && isAggregate(expression.name)) || partsOf(expression).some(hasAggregate)

const expressionsOf = ({ columns, having, orderBy }: RowsPlan): readonly Expression[] => [
  ...columns,
  ...(having ? [having] : []),
  ...orderBy.map(({ expression }) => expression),
]

/** Whether the rows of a query become groups. */
export const isAggregated = (plan: RowsPlan): boolean =>
  plan.groupBy !== undefined || expressionsOf(plan).some(hasAggregate)

/** Columns without aggregates, by which GROUP BY ALL groups. */
export const withoutAggregate = (expression: Expression): boolean => !hasAggregate(expression)

/** One page of the rows of a query. Throws an InvalidQuery that names the part of the query. */
export function selectRows(store: RowStore, plan: RowsPlan, budget: Budget): Rows {
  const matches = findMatches(store, plan, budget)
  const { lines, compile } = isAggregated(plan) ? groupLines(store, matches, plan, budget) : matches
  const columns = inPart('select', () => plan.columns.map(compile))
  const keys = inPart('orderBy', () => plan.orderBy.map(({ expression }) => compile(expression)))
  const having = plan.having && compile(plan.having)
  const kept = having ? lines.filter(line => isTrue(having.at(line))) : lines
  const sorted = inPart('orderBy', () => sort(kept, keys, plan.orderBy, budget))
  const show = (line: number) =>
    columns.map(({ at }) => {
      const value = at(line)
      budget.chargeMemory(value)
      return value
    })
  const { limitBy } = plan
  const different = plan.isDistinct ? inPart('select', () => keepRanks(sorted, show, 0, 1)) : sorted
  const shares = limitBy?.columns.map(compile) ?? []
  const shareOf = (line: number) => shares.map(({ at }) => at(line))
  const limited = limitBy ? keepRanks(different, shareOf, limitBy.offset, limitBy.limit) : different
  const page = limited.slice(plan.offset, plan.offset + plan.limit)
  return { types: columns.map(({ type }) => type), rows: inPart('select', () => page.map(show)) }
}

function findMatches(store: RowStore, plan: RowsPlan, budget: Budget): Lines {
  const { start, end, filters } = plan
  const join = joinArrays(store, [...filters, ...(plan.groupBy ?? []), ...expressionsOf(plan)], budget)
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
  if (!join) return { lines: rows, compile: compileRow }
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
  }
}

/** One line for each group of the matching rows: one for all of them without `groupBy`. */
function groupLines(store: RowStore, { lines, compile }: Lines, plan: RowsPlan, budget: Budget): Lines {
  const { groupBy = [] } = plan
  const keys = inPart('groupBy', () => groupBy.map(compile))
  const aggregates = new Map<string, Aggregate>()
  const prepare = (expression: Expression, part: string): void => {
    if (expression.kind !== 'call' || !isAggregate(expression.name))
      for (const one of partsOf(expression)) prepare(one, part)
    else if (!aggregates.has(nameOf(expression))) {
      const aggregate = inPart(part, () => prepareCall(expression, compile, budget))
      aggregates.set(nameOf(expression), aggregate)
    }
  }
  for (const one of plan.columns) prepare(one, 'select')
  for (const one of expressionsOf(plan)) prepare(one, 'orderBy')
  const all = [...aggregates.values()]
  const groups = createGroups(keys, () => all.map(one => one.create()), budget)
  if (keys.length === 0) groups.find(0, 0)
  budget.spend(lines.length * (1 + all.length))
  for (const line of lines) for (const total of groups.find(0, line)) total.add(line)

  const given = new Map<string, Compiled>()
  for (const [index, one] of groupBy.entries())
    given.set(nameOf(one), { type: keys[index]!.type, constant: false, at: group => groups.all[group]!.key[index]! })
  for (const [index, [name, { type }]] of [...aggregates].entries()) {
    const at = (group: number) => (groups.all[group]!.total[index] as Accumulator).result()!
    given.set(name, { type, constant: false, at })
  }
  const compileGroup = (expression: Expression) => {
    const replaced = replaceParts(expression, part => {
      const values = part.kind === 'literal' ? undefined : given.get(nameOf(part))
      if (values) return { kind: 'given', values, name: nameOf(part), at: part.at }
      if (part.kind !== 'column') return undefined
      // The database looks for the column first.
      compile(part)
      const raw = `Column \`${part.name}\` is not under aggregate function and not in GROUP BY keys`
      const sentence = `Expected a group or an aggregate, but "${part.name}" is neither`
      throw new InvalidQuery(sentence, part.at, raw, 'NOT_AN_AGGREGATE')
    })
    return compileExpression(store, replaced, budget)
  }
  return { lines: [...groups.all.keys()], compile: compileGroup }
}

function prepareCall({ name, args, params, at }: Call, compile: Lines['compile'], budget: Budget): Aggregate {
  try {
    return prepareAggregate(
      name,
      args.map(compile),
      budget,
      params?.map(one => Number(compile(one).at(0))),
    )
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    throw error.with({ at: error.at || at, raw: error.raw.replaceAll('{}', name) })
  }
}

/** Of lines with equal values, those after the first `offset`, and at most `limit` of them. */
function keepRanks(lines: readonly number[], show: (line: number) => unknown, offset: number, limit: number) {
  const ranks = new Map<string, number>()
  return lines.filter(line => {
    const key = JSON.stringify(show(line))
    const rank = ranks.get(key) ?? 0
    ranks.set(key, rank + 1)
    return rank >= offset && rank < offset + limit
  })
}

function sort(
  lines: readonly number[],
  keys: readonly Compiled[],
  orderBy: readonly Order[],
  budget: Budget,
): readonly number[] {
  if (keys.length === 0) return lines
  budget.spend(lines.length * keys.length)
  const values = keys.map(({ at }) => {
    const ofKey: Scalar[] = []
    for (const line of lines) ofKey[line] = at(line)
    return ofKey
  })
  const compareAt = (a: number, b: number) => {
    for (let index = 0; index < values.length; index++) {
      const difference = compare(values[index]![a]!, values[index]![b]!, orderBy[index]!)
      if (difference !== 0) return difference
    }
    return 0
  }
  return lines.toSorted(compareAt)
}

/** NaN counts as NULL. */
function compare(a: Scalar, b: Scalar, { isDescending, areNullsFirst }: Order): number {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = isDescending ? b - a : a - b
    if (!Number.isNaN(difference)) return difference
  }
  const [isNoA, isNoB] = [a, b].map(one => one === null || Number.isNaN(one))
  if (isNoA || isNoB) return isNoA === isNoB ? 0 : isNoA === areNullsFirst ? -1 : 1
  return isDescending ? orderOf(b, a) : orderOf(a, b)
}
