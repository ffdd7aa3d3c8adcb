import { refused } from '../../words/refusal.ts'
import { type Aliases, type Expression, type LimitBy, nameOf, type Order, resolveAliases } from './expression.ts'
import { bucketOf, bucketSize } from './granularity.ts'
import { InvalidQuery, inPart } from './invalid-query.ts'
import { parseLucene } from './lucene.ts'
import { type Dialect, luceneToSql } from './lucene-to-sql.ts'
import { parseSql, parseSqlList } from './sql.ts'

export interface Where {
  readonly text: string
  /** `lucene` by default; `sql` and `promql` are both read as SQL. */
  readonly language?: string
}

/** A range in epoch milliseconds, both ends included. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The tables of a metric source that can be charted. */
export type MetricType = 'gauge' | 'sum' | 'histogram' | 'exponential histogram'

export interface Metric {
  readonly name: string
  readonly type: MetricType
  /** The edition whose computation applies. */
  readonly edition: '2.24' | '2.36'
}

export interface Aggregation {
  readonly aggFn: string
  readonly value?: Expression
  readonly level?: number
}

/** One series of a chart, for either engine. */
export interface SeriesPlan extends Range, Aggregation {
  readonly filters: readonly Expression[]
  readonly groupBy: readonly Expression[]
  /** Milliseconds; without it, the whole range is one bucket that begins at `start`. */
  readonly bucket?: number
  /** A second grid of buckets, shifted by this many milliseconds, which cuts the first one. */
  readonly cut?: number
  readonly metric?: Metric
  /**
   * Whether each bucket of a metric is computed as if it were queried alone, and is named by the start of the range if that
   * cuts it. External engines compute all in one query.
   */
  readonly isOneByOne?: boolean
  /** Points of a metric before this time are not read, by the start of the range; by default those before the previous bucket. */
  readonly pointsFrom?: (start: number) => number
  /** Limit of points; a series with more is refused. */
  readonly max?: number
}

/**
 * The points that a series reads of its metric, and the size of the buckets in which it reads them. A bucket is answered
 * only if it begins within the range. The increase in the first one needs the bucket before; the last one is read to its
 * end. Without buckets, the values of a gauge or sum are those of buckets of the size `auto`.
 */
export function pointsOf({ start, end, bucket }: SeriesPlan, { type }: Metric): Range & { readonly bucket?: number } {
  if (type === 'gauge') return { start, end, bucket: bucket ?? bucketSize('auto', start, end) }
  if (bucket) return { start: bucketOf(start, bucket) - bucket, end: bucketOf(end, bucket) + bucket, bucket }
  return { start, end, bucket: type === 'sum' ? bucketSize('auto', start, end) : undefined }
}

/** One bucket and group: the values of the group are in the order of `groupBy`. */
export interface Point {
  readonly time: number
  readonly group: readonly unknown[]
  readonly value: unknown
}

/** One page of the rows that a search matches. */
export interface RowsPlan extends Range {
  readonly filters: readonly Expression[]
  readonly columns: readonly Expression[]
  /** Rows with equal values become one. Without it, they all do if a column or the order has an aggregate. */
  readonly groupBy?: readonly Expression[]
  readonly having?: Expression
  /** Whether equal rows are answered once. */
  readonly isDistinct?: boolean
  readonly limitBy?: LimitBy
  /** A search without an order has the newest rows first. */
  readonly orderBy: readonly Order[]
  readonly limit: number
  readonly offset: number
  /** How the values are written: as in JSON answers by default. External engines have that alone. */
  readonly format?: 'csv'
}

/** A series as requested, with texts that are not yet parsed. */
export interface SeriesTexts extends Omit<SeriesPlan, 'filters' | 'value'> {
  /** The SQL expression that is aggregated. */
  readonly field?: string
  readonly where: Where
  readonly filters?: readonly Where[]
  /** Names that filters and groups may use for expressions. */
  readonly aliases?: Aliases
  readonly dialect: Dialect
}

export const tooManyPoints = (max: number) =>
  refused(`series: Expected at most ${max} points: ask for a shorter time, longer buckets or fewer groups`)

/** Parses the texts of a series. Throws an InvalidQuery with the invalid part. The engine checks columns and types later. */
export function planSeries({ where, filters = [], field, aliases, dialect, ...series }: SeriesTexts): SeriesPlan {
  const { aggFn, metric } = series
  return {
    ...series,
    filters: inPart('where', () => planFilters([where, ...filters], dialect, aliases)),
    groupBy: series.groupBy.map(group => resolveAliases(group, aliases)),
    value: inPart('field', () => {
      if (metric) checkMetricFunction(metric, series)
      return metric || needsNoValue.has(aggFn) ? undefined : parseSql(field ?? '')
    }),
  }
}

const needsNoValue: ReadonlySet<string> = new Set(['count', 'none', 'increase'])

/** Refuses the aggregate functions of metrics, for a source of another kind. */
export function refuseMetricFunction(aggFn: string): void {
  if (aggFn === 'none') throw new InvalidQuery('Expected an aggregate, but "none" leaves the rows as they are')
  if (aggFn === 'increase')
    throw new InvalidQuery('Expected the counter of a metric source, which alone has an increase')
}

/** Refuses aggregate functions that metrics of this type do not have. */
function checkMetricFunction({ type }: Metric, { aggFn, level }: Aggregation): void {
  if (type === 'gauge' && aggFn === 'increase')
    throw new InvalidQuery('Expected a metric of the type sum, which alone has an increase')
  if (!type.endsWith('histogram') || aggFn === 'count') return
  if (aggFn === 'quantile') {
    if (level === undefined) throw new InvalidQuery('Expected a level: a quantile of a histogram has no default')
    return
  }
  const sentence = `Expected quantile or count of a metric of the type ${type}, which has no "${aggFn}"`
  const raw =
    type === 'histogram'
      ? `${aggFn} is not supported for histograms currently`
      : `${aggFn} is not currently supported for exponential histogram metrics`
  throw new InvalidQuery(sentence, 0, raw)
}

export const planFilters = (wheres: readonly Where[], dialect: Dialect, aliases?: Aliases): readonly Expression[] =>
  wheres.flatMap(where => planFilter(where, dialect) ?? []).map(filter => resolveAliases(filter, aliases))

/** The condition of a filter; undefined if it has no terms. */
export function planFilter({ text, language = 'lucene' }: Where, dialect: Dialect): Expression | undefined {
  if (text.trim() === '') return undefined
  return language === 'lucene' ? luceneToSql(parseLucene(text), dialect) : parseSql(text)
}

/** Parses texts that may each have several groups, and names each group as the answer of the database does. */
export function readGroups(texts: readonly string[]): { readonly groupBy: Expression[]; readonly names: string[] } {
  const groupBy = inPart('groupBy', () => texts.flatMap(parseSqlList))
  return { groupBy, names: groupBy.map(nameOf) }
}
