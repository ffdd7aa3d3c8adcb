/** The tables of the OpenTelemetry exporter. */
const resource = `ResourceAttributes Map(LowCardinality(String), String), ResourceSchemaUrl String,
  ScopeName String, ScopeVersion String, ScopeAttributes Map(LowCardinality(String), String), ScopeSchemaUrl String,
  ServiceName LowCardinality(String)`

const log = `Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp), TraceId String, SpanId String,
  TraceFlags UInt8, SeverityText LowCardinality(String), SeverityNumber UInt8, Body String, EventName String,
  LogAttributes Map(LowCardinality(String), String), ${resource}`
const byTime = 'PARTITION BY toDate(TimestampTime) ORDER BY (ServiceName, TimestampTime, Timestamp)'

/** Times of metrics have full seconds, unlike those of logs and spans. */
const point = `MetricName String, MetricDescription String, MetricUnit String,
  Attributes Map(LowCardinality(String), String), StartTimeUnix DateTime, TimeUnix DateTime, Flags UInt32, ${resource}`
const byMetric = 'PARTITION BY toDate(TimeUnix) ORDER BY (ServiceName, MetricName, Attributes, TimeUnix)'
const temporality = 'AggregationTemporality Int32'

const tables: Readonly<Record<string, readonly [columns: string, layout: string]>> = {
  otel_logs: [log, byTime],
  hyperdx_sessions: [log, byTime],
  otel_traces: [
    `Timestamp DateTime64(9), TraceId String, SpanId String, ParentSpanId String, TraceState String,
  SpanName LowCardinality(String), SpanKind LowCardinality(String), SpanAttributes Map(LowCardinality(String), String),
  Duration UInt64, StatusCode LowCardinality(String), StatusMessage String, ${resource}`,
    'PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, SpanName, toDateTime(Timestamp))',
  ],
  otel_metrics_gauge: [`${point}, Value Float64`, byMetric],
  otel_metrics_sum: [`${point}, Value Float64, ${temporality}, IsMonotonic Bool`, byMetric],
  otel_metrics_histogram: [
    `${point}, Count UInt64, Sum Float64, Min Float64, Max Float64, BucketCounts Array(UInt64), ExplicitBounds Array(Float64), ${temporality}`,
    byMetric,
  ],
}

/** The tables that charts require. The table of browser sessions is optional. */
export const requiredTables: readonly string[] = Object.keys(tables).filter(name => name !== 'hyperdx_sessions')

/** Creates the missing tables of the exporter in a database of the user's own. */
export const createTables = (database: string): readonly string[] => [
  `CREATE DATABASE IF NOT EXISTS ${database}`,
  ...Object.entries(tables).map(
    ([name, [columns, layout]]) =>
      `CREATE TABLE IF NOT EXISTS ${database}.${name} (${columns}) ENGINE = MergeTree ${layout}`,
  ),
]
