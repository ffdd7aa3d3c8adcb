import type { Source } from '../../words/resources.ts'
import { timeColumnOf } from '../query/columns-of-kind.ts'
import type { Expression } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import type { Metric, Range } from '../query/plan.ts'
import { kindOf } from '../source-terms.ts'
import { quoteName, type Statement } from './statement.ts'

/** The tables of a database with their columns and types. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface Table {
  readonly name: string
  /** Quoted, and qualified by the database. */
  readonly from: string
  /** The quoted time column. */
  readonly time: string
  /** An expression for the time in epoch milliseconds. */
  readonly milliseconds: string
  /** Whether there is `TimestampTime`, the time in full seconds. Log tables are sorted by it and partitioned by day. */
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

/** Time columns are `DateTime64` or `DateTime`. Only `DateTime64` can be read without a cast. */
function writeMilliseconds(table: string, column: string, type: string | undefined): string {
  const [, baseType] = /^(?:(?:LowCardinality|Nullable)\()*(\w+)/.exec(type ?? '') ?? []
  // The type is unknown for a table that was created after the start.
  if (baseType !== undefined && !/^Date/.test(baseType)) {
    throw new InvalidQuery(`Expected a time in the column ${column} of the table ${table}, but its type is ${type}`)
  }
  const name = quoteName(column)
  return `toUnixTimestamp64Milli(${baseType === 'DateTime64' ? name : `toDateTime64(${name}, 3)`})`
}

/** Converts to full seconds within the limits of a DateTime column. */
const toSeconds = (milliseconds: number) => Math.min(Math.max(Math.floor(milliseconds / 1000), 0), 2 ** 32 - 1)

/** Writes FROM and WHERE for the rows of a range, both ends included. The condition on full seconds skips partitions. */
export function writeFrom(
  { from, time, hasSeconds }: Table,
  { start, end, filters }: Range & { readonly filters: readonly Expression[] },
  statement: Statement,
  extraConditions: readonly string[] = [],
): string {
  const writeMoment = (at: number) => `fromUnixTimestamp64Milli(${statement.value(at, 'Int64')})`
  const writeSecond = (at: number) => `toDateTime(${statement.value(toSeconds(at), 'UInt32')})`
  const range = [`${time} >= ${writeMoment(start)}`, `${time} <= ${writeMoment(end)}`]
  if (hasSeconds) range.push(`TimestampTime >= ${writeSecond(start)}`, `TimestampTime <= ${writeSecond(end)}`)
  const conditions = [...extraConditions, ...range, ...filters.map(filter => statement.write(filter))]
  return `FROM ${from} WHERE ${conditions.map(condition => `(${condition})`).join(' AND ')}`
}
