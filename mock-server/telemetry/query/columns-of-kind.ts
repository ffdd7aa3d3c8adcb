export type TelemetryKind = 'log' | 'trace' | 'metric' | 'session'

/** A `label` is a string that never contains JSON; `wide` is an integer of 64 bits, which is quoted in JSON. */
export type ColumnType = keyof typeof columnTypes

/** How values of each type are stored, and their type in the tables of the OpenTelemetry exporter. */
export const columnTypes = {
  time: { layout: 'time', type: 'DateTime64(9)' },
  text: { layout: 'text', type: 'String' },
  label: { layout: 'text', type: 'String' },
  integer: { layout: 'number', type: 'UInt8' },
  wide: { layout: 'number', type: 'UInt64' },
  float: { layout: 'number', type: 'Float64' },
  numbers: { layout: 'numbers', type: 'Array(UInt64)' },
  texts: { layout: 'list', type: 'Array(String)' },
  maps: { layout: 'list', type: 'Array(Map(String, String))' },
  times: { layout: 'times', type: 'Array(DateTime64(9))' },
  map: { layout: 'map', type: 'Map(String, String)' },
} as const

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
  'Events.Timestamp': 'times',
  'Events.Name': 'texts',
  'Events.Attributes': 'maps',
  'Links.TraceId': 'texts',
  'Links.SpanId': 'texts',
  'Links.TraceState': 'texts',
  'Links.Attributes': 'maps',
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

const ofScope = ['ScopeSchemaUrl', 'ScopeName', 'ScopeVersion', 'ScopeAttributes']
const ofRecord = [
  'Timestamp',
  'TraceId',
  'SpanId',
  'TraceFlags',
  'SeverityText',
  'SeverityNumber',
  'ServiceName',
  'Body',
]
const ofLog = [...ofRecord, 'ResourceSchemaUrl', 'ResourceAttributes', ...ofScope, 'LogAttributes']
const notOfSpan = new Set(['ResourceSchemaUrl', 'ScopeSchemaUrl', 'ScopeAttributes'])
const ofSpan = [
  ...['Timestamp', 'TraceId', 'SpanId', 'ParentSpanId', 'TraceState', 'SpanName', 'SpanKind', 'ServiceName'],
  ...['ResourceAttributes', 'ScopeName', 'ScopeVersion'],
]

/** What `*` selects: the columns of the tables of the vendor's collector, in their order. */
export const columnsOfTable: Readonly<Record<TelemetryKind, readonly string[]>> = {
  log: [...ofLog, 'EventName'],
  session: [ofLog[0]!, 'TimestampTime', ...ofLog.slice(1)],
  trace: [...ofSpan, ...Object.keys(trace).filter(name => !ofSpan.includes(name) && !notOfSpan.has(name))],
  metric: Object.keys(metric),
}

export const timeColumnOf = (kind: TelemetryKind) => (kind === 'metric' ? 'TimeUnix' : 'Timestamp')

/** The columns whose type is not that of `columnTypes`. */
const exceptionalTypes: Readonly<Record<string, string>> = {
  ExplicitBounds: 'Array(Float64)',
  Scale: 'Int32',
  PositiveOffset: 'Int32',
  NegativeOffset: 'Int32',
  Flags: 'UInt32',
  AggregationTemporality: 'Int32',
}

/** The type of a column in the database, without LowCardinality. */
export const databaseType = (name: string, type: ColumnType): string =>
  Object.hasOwn(exceptionalTypes, name) ? exceptionalTypes[name]! : columnTypes[type].type
