import { type Call, call, column, type Expression, nameOf, partsOf, replaceParts } from '../query/expression.ts'
import { InvalidQuery, inPart } from '../query/invalid-query.ts'
import type { Range } from '../query/plan.ts'
import { aggregateCall, hasAggregate, isStar, type SqlPlan } from '../query/raw-sql.ts'
import { type Accumulator, aggregateCompiled } from './aggregate.ts'
import { Budget } from './budget.ts'
import { compileGroupKey } from './chart-series.ts'
import { compileExpression, compileFilters, type Filter } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { isTrue } from './functions/lambda-functions.ts'
import { jsonValue } from './json-value.ts'
import type { RowStore } from './row-store.ts'
import { sort } from './search-rows.ts'
import { defaultOf, isFloat, isNullable, isNumeric, isTime, type Type, widthOf } from './types.ts'

/** The answer to raw SQL, with values as in JSON. */
export interface SqlAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** The rows of an answer by index, and how expressions over them are compiled. */
interface Rows {
  readonly indexes: readonly number[]
  compile(expression: Expression): Compiled
}

/** Answers a SELECT over the rows of a range. Throws an InvalidQuery. */
export function selectRows(store: RowStore, plan: SqlPlan, { start, end }: Range, budget = new Budget()): SqlAnswer {
  const filter = inPart('where', () => compileFilters(store, plan.filters, budget))
  const matches: number[] = []
  inPart('where', () => store.visit(start, end, row => void ((!filter || filter(row)) && matches.push(row))))
  const columns = plan.columns.flatMap(({ name, expression }) =>
    isStar(expression)
      ? store.columnNames.map(one => ({ name: one, expression: column(one) as Expression }))
      : [{ name, expression }],
  )
  const parts = [
    ...columns.map(one => one.expression),
    ...(plan.having ? [plan.having] : []),
    ...plan.orderBy.map(one => one.expression),
  ]
  const isAggregated = plan.groupBy !== undefined || parts.some(hasAggregate)
  const { indexes, compile } = isAggregated
    ? aggregate(store, matches, plan.groupBy ?? [], parts, budget)
    : { indexes: matches, compile: (one: Expression) => compileExpression(store, one, budget) }
  const values = columns.map(({ expression }) => compile(expression))
  const having = plan.having && compile(plan.having)
  const kept = having ? indexes.filter(row => isTrue(having.at(row))) : indexes
  const keys = plan.orderBy.map(({ expression }) => compile(expression))
  const sorted =
    keys.length > 0
      ? sort({ lines: kept, keys: row => keys.map(({ at }) => at(row)), time: () => 0 }, plan, budget)
      : kept
  const present = (row: number) => values.map(({ type, at }) => jsonValue(type, at(row)))
  const all = plan.isDistinct ? [...new Map(sorted.map(row => [JSON.stringify(present(row)), row])).values()] : sorted
  return {
    columns: columns.map(({ name }, at) => ({ name, type: values[at]!.type })),
    rows: all.slice(plan.offset, plan.limit === undefined ? undefined : plan.offset + plan.limit).map(present),
  }
}

/** Puts rows into groups, and aggregates them. The indexes are those of the groups. */
function aggregate(
  store: RowStore,
  matches: readonly number[],
  groupBy: readonly Expression[],
  parts: readonly Expression[],
  budget: Budget,
): Rows {
  const keys = groupBy.map(one => compileExpression(store, one, budget))
  const aggregates = new Map<string, Aggregate>()
  const findAggregates = (one: Expression) => {
    if (one.kind === 'call' && aggregateCall.test(one.name))
      aggregates.set(nameOf(one), aggregates.get(nameOf(one)) ?? compileAggregate(store, one, budget))
    else for (const part of partsOf(one)) findAggregates(part)
  }
  for (const one of parts) findAggregates(one)
  const create = (row: number) => ({ row, totals: [...aggregates.values()].map(one => one.create()) })
  const keyOf = compileGroupKey(keys, budget)
  const groups = new Map<Scalar, ReturnType<typeof create>>()
  // Without GROUP BY, there is one group even if there are no rows.
  if (groupBy.length === 0) groups.set(0, create(0))
  for (const row of matches) {
    const key = keyOf(row)
    let group = groups.get(key)
    if (!group) {
      budget.chargeMemory(key)
      group = create(row)
      groups.set(key, group)
    }
    for (const total of group.totals) total.add(row)
  }
  const list = [...groups.values()]
  const known = new Map<string, Compiled>()
  for (const [index, one] of groupBy.entries()) {
    const { type, at } = keys[index]!
    known.set(nameOf(one), { type, constant: false, at: group => at(list[group]!.row) })
  }
  for (const [index, [name, { type, read }]] of [...aggregates].entries())
    known.set(name, { type, constant: false, at: group => read(list[group]!.totals[index]!) })
  /** Each key and aggregate is a parameter, by its name. */
  const compile = (expression: Expression) => {
    const reduced = replaceParts(expression, one => {
      if (known.has(nameOf(one)) && one.kind !== 'literal') return column(nameOf(one), one.at)
      if (one.kind !== 'column') return undefined
      const raw = `Column \`${one.name}\` is not under aggregate function and not in GROUP BY keys`
      throw new InvalidQuery(
        `Expected a group or an aggregate, but "${one.name}" is neither`,
        one.at,
        raw,
        'NOT_AN_AGGREGATE',
      )
    })
    return compileExpression(store, reduced, budget, known)
  }
  return { indexes: list.map((_, index) => index), compile }
}

