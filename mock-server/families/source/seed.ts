import type { Source } from '../../words/resources.ts'

export interface SourceIds {
  readonly log: string
  readonly trace: string
  readonly metric: string
  readonly session: string
}

/** The four default sources of a deployment, on the OpenTelemetry tables. */
export function layOutSources(ids: SourceIds, connection: string): readonly Source[] {
  const source = (name: string, kind: keyof SourceIds, tableName: string, timestampValueExpression: string) => ({
    id: ids[kind],
    name,
    kind,
    connection,
    from: { databaseName: 'default', tableName },
    disabled: false,
    querySettings: [],
    timestampValueExpression,
    resourceAttributesExpression: 'ResourceAttributes',
  })
  /** The common fields of logs and traces. */
  const rows = {
    serviceNameExpression: 'ServiceName',
    displayedTimestampValueExpression: 'Timestamp',
    metricSourceId: ids.metric,
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
  }
  return [
    {
      ...source('Logs', 'log', 'otel_logs', 'Timestamp'),
      ...rows,
      defaultTableSelectExpression: 'Timestamp,ServiceName,SeverityText,Body',
      severityTextExpression: 'SeverityText',
      bodyExpression: 'Body',
      eventAttributesExpression: 'LogAttributes',
      traceSourceId: ids.trace,
      implicitColumnExpression: 'Body',
    },
    {
      ...source('Traces', 'trace', 'otel_traces', 'Timestamp'),
      ...rows,
      defaultTableSelectExpression: 'Timestamp,ServiceName,StatusCode,round(Duration/1e6),SpanName',
      durationExpression: 'Duration',
      durationPrecision: 9,
      parentSpanIdExpression: 'ParentSpanId',
      spanNameExpression: 'SpanName',
      spanKindExpression: 'SpanKind',
      logSourceId: ids.log,
      sessionSourceId: ids.session,
      statusCodeExpression: 'StatusCode',
      statusMessageExpression: 'StatusMessage',
      eventAttributesExpression: 'SpanAttributes',
      implicitColumnExpression: 'SpanName',
    },
    {
      ...source('Metrics', 'metric', '', 'TimeUnix'),
      metricTables: {
        gauge: 'otel_metrics_gauge',
        histogram: 'otel_metrics_histogram',
        sum: 'otel_metrics_sum',
      },
      logSourceId: ids.log,
    },
    { ...source('Sessions', 'session', 'hyperdx_sessions', 'TimestampTime'), traceSourceId: ids.trace },
  ]
}
