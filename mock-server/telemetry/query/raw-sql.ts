import type { Source } from '../../words/resources.ts'
import { type Expression, nameOf, type Order, partsOf, replaceParts, value } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { splitList } from './split-list.ts'
import { parseSqlStatement, type Star, type Statement } from './sql.ts'

/** The values that deployments send with raw SQL, by name. */
export type SqlValues = Readonly<Record<string, number>>

/** A SELECT over one table, without aliases. */
export interface SqlPlan extends Pick<Statement, 'table' | 'isDistinct' | 'orderBy' | 'limit' | 'offset' | 'having'> {
  /** The columns of the answer; `*` stands for those of the table. */
  readonly columns: readonly { readonly name: string; readonly expression: Expression | Star }[]
  readonly filters: readonly Expression[]
  /** Undefined without GROUP BY. */
  readonly groupBy?: readonly Expression[]
}

const [start, end, seconds, milliseconds] = [
  'startDateMilliseconds',
  'endDateMilliseconds',
  'intervalSeconds',
  'intervalMilliseconds',
].map(name => `{${name}:Int64}`) as [string, string, string, string]

const moment = (time: string) => `fromUnixTimestamp64Milli(${time})`
const second = (time: string) => `toDateTime(${moment(time)})`
const date = (time: string) => `toDate(${moment(time)})`
const within = (column: string, convert: (time: string) => string) =>
  `${column} >= ${convert(start)} AND ${column} <= ${convert(end)}`
const dateAndTime = (day: string, time: string) => `(${within(day, date)}) AND (${within(time, second)})`

/** The macros of deployments: each takes as many arguments as its function. */
const macros: Readonly<Record<string, (...args: string[]) => string>> = {
  fromTime: () => second(start),
  toTime: () => second(end),
  fromTime_ms: () => moment(start),
  toTime_ms: () => moment(end),
  timeFilter: column => within(column!, second),
  timeFilter_ms: column => within(column!, moment),
  dateFilter: column => within(column!, date),
  dateTimeFilter: dateAndTime as (...args: string[]) => string,
  dt: dateAndTime as (...args: string[]) => string,
  timeInterval: column => `toStartOfInterval(toDateTime(${column}), INTERVAL ${seconds} second)`,
  timeInterval_ms: column => `toStartOfInterval(toDateTime64(${column}, 3), INTERVAL ${milliseconds} millisecond)`,
  interval_s: () => seconds,
  // The filters of a dashboard do not apply to its alerts.
  filters: () => '(1=1)',
}

/** Replaces the macros of raw SQL. Throws an Error with the sentence of deployments. */
export function expandMacros(sql: string, source: Source | undefined): string {
  let expanded = ''
  let at = 0
  for (const { index, 0: token, 1: name = '' } of sql.matchAll(/\$__(\w+)/g)) {
    const macro = macros[name]
    if (index < at || !(macro || name === 'sourceTable')) continue
    const from = index + token.length
    const to = sql[from] === '(' && (!macro || macro.length > 0) ? endOfBrackets(sql, from) : from
    const args = splitList(sql.slice(from + 1, to - 1)).map(arg => expandMacros(arg, source))
    if (macro && args.length !== macro.length)
      throw new Error(`Macro '${name}' expects ${macro.length} argument(s), but got ${args.length}`)
    expanded += sql.slice(at, index) + (macro ? macro(...args) : writeTable(args, source))
    at = to
  }
  return expanded + sql.slice(at)
}

/** The end of the brackets that open at a position. */
function endOfBrackets(sql: string, from: number): number {
  let depth = 0
  for (const { index, 0: piece } of sql.slice(from).matchAll(/'(?:[^'\\]|\\[\s\S])*'|[\s\S]/g)) {
    if (piece === '(') depth++
    if (piece === ')' && --depth === 0) return from + index + 1
  }
  throw new Error('Failed to parse macro arguments')
}

function writeTable([metricType, ...more]: readonly string[], source: Source | undefined): string {
  if (more.length > 0) throw new Error(`Macro 'sourceTable' expects 0-1 argument(s), but got ${more.length + 1}`)
  if (!source) throw new Error("Macro '$__sourceTable' requires a source to be selected")
  const { databaseName, tableName } = source.from
  const tables: Readonly<Record<string, string | null | undefined>> | undefined = source.metricTables ?? undefined
  if (metricType === undefined && tables)
    throw new Error("Macro '$__sourceTable(metricType)' requires a metricType when a metrics source is selected")
  if (metricType !== undefined && !tables)
    throw new Error(
      "Macro '$__sourceTable(metricType)' with a metric type argument requires a metrics source to be selected",
    )
  const table = metricType === undefined ? tableName : tables![metricType]
  if (!table)
    throw new Error(`Macro '$__sourceTable(metricType)': No table configured for metric type '${metricType}'.`)
  return `\`${databaseName}\`.\`${table}\``
}