interface Aggregate {
  readonly type: Type
  create(): Accumulator
  read(total: Accumulator): Scalar
}

/** The aggregate functions of charts that compute those of SQL. */
const functionsOfCharts: Readonly<Record<string, string>> = {
  anylast: 'last_value',
  first_value: 'any',
  uniq: 'count_distinct',
  uniqexact: 'count_distinct',
  countdistinct: 'count_distinct',
  quantileexact: 'quantile',
  quantiletdigest: 'quantile',
  median: 'quantile',
}

function compileAggregate(store: RowStore, { name, args, at }: Call, budget: Budget): Aggregate {
  const [, base = '', isConditional, level] = aggregateCall.exec(name)!
  const lower = base.toLowerCase()
  const aggFn = functionsOfCharts[lower] ?? lower
  const isCount = aggFn === 'count' || aggFn === 'count_distinct'
  const [first] = isConditional ? args.slice(0, -1) : args
  if (!first && aggFn !== 'count') throw wrongArguments(name, at)
  const compiled = first && compileExpression(store, first, budget)
  const isNumber = compiled && (isNumeric(compiled.type) || (isTime(compiled.type) && !['sum', 'avg'].includes(aggFn)))
  if (compiled && !isCount && aggFn !== 'any' && !isNumber) {
    const raw = `Illegal type ${compiled.type} of argument for aggregate function ${base}`
    throw new InvalidQuery(
      `Expected a number for ${base}, but this is a ${compiled.type}`,
      at,
      raw,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  }
  const conditions = [
    ...(isConditional ? args.slice(-1) : []),
    ...(aggFn === 'count' && first ? [call('isNotNull', [first])] : []),
  ]
  const filter: Filter | undefined = compileFilters(store, conditions, budget)
  // Times stay numbers until they are answered.
  const value = compiled && (isNumber ? { ...compiled, type: 'Float64' } : compiled)
  const create = aggregateCompiled(value ?? noValue, { aggFn, level: level ? Number(level) : undefined }, budget)
  const type = typeOfAggregate(aggFn, compiled?.type ?? 'UInt64')
  const isFilled = isNumeric(type) || isTime(type)
  return {
    type,
    create() {
      const total = create()
      return filter ? { ...total, add: row => void (filter(row) && total.add(row)) } : total
    },
    read(total) {
      const result = total.result() ?? null
      if (result !== null) return isFilled ? Number(result) : (result as Scalar)
      return aggFn === 'avg' || aggFn === 'quantile' ? Number.NaN : defaultOf(type)
    },
  }
}

const noValue: Compiled = { type: 'UInt64', constant: true, at: () => 1 }

const wrongArguments = (name: string, at: number) =>
  new InvalidQuery(
    `Expected an argument of ${name}`,
    at,
    `Aggregate function ${name} requires single argument`,
    'NUMBER_OF_ARGUMENTS_DOESNT_MATCH',
  )

function typeOfAggregate(aggFn: string, type: Type): Type {
  if (aggFn === 'count' || aggFn === 'count_distinct') return 'UInt64'
  if (aggFn === 'avg' || aggFn === 'quantile') return isNullable(type) ? 'Nullable(Float64)' : 'Float64'
  if (aggFn !== 'sum') return type
  return isFloat(type) ? 'Float64' : widthOf(type)?.kind === 'Int' ? 'Int64' : 'UInt64'
}

/** The functions that are not greater than the time to which they are applied. */
const roundsDown = /^toStartOf|^to(?:DateTime(?:64)?|Date)$/

/** The range outside of which no row meets the conditions, as far as they compare the time of the row with a constant. */
export function timeRangeOf(store: RowStore, filters: readonly Expression[]): Range {
  let [start, end] = [0, Number.MAX_SAFE_INTEGER]
  const isTimeColumn = (one: Expression | undefined, mayBeRounded: boolean): boolean => {
    if (one?.kind === 'call' && mayBeRounded && roundsDown.test(one.name)) return isTimeColumn(one.args[0], true)
    return one?.kind === 'column' && new RegExp(`(?:^|\\.)(?:${store.timeColumn}|TimestampTime)$`).test(one.name)
  }
  for (const filter of filters) {
    if (filter.kind !== 'call') continue
    const [time, bound] = filter.args
    const isLower = /^greater(?:OrEquals)?$/.test(filter.name)
    if (!(isLower || /^less(?:OrEquals)?$/.test(filter.name)) || !isTimeColumn(time, isLower)) continue
    const { constant, type, at } = compileExpression(store, bound!)
    if (!constant || !isTime(type)) continue
    const limit = Number(at(0))
    if (isLower) start = Math.max(start, limit)
    // A column of full seconds may be less than the time of the row.
    else end = Math.min(end, limit + 1000)
  }
  return { start, end }
}
