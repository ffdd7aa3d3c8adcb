import type { Edition } from '../words/edition.ts'
import type { Source } from '../words/resources.ts'
import type { TelemetryKind } from './query/columns-of-kind.ts'
import type { Dialect } from './query/lucene-to-sql.ts'
import type { Metric, MetricType } from './query/metric.ts'
import { Unreadable } from './query/unreadable.ts'

export function kindOf(source: Source): TelemetryKind {
  if (source.kind === 'promql') throw new Unreadable('Expected a source with rows, but this one answers PromQL alone')
  return source.kind
}

export const bodyOfKind: Readonly<Record<TelemetryKind, string>> = {
  log: 'Body',
  trace: 'SpanName',
  metric: 'MetricName',
  session: 'Body',
}

/** Options of the search dialect. */
export interface DialectOptions {
  readonly edition: Edition
  /** Whether bare words search the body of the source. */
  readonly freeText: boolean
  /** Whether `level` and `service` stand for the severity and the service of the source. */
  readonly shortNames: boolean
}

export function dialectOf(source: Source, { edition, freeText, shortNames }: DialectOptions): Dialect {
  const kind = kindOf(source)
  const implicit = source.implicitColumnExpression || source.bodyExpression || bodyOfKind[kind]
  const level = source.severityTextExpression || (kind === 'log' || kind === 'session' ? 'SeverityText' : undefined)
  const service = source.serviceNameExpression || 'ServiceName'
  return { kind, edition, ...(freeText && { implicit }), ...(shortNames && { shortNames: { level, service } }) }
}

const chartable: ReadonlySet<string> = new Set<MetricType>(['gauge', 'sum', 'histogram', 'exponential histogram'])

/** The metric of a series: its name may be in `field`, and its table must be one of the source's. */
export function metricOf(
  source: Source,
  { metricName, field, metricType }: { metricName?: string; field?: string; metricType?: string },
  as: Metric['as'],
): Metric {
  const tables = Object.keys(source.metricTables ?? {})
  const name = metricName ?? field
  const raw = `no query support for metric type=${metricType}`
  if (!metricType || !tables.includes(metricType)) {
    const says = `Expected a metric type of this source: ${tables.join(', ')}`
    throw new Unreadable(says, 0, metricType && chartable.has(metricType) ? says : raw)
  }
  if (!chartable.has(metricType) || (as === '2.24' && metricType === 'exponential histogram')) {
    throw new Unreadable(`Expected a metric that can be charted, but the type ${metricType} cannot`, 0, raw)
  }
  if (!name) throw new Unreadable('Expected the name of a metric', 0, raw)
  return { name, type: metricType as MetricType, as }
}
