import type { Source } from '../../words/resources.ts'
import { type Expression, partsOf, value } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { splitList } from './split-list.ts'
import { parseSqlStatement } from './sql.ts'

/** The values that deployments send with raw SQL, by name. */
export type SqlValues = Readonly<Record<string, number>>

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

/** The value of a parameter. Throws an InvalidQuery if it has none. */
export function valueOfParameter(name: string, values: SqlValues, at: number): Expression {
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
export const conditionsOf = (one: Expression): readonly Expression[] =>
  one.kind === 'call' && one.name === 'and' ? one.args.flatMap(conditionsOf) : [one]

/**
 * Whether one query over several buckets answers for each of them what a query of it alone would: its range is used only
 * to compare times with, and it groups by the bucket.
 */
export function canSpanBuckets(sql: string): boolean {
  const { selects } = parseSqlStatement(sql)
  const { where, columns, groupBy, having, limit, limitBy, orderBy, from, queries } = selects[0]!
  const some = (one: Expression, holds: (part: Expression) => boolean): boolean =>
    holds(one) || partsOf(one).some(part => some(part, holds))
  const mentions = (one: Expression, name: RegExp) => some(one, part => part.kind === 'column' && name.test(part.name))
  const ofRange = /^\{(?:start|end)DateMilliseconds\}$/
  const isRange = (one: Expression) =>
    one.kind === 'call' && /^(?:greaterOrEquals|less|lessOrEquals)$/.test(one.name) && !mentions(one.args[0]!, ofRange)
  const others = [...columns, ...(groupBy === 'all' ? [] : (groupBy ?? [])), ...(having ? [having] : [])]
  const sorted = orderBy.map(({ expression }) => expression)
  const hasQuery = [...where, ...others, ...sorted].some(one => some(one, part => part.kind === 'query'))
  const isPlain = selects.length === 1 && from?.name && queries.length === 0 && !limitBy && limit === undefined
  return (
    Boolean(isPlain) &&
    !hasQuery &&
    groupBy !== undefined &&
    where.flatMap(conditionsOf).every(one => isRange(one) || !mentions(one, ofRange)) &&
    others.some(one => mentions(one, /^\{interval(?:Seconds|Milliseconds)\}$/)) &&
    ![...others, ...sorted].some(one => mentions(one, ofRange))
  )
}
