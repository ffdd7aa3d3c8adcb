/** What is observed: each kind has the columns of its OpenTelemetry table. */
export type TelemetryKind = 'log' | 'trace' | 'metric' | 'session'

export type ColumnType = 'time' | 'text' | 'number' | 'map'

const resource = { ServiceName: 'text', ResourceAttributes: 'map', ResourceSchemaUrl: 'text' } as const
const scope = { ScopeName: 'text', ScopeVersion: 'text', ScopeSchemaUrl: 'text', ScopeAttributes: 'map' } as const

const log = {
  Timestamp: 'time',
  TraceId: 'text',
  SpanId: 'text',
  TraceFlags: 'number',
  SeverityText: 'text',
  SeverityNumber: 'number',
  Body: 'text',
  LogAttributes: 'map',
  EventName: 'text',
  ...resource,
  ...scope,
} as const

const trace = {
  Timestamp: 'time',
  TraceId: 'text',
  SpanId: 'text',
  ParentSpanId: 'text',
  TraceState: 'text',
  SpanName: 'text',
  SpanKind: 'text',
  SpanAttributes: 'map',
  Duration: 'number',
  StatusCode: 'text',
  StatusMessage: 'text',
  ...resource,
  ...scope,
} as const

const metric = {
  TimeUnix: 'time',
  /** Which table of the source the row lies in: gauge, sum, histogram, summary, exponential histogram. */
  MetricType: 'text',
  MetricName: 'text',
  MetricDescription: 'text',
  MetricUnit: 'text',
  Attributes: 'map',
  Value: 'number',
  Count: 'number',
  Sum: 'number',
  Min: 'number',
  Max: 'number',
  Flags: 'number',
  AggregationTemporality: 'number',
  IsMonotonic: 'number',
  ...resource,
  ...scope,
} as const

/** The columns of each kind, by name. Exactly one is the time of the row. */
export const columnsOfKind: Readonly<Record<TelemetryKind, Readonly<Record<string, ColumnType>>>> = {
  log,
  trace,
  metric,
  session: log,
}

export const timeColumnOfKind: Readonly<Record<TelemetryKind, string>> = {
  log: 'Timestamp',
  trace: 'Timestamp',
  metric: 'TimeUnix',
  session: 'Timestamp',
}
