import type { Edition } from '../words/edition.ts'
import type { Source } from '../words/resources.ts'
import type { TelemetryKind } from './columns-of-kind.ts'
import type { Dialect } from './lucene-to-sql.ts'
import { RowStore } from './row-store.ts'
import type { Telemetry } from './telemetry.ts'
import { Unreadable } from './unreadable.ts'

function kindOf(source: Source): TelemetryKind {
  if (source.kind === 'promql') throw new Unreadable('Expected a source with rows, but this one answers PromQL alone')
  return source.kind
}

/** The rows of a source: none, but with all its columns, when nothing was ever loaded. */
export function storeOf(telemetry: Telemetry, source: Source): RowStore {
  return telemetry.rows(source.id) ?? new RowStore(kindOf(source))
}

const bodyOfKind: Readonly<Record<TelemetryKind, string>> = {
  log: 'Body',
  trace: 'SpanName',
  metric: 'MetricName',
  session: 'Body',
}

/** What bare words are searched in, when they are searched at all. */
export function dialectOf(source: Source, edition: Edition, freeText: 'search' | 'refuse'): Dialect {
  const kind = kindOf(source)
  const implicit = source.implicitColumnExpression || source.bodyExpression || bodyOfKind[kind]
  return { kind, edition, ...(freeText === 'search' && { implicit }) }
}

/** Which metric a series asks for: the name may stand in `field`, and the table has to be one of the source's. */
export function metricOf(
  source: Source,
  { metricName, field, metricType }: { metricName?: string; field?: string; metricType?: string },
): { readonly name: string; readonly type: string } {
  const tables = Object.keys(source.metricTables ?? {})
  const type = metricType && tables.includes(metricType) ? metricType : undefined
  if (!type) throw new Unreadable(`Expected a metric type of this source: ${tables.join(', ')}`)
  const name = metricName ?? field
  if (!name) throw new Unreadable('Expected the name of a metric')
  return { name, type }
}
