import type { Edition, GapId } from '../../fixtures/contract/index.ts'
import type { SavedSearch, Source } from '../words/resources.ts'
import type { TelemetryKind } from './query/columns-of-kind.ts'
import { InvalidQuery } from './query/invalid-query.ts'
import type { Dialect } from './query/lucene-to-sql.ts'
import {
  type Metric,
  type MetricType,
  planSeries,
  type SeriesPlan,
  type SeriesTexts,
  type Where,
} from './query/plan.ts'

export function kindOf(source: Source): TelemetryKind {
  if (source.kind === 'promql') throw new InvalidQuery('Expected a source with rows, but this one answers PromQL alone')
  return source.kind
}

export const bodyOfKind: Readonly<Record<TelemetryKind, string>> = {
  log: 'Body',
  trace: 'SpanName',
  metric: 'MetricName',
  session: 'Body',
}

export interface QueryChoices {
  readonly edition: Edition
  /** The choice for a gap; undefined for the default. */
  choice(gap: GapId): string | undefined
}

/** The search dialect of a source. Bare words search its implicit column, by default its body, or are refused. */
export function dialectOf(source: Source, { edition, choice }: QueryChoices, allowsBareWords = true): Dialect {
  const kind = kindOf(source)
  const implicitColumn = source.implicitColumnExpression || source.bodyExpression || bodyOfKind[kind]
  const level = source.severityTextExpression || (kind === 'log' || kind === 'session' ? 'SeverityText' : undefined)
  const service = source.serviceNameExpression || 'ServiceName'
  const hasShortNames = choice('chart/short-names') !== 'refuse'
  const shortNames = hasShortNames ? { level, service } : undefined
  return { kind, edition, implicitColumn: allowsBareWords ? implicitColumn : undefined, shortNames }
}

/** One series of a chart as it was requested, with the name and type of its metric. */
interface SeriesOfSource extends Omit<SeriesTexts, 'dialect' | 'metric'> {
  readonly metricName?: string
  readonly metricType?: string
}

/** Plans one series over a source, for API, tiles and alerts. Throws an InvalidQuery with the invalid part of the query. */
export function planSourceSeries(
  source: Source,
  { metricName, metricType, ...series }: SeriesOfSource,
  choices: QueryChoices,
  allowsBareWords = true,
): SeriesPlan {
  const edition = choices.choice('chart/metric-values') === '2.24' ? '2.24' : '2.36'
  const metric =
    source.kind === 'metric' ? metricOf(source, { metricName, field: series.field, metricType }, edition) : undefined
  return planSeries({ ...series, dialect: dialectOf(source, choices, allowsBareWords), metric })
}

const chartable: ReadonlySet<string> = new Set<MetricType>(['gauge', 'sum', 'histogram', 'exponential histogram'])

/** The metric of a series: its name may be in `field`, and the source must have a table for its type. */
function metricOf(
  source: Source,
  { metricName, field, metricType }: { metricName?: string; field?: string; metricType?: string },
  edition: Metric['edition'],
): Metric {
  const tables = Object.keys(source.metricTables ?? {})
  const name = metricName ?? field
  const raw = `no query support for metric type=${metricType}`
  if (!metricType || !tables.includes(metricType)) {
    const sentence = `Expected a metric type of this source: ${tables.join(', ')}`
    throw new InvalidQuery(sentence, 0, metricType && chartable.has(metricType) ? sentence : raw)
  }
  if (!chartable.has(metricType) || (edition === '2.24' && metricType === 'exponential histogram')) {
    throw new InvalidQuery(`Expected a metric that can be charted, but the type ${metricType} cannot`, 0, raw)
  }
  if (!name) throw new InvalidQuery('Expected the name of a metric', 0, raw)
  return { name, type: metricType as MetricType, edition }
}

/** A filter in addition to the text of a search. The API accepts SQL filters; the others come from the user interface. */
export type SearchFilter = SavedSearch['filters'][number]

/** The filter that a source of logs sets for all its searches, which alerts of 2.24 ignore; then those of one search. */
export const filtersOf = (
  { kind, tableFilterExpression: text }: Source,
  filters: readonly SearchFilter[] = [],
  edition: Edition = '2.36',
): readonly Where[] => [
  ...(edition !== '2.24' && kind === 'log' && typeof text === 'string' ? [{ text, language: 'sql' }] : []),
  ...filters.map(whereOf),
]

const whereOf = (filter: SearchFilter): Where =>
  filter.type === 'sql_ast'
    ? { text: `${filter.left} ${filter.operator} ${filter.right}`, language: 'sql' }
    : { text: filter.condition, language: filter.type }
