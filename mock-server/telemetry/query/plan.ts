import { refused } from '../../words/refusal.ts'
import { type Expression, nameOf } from './expression.ts'
import { parseLucene } from './lucene.ts'
import { type Dialect, luceneToSql } from './lucene-to-sql.ts'
import { checkAggregate, type Metric } from './metric.ts'
import { parseSql, parseSqlList } from './sql.ts'
import { inPart } from './unreadable.ts'

export interface Where {
  readonly text: string
  /** The search dialect unless it says `sql` or `promql`, which are both read as SQL. */
  readonly language?: string
}

/** Epoch milliseconds; both ends count. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** What is computed of the rows of a group. */
export interface Aggregation {
  readonly aggFn: string
  /** What is aggregated; a count and a metric need none. */
  readonly value?: Expression
  readonly level?: number
}

/** One series of a chart, whichever engine computes it. */
export interface SeriesPlan extends Range, Aggregation {
  /** Conditions, all of which hold. */
  readonly filters: readonly Expression[]
  readonly groupBy: readonly Expression[]
  /** Milliseconds; without it, the whole range is one bucket that begins at `start`. */
  readonly bucket?: number
  /** The points of one metric. */
  readonly metric?: Metric
  /** How many points there may be; more are refused. */
  readonly most?: number
}

/** One bucket and group: the values of the group are in the order of `groupBy`. */
export interface Point {
  readonly time: number
  readonly group: readonly unknown[]
  readonly value: unknown
}

export interface Order {
  readonly expression: Expression
  readonly isDescending: boolean
}

/** A page of the rows that a search finds. */
export interface RowsPlan extends Range {
  readonly filters: readonly Expression[]
  readonly columns: readonly Expression[]
  /** Without any, the newest rows come first. */
  readonly orderBy: readonly Order[]
  readonly limit: number
  readonly offset: number
}

/** A series in the words of whoever asks for it. */
export interface SeriesTexts extends Range {
  readonly aggFn: string
  /** The SQL expression of what is aggregated. */
  readonly field?: string
  readonly level?: number
  readonly where: Where
  /** Further filters, all of which hold. */
  readonly filters?: readonly Where[]
  readonly groupBy: readonly Expression[]
  readonly bucket?: number
  readonly dialect: Dialect
  readonly metric?: Metric
  readonly most?: number
}

/** A series has more points than it may have. */
export const tooManyPoints = (most: number) =>
  refused(`series: Expected at most ${most} points: ask for a shorter time, longer buckets or fewer groups`)

/** Reads the texts of a series; throws an Unreadable that names its part. Columns, functions and types are left to the engine. */
export function planSeries({ where, filters = [], field, dialect, ...series }: SeriesTexts): SeriesPlan {
  const { aggFn, metric } = series
  return {
    ...series,
    filters: inPart('where', () => planFilters([where, ...filters], dialect)),
    value: inPart('field', () => {
      if (metric) checkAggregate(metric, aggFn, series.level)
      return metric || needsNoValue.has(aggFn) ? undefined : parseSql(field ?? '')
    }),
  }
}

const needsNoValue: ReadonlySet<string> = new Set(['count', 'none', 'increase'])

/** The conditions of filters; those that ask for nothing have none. */
export const planFilters = (wheres: readonly Where[], dialect: Dialect): readonly Expression[] =>
  wheres.flatMap(where => planFilter(where, dialect) ?? [])

/** The condition of a filter; undefined when it asks for nothing. */
export function planFilter({ text, language = 'lucene' }: Where, dialect: Dialect): Expression | undefined {
  if (text.trim() === '') return undefined
  return language === 'lucene' ? luceneToSql(parseLucene(text), dialect) : parseSql(text)
}

/** The groups that texts stand for, one or several each, and the name of each in the database's answer. */
export function readGroups(texts: readonly string[]): { readonly groupBy: Expression[]; readonly names: string[] } {
  const groupBy = inPart('groupBy', () => texts.flatMap(parseSqlList))
  return { groupBy, names: groupBy.map(nameOf) }
}
