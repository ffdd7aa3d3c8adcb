import type { Source } from '../../words/resources.ts'
import { timeColumnOf } from '../query/columns-of-kind.ts'
import type { Expression } from '../query/expression.ts'
import type { Metric } from '../query/metric.ts'
import type { Range } from '../query/plan.ts'
import { Unreadable } from '../query/unreadable.ts'
import { kindOf } from '../source-terms.ts'
import { quoteName, type Statement } from './statement.ts'

/** The tables of a database, each with its columns and their types. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Where the rows of a source lie, or those of one type of metric. */
export interface Table {
  readonly name: string
  /** The quoted name, with that of the database. */
  readonly from: string
  /** The quoted column of the time of a row. */
  readonly time: string
  /** The same in epoch milliseconds. */
  readonly milliseconds: string
  /** Logs are sorted by a second column that has full seconds; partitions are days of it. */
  readonly hasSeconds: boolean
}

export function tableOf(database: string, tables: Tables, source: Source, metric?: Metric): Table {
  const kind = kindOf(source)
  const name = (metric ? source.metricTables?.[metric.type] : source.from.tableName) ?? ''
  const columns = tables.get(name)
  const time = timeColumnOf(kind)
  return {
    name,
    from: `${quoteName(database)}.${quoteName(name)}`,
    time: quoteName(time),
    milliseconds: writeMilliseconds(name, time, columns?.get(time)),
    hasSeconds: columns?.has('TimestampTime') ?? false,
  }
}

/** Collectors make columns of nanoseconds (`DateTime64(9)`) and of seconds (`DateTime`); only the former are read without a cast. */
function writeMilliseconds(table: string, column: string, type: string | undefined): string {
  const [, bare] = /^(?:(?:LowCardinality|Nullable)\()*(\w+)/.exec(type ?? '') ?? []
  // A table that was made after the start has no type here.
  if (bare !== undefined && !/^Date/.test(bare)) {
    throw new Unreadable(`Expected a time in the column ${column} of the table ${table}, but its type is ${type}`)
  }
  const name = quoteName(column)
  return `toUnixTimestamp64Milli(${bare === 'DateTime64' ? name : `toDateTime64(${name}, 3)`})`
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