/** Plans a SELECT whose macros are replaced. */
export function planStatement(sql: string, values: SqlValues): SqlPlan {
  const { aliases, columns, where, groupBy, having, orderBy, ...rest } = parseSqlStatement(sql)
  const named = new Map<string, Expression>()
  const findAliases = (one: Expression) => {
    if (one.kind === 'alias') named.set(one.name, one.expression)
    for (const part of partsOf(one)) findAliases(part)
  }
  for (const one of [...aliases, ...columns]) findAliases(one)
  const resolve = (expression: Expression, busy: readonly string[] = []): Expression =>
    replaceParts(expression, part => {
      if (part.kind === 'alias') return resolve(part.expression, [...busy, part.name])
      if (part.kind !== 'column') return undefined
      const name = /^\{(\w+)\}$/.exec(part.name)?.[1]
      if (name !== undefined) return valueOfParameter(name, values, part.at)
      const meant = busy.includes(part.name) ? undefined : named.get(part.name)
      return meant && resolve(meant, [...busy, part.name])
    })
  const resolved = columns.map(one => ({ name: nameOf(one), expression: isStar(one) ? one : resolve(one) }))
  /** A number in GROUP BY or ORDER BY is the place of a column. */
  const columnOf = (one: Expression): Expression => {
    const place = one.kind === 'literal' && typeof one.value === 'number' ? one.value : undefined
    return (place !== undefined && resolved[place - 1]?.expression) || resolve(one)
  }
  const keys = groupBy === 'all' ? resolved.map(one => one.expression).filter(one => !hasAggregate(one)) : groupBy
  return {
    ...rest,
    columns: resolved,
    filters: where.flatMap(one => conditionsOf(resolve(one))),
    groupBy: groupBy === 'all' ? keys : keys?.map(columnOf),
    having: having && resolve(having),
    orderBy: orderBy.map((order): Order => ({ ...order, expression: columnOf(order.expression) })),
  }
}

export const isStar = (one: Expression | Star): one is Star => 'except' in one

function valueOfParameter(name: string, values: SqlValues, at: number): Expression {
  const known = values[name]
  if (known !== undefined) return value(known, at)
  const raw = `Substitution \`${name}\` is not set`
  throw new InvalidQuery(
    `Expected a query without {${name}}, which has no value here`,
    at,
    raw,
    'UNKNOWN_QUERY_PARAMETER',
  )
}

/** The parts of a condition that must all be met. */
const conditionsOf = (one: Expression): readonly Expression[] =>
  one.kind === 'call' && one.name === 'and' ? one.args.flatMap(conditionsOf) : [one]

/** Aggregate functions, perhaps with parameters, and with a condition as the last argument: `quantileIf(0.95)`. */
export const aggregateCall =
  /^(count|sum|avg|min|max|any|anyLast|first_value|last_value|uniq|uniqExact|countDistinct|quantile|quantileExact|quantileTDigest|median)(If)?(?:\((.*)\))?$/i

export const hasAggregate = (one: Expression): boolean =>
  (one.kind === 'call' && aggregateCall.test(one.name)) || partsOf(one).some(hasAggregate)

/**
 * Whether one query over several buckets answers for each of them what a query of it alone would: its range is used only
 * to compare times with, and it groups by the bucket.
 */
export function canSpanBuckets(sql: string): boolean {
  const { where, columns, groupBy, having, limit, orderBy } = parseSqlStatement(sql)
  const mentions = (one: Expression, name: RegExp): boolean =>
    (one.kind === 'column' && name.test(one.name)) || partsOf(one).some(part => mentions(part, name))
  const ofRange = /^\{(?:start|end)DateMilliseconds\}$/
  const isRange = (one: Expression) =>
    one.kind === 'call' && /^(?:greaterOrEquals|less|lessOrEquals)$/.test(one.name) && !mentions(one.args[0]!, ofRange)
  const others = [...columns, ...(groupBy === 'all' ? [] : (groupBy ?? [])), ...(having ? [having] : [])]
  return (
    limit === undefined &&
    groupBy !== undefined &&
    where.flatMap(conditionsOf).every(one => isRange(one) || !mentions(one, ofRange)) &&
    others.some(one => mentions(one, /^\{interval(?:Seconds|Milliseconds)\}$/)) &&
    ![...others, ...orderBy.map(({ expression }) => expression)].some(one => mentions(one, ofRange))
  )
}
