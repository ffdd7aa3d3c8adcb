import type { Source } from '../../words/resources.ts'
import { timeColumnOf } from '../query/columns-of-kind.ts'
import type { Expression } from '../query/expression.ts'
import type { Metric } from '../query/metric.ts'
import type { Range } from '../query/plan.ts'
import { kindOf } from '../source-terms.ts'
import { quoteName, type Statement } from './statement.ts'

/** The tables of a database, each with the names of its columns. */
export type Tables = ReadonlyMap<string, ReadonlySet<string>>

/** Where the rows of a source lie, or those of one type of metric. */
export interface Table {
  readonly name: string
  /** The quoted name, with that of the database. */
  readonly from: string
  /** The quoted column of the time of a row. */
  readonly time: string
  /** Logs are sorted by a second column that has full seconds; partitions are days of it. */
  readonly hasSeconds: boolean
}

export function tableOf(database: string, tables: Tables, source: Source, metric?: Metric): Table {
  const kind = kindOf(source)
  const name = (metric ? source.metricTables?.[metric.type] : source.from.tableName) ?? ''
  return {
    name,
    from: `${quoteName(database)}.${quoteName(name)}`,
    time: quoteName(timeColumnOf(kind)),
    hasSeconds: tables.get(name)?.has('TimestampTime') ?? false,
  }
}

/** Seconds that the type of the second column can hold. */
const inSeconds = (milliseconds: number) => Math.min(Math.max(Math.floor(milliseconds / 1000), 0), 2 ** 32 - 1)

/**
 * From the table, the rows of a plan in its range of epoch milliseconds, both ends included, and for which these conditions
 * hold, too. Full seconds let whole partitions be left out.
 */
export function writeFrom(
  { from, time, hasSeconds }: Table,
  { start, end, filters }: Range & { readonly filters: readonly Expression[] },
  statement: Statement,
  more: readonly string[] = [],
): string {
  const moment = (at: number) => `fromUnixTimestamp64Milli(${statement.value(at, 'Int64')})`
  const second = (at: number) => `toDateTime(${statement.value(inSeconds(at), 'UInt32')})`
  const range = [`${time} >= ${moment(start)}`, `${time} <= ${moment(end)}`]
  if (hasSeconds) range.push(`TimestampTime >= ${second(start)}`, `TimestampTime <= ${second(end)}`)
  const conditions = [...more, ...range, ...filters.map(filter => statement.write(filter))]
  return `FROM ${from} WHERE ${conditions.map(one => `(${one})`).join(' AND ')}`
}
