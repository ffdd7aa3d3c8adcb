import type { Source } from '../../words/resources.ts'

export interface SourceIds {
  readonly log: string
  readonly trace: string
  readonly metric: string
  readonly session: string
}

/** The four sources that a deployment sets up by itself, on the OpenTelemetry tables. */
export function layOutSources(ids: SourceIds, connection: string): readonly Source[] {
  const lists = {
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
  }
  return [
    {
      id: ids.log,
      name: 'Logs',
      kind: 'log',
      connection,
      from: { databaseName: 'default', tableName: 'otel_logs' },
      querySettings: [],
      timestampValueExpression: 'Timestamp',
      defaultTableSelectExpression: 'Timestamp,ServiceName,SeverityText,Body',
      serviceNameExpression: 'ServiceName',
      severityTextExpression: 'SeverityText',
      bodyExpression: 'Body',
      eventAttributesExpression: 'LogAttributes',
      resourceAttributesExpression: 'ResourceAttributes',
      displayedTimestampValueExpression: 'Timestamp',
      metricSourceId: ids.metric,
      traceSourceId: ids.trace,
      traceIdExpression: 'TraceId',
      spanIdExpression: 'SpanId',
      implicitColumnExpression: 'Body',
      ...lists,
    },
    {
      id: ids.trace,
      name: 'Traces',
      kind: 'trace',
      connection,
      from: { databaseName: 'default', tableName: 'otel_traces' },
      querySettings: [],
      timestampValueExpression: 'Timestamp',
      defaultTableSelectExpression: 'Timestamp,ServiceName,StatusCode,round(Duration/1e6),SpanName',
      durationExpression: 'Duration',
      durationPrecision: 9,
      traceIdExpression: 'TraceId',
      spanIdExpression: 'SpanId',
      parentSpanIdExpression: 'ParentSpanId',
      spanNameExpression: 'SpanName',
      spanKindExpression: 'SpanKind',
      logSourceId: ids.log,
      sessionSourceId: ids.session,
      metricSourceId: ids.metric,
      statusCodeExpression: 'StatusCode',
      statusMessageExpression: 'StatusMessage',
      serviceNameExpression: 'ServiceName',
      resourceAttributesExpression: 'ResourceAttributes',
      eventAttributesExpression: 'SpanAttributes',
      implicitColumnExpression: 'SpanName',
      displayedTimestampValueExpression: 'Timestamp',
      ...lists,
    },
    {
      id: ids.metric,
      name: 'Metrics',
      kind: 'metric',
      connection,
      from: { databaseName: 'default', tableName: '' },
      querySettings: [],
      timestampValueExpression: 'TimeUnix',
      metricTables: {
        gauge: 'otel_metrics_gauge',
        histogram: 'otel_metrics_histogram',
        sum: 'otel_metrics_sum',
      },
      resourceAttributesExpression: 'ResourceAttributes',
      logSourceId: ids.log,
    },
    {
      id: ids.session,
      name: 'Sessions',
      kind: 'session',
      connection,
      from: { databaseName: 'default', tableName: 'hyperdx_sessions' },
      querySettings: [],
      timestampValueExpression: 'TimestampTime',
      traceSourceId: ids.trace,
      resourceAttributesExpression: 'ResourceAttributes',
    },
  ]
}
