/** The kinds of telemetry: each has the columns of its OpenTelemetry table. */
export type TelemetryKind = 'log' | 'trace' | 'metric' | 'session'

/**
 * A label is a string with few distinct values that never holds JSON; a wide integer has 64 bits and is quoted in JSON
 * answers.
 */
export type ColumnType = 'time' | 'text' | 'label' | 'integer' | 'wide' | 'float' | 'numbers' | 'map'

/** How values of this type are stored. */
export const layoutOfType = {
  time: 'time',
  text: 'text',
  label: 'text',
  integer: 'number',
  wide: 'number',
  float: 'number',
  numbers: 'numbers',
  map: 'map',
} as const satisfies Record<ColumnType, string>

const resource = { ServiceName: 'label', ResourceAttributes: 'map', ResourceSchemaUrl: 'label' } as const
const scope = { ScopeName: 'text', ScopeVersion: 'label', ScopeSchemaUrl: 'label', ScopeAttributes: 'map' } as const

const log = {
  Timestamp: 'time',
  TraceId: 'text',
  SpanId: 'text',
  TraceFlags: 'integer',
  SeverityText: 'label',
  SeverityNumber: 'integer',
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
  SpanName: 'label',
  SpanKind: 'label',
  SpanAttributes: 'map',
  Duration: 'wide',
  StatusCode: 'label',
  StatusMessage: 'text',
  ...resource,
  ...scope,
} as const

const metric = {
  TimeUnix: 'time',
  StartTimeUnix: 'label',
  /** The metric table of the row: gauge, sum, histogram, summary, exponential histogram. */
  MetricType: 'label',
  MetricName: 'text',
  MetricDescription: 'text',
  MetricUnit: 'text',
  Attributes: 'map',
  Value: 'float',
  Count: 'wide',
  Sum: 'float',
  Min: 'float',
  Max: 'float',
  /** Columns of histograms: there is one count more than there are bounds. */
  BucketCounts: 'numbers',
  ExplicitBounds: 'numbers',
  /** Columns of exponential histograms. */
  Scale: 'integer',
  ZeroCount: 'wide',
  PositiveOffset: 'integer',
  PositiveBucketCounts: 'numbers',
  NegativeOffset: 'integer',
  NegativeBucketCounts: 'numbers',
  Flags: 'integer',
  /** 1 is delta; every other value counts as cumulative. */
  AggregationTemporality: 'integer',
  IsMonotonic: 'integer',
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

export const timeColumnOf = (kind: TelemetryKind) => (kind === 'metric' ? 'TimeUnix' : 'Timestamp')

const typesOfColumns: Readonly<Record<ColumnType, string>> = {
  time: 'DateTime64(9)',
  text: 'String',
  label: 'String',
  integer: 'UInt8',
  wide: 'UInt64',
  float: 'Float64',
  numbers: 'Array(UInt64)',
  map: 'Map(String, String)',
}

const otherTypes: Readonly<Record<string, string>> = {
  ExplicitBounds: 'Array(Float64)',
  Scale: 'Int32',
  PositiveOffset: 'Int32',
  NegativeOffset: 'Int32',
  Flags: 'UInt32',
  AggregationTemporality: 'Int32',
}

/** The type of a column in the tables of the OpenTelemetry exporter, without LowCardinality. */
export const databaseType = (name: string, type: ColumnType): string =>
  Object.hasOwn(otherTypes, name) ? otherTypes[name]! : typesOfColumns[type]
