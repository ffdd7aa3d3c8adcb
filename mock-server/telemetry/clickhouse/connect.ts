import type { ClickHouseClient } from '@clickhouse/client'
import { type ExternalEngine, TelemetryUnavailable } from '../external-engine.ts'
import { createEngine } from './engine.ts'
import { quoteName } from './statement.ts'

export interface ConnectOptions {
  /** The name of the database, repeated to allow writing rows and creating missing tables. */
  readonly write?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Connects to a ClickHouse at `http://user:password@host:8123/database`; `$NAME` is read from the environment. Throws a
 * TelemetryUnavailable if it does not answer or lacks the tables of the OpenTelemetry exporter.
 */
export async function connectTelemetry(url: string, { write, env = {} }: ConnectOptions = {}): Promise<ExternalEngine> {
  const { address, database, username, password } = readAddress(url, env)
  if (write !== undefined && write !== database) {
    throw new TelemetryUnavailable(
      `--telemetry-write ${write}: rows can be written only to ${database}, the database that is read: name that one, or leave the option out.`,
    )
  }
  // Loaded on demand: the browser bundle and an ordinary start do not need it.
  const loaded: typeof import('@clickhouse/client') & { default?: typeof import('@clickhouse/client') } = await import(
    '@clickhouse/client'
  )
  // In the bundle, the exports of a CommonJS module are its default export.
  const { createClient, ClickHouseLogLevel } = loaded.default ?? loaded
  const log = { level: ClickHouseLogLevel.OFF }
  const credentials = { url: address, username, password }
  const client = createClient({ ...credentials, application: 'stack-parity', request_timeout: 60_000, log })
  try {
    if (write !== undefined)
      for (const query of createTableStatements(quoteName(database))) await client.command({ query })
    const tables = await readTables(client, database)
    const missing = requiredTables.filter(name => !tables.has(name))
    if (missing.length > 0) throw new TelemetryUnavailable(describeMissing(address, database, missing, tables.size))
    const isReadOnly = await isProfileReadOnly(client, username)
    const mayRunSql = await canOnlySelect(client)
    const mayWrite = write !== undefined
    return createEngine({ client, address, name: database, tables, mayWrite, isReadOnly, mayRunSql })
  } catch (error) {
    await client.close()
    throw error instanceof TelemetryUnavailable
      ? error
      : new TelemetryUnavailable(explainFailure(address, username, error))
  }
}

function readAddress(text: string, env: Readonly<Record<string, string | undefined>>) {
  const resolved = text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => {
    const value = env[name]
    if (value === undefined) throw new TelemetryUnavailable(`--telemetry: $${name} is not in the environment.`)
    return encodeURIComponent(value)
  })
  const url = URL.canParse(resolved) ? new URL(resolved) : undefined
  const parts = decodeAll(url ? [url.pathname.slice(1), url.username, url.password] : [])
  const [database = '', username = '', password = ''] = parts
  if (!url || !/^https?:$/.test(url.protocol) || !/^[^/]+$/.test(database) || url.search || url.hash) {
    throw new TelemetryUnavailable(
      '--telemetry takes embedded, or the HTTP address of a ClickHouse with its database: http://user:$PASSWORD@host:8123/otel',
    )
  }
  return { address: url.origin, database, username: username || 'default', password }
}

/** Empty, hence without the required database, if there is an invalid percent-encoding. */
function decodeAll(texts: readonly string[]): readonly string[] {
  try {
    return texts.map(decodeURIComponent)
  } catch {
    return []
  }
}

async function readTables(client: ClickHouseClient, database: string) {
  // `*` does not select columns that are computed from others.
  const query = `SELECT table, name, type FROM system.columns WHERE database = {database:String}
    AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL') ORDER BY table, position`
  const answer = await client.query({ query, query_params: { database }, format: 'JSONCompactEachRow' })
  const tables = new Map<string, Map<string, string>>()
  for (const [table, name, type] of await answer.json<[string, string, string]>()) {
    tables.set(table, (tables.get(table) ?? new Map()).set(name, type))
  }
  return tables
}

/** Whether the profile has readonly = 2. Throws for readonly = 1, which forbids the settings that limit a query. */
async function isProfileReadOnly(client: ClickHouseClient, username: string): Promise<boolean> {
  const answer = await client.query({ query: "SELECT toUInt8(getSetting('readonly'))", format: 'JSONCompactEachRow' })
  const [[level] = [0]] = await answer.json<[number]>()
  if (level === 1) {
    throw new TelemetryUnavailable(
      `--telemetry: the profile of ${username} has readonly = 1, which forbids the time and row limits of each query: give it readonly = 2.`,
    )
  }
  return level === 2
}

/** Whether all grants of the user are SELECT or SHOW: none for writing, files or other machines. */
async function canOnlySelect(client: ClickHouseClient): Promise<boolean> {
  const answer = await client.query({ query: 'SHOW GRANTS', format: 'JSONCompactEachRow' }).catch(() => undefined)
  const grants = (await answer?.json<[string]>()) ?? []
  return (
    grants.length > 0 &&
    grants.every(([grant]) => /^GRANT (?:(?:SELECT|SHOW[A-Z ]*)(?:\([^)]*\))?(?:, )?)+ ON /.test(grant))
  )
}

function describeMissing(address: string, database: string, missing: readonly string[], tableCount: number): string {
  const problem = tableCount === 0 ? 'has no tables that this user may read' : `lacks ${missing.join(', ')}`
  return `--telemetry: the database ${database} at ${address} ${problem}: name the database that the OpenTelemetry exporter writes, or let --telemetry-write ${database} create its tables.`
}

function explainFailure(address: string, username: string, error: unknown): string {
  const { message, code, type } = error as { message: string; code?: string; type?: string }
  if (type === 'AUTHENTICATION_FAILED')
    return `--telemetry: ${address} refuses the user ${username}: check its name and password.`
  if (type !== undefined) return `--telemetry: ${address} answered ${type}: ${message.trim().slice(0, 500)}`
  return `--telemetry: ${address} does not answer as a ClickHouse (${code ?? message.slice(0, 200)}): check the address, and that it runs.`
}

const commonColumns = `ResourceAttributes Map(LowCardinality(String), String), ResourceSchemaUrl String,
  ScopeName String, ScopeVersion String, ScopeAttributes Map(LowCardinality(String), String), ScopeSchemaUrl String,
  ServiceName LowCardinality(String)`

const logColumns = `Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp), TraceId String, SpanId String,
  TraceFlags UInt8, SeverityText LowCardinality(String), SeverityNumber UInt8, Body String, EventName String,
  LogAttributes Map(LowCardinality(String), String), ${commonColumns}`
const byTime = 'PARTITION BY toDate(TimestampTime) ORDER BY (ServiceName, TimestampTime, Timestamp)'

/** Times of metrics are whole seconds, unlike those of logs and spans. */
const pointColumns = `MetricName String, MetricDescription String, MetricUnit String,
  Attributes Map(LowCardinality(String), String), StartTimeUnix DateTime, TimeUnix DateTime, Flags UInt32, ${commonColumns}`
const byMetric = 'PARTITION BY toDate(TimeUnix) ORDER BY (ServiceName, MetricName, Attributes, TimeUnix)'
const temporality = 'AggregationTemporality Int32'

/** The tables of the OpenTelemetry exporter. */
const schema: Readonly<Record<string, readonly [columns: string, layout: string]>> = {
  otel_logs: [logColumns, byTime],
  hyperdx_sessions: [logColumns, byTime],
  otel_traces: [
    `Timestamp DateTime64(9), TraceId String, SpanId String, ParentSpanId String, TraceState String,
  SpanName LowCardinality(String), SpanKind LowCardinality(String), SpanAttributes Map(LowCardinality(String), String),
  Duration UInt64, StatusCode LowCardinality(String), StatusMessage String, ${commonColumns}`,
    'PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, SpanName, toDateTime(Timestamp))',
  ],
  otel_metrics_gauge: [`${pointColumns}, Value Float64`, byMetric],
  otel_metrics_sum: [`${pointColumns}, Value Float64, ${temporality}, IsMonotonic Bool`, byMetric],
  otel_metrics_histogram: [
    `${pointColumns}, Count UInt64, Sum Float64, Min Float64, Max Float64, BucketCounts Array(UInt64), ExplicitBounds Array(Float64), ${temporality}`,
    byMetric,
  ],
}

/** The tables that charts require. The table of browser sessions is optional. */
export const requiredTables: readonly string[] = Object.keys(schema).filter(name => name !== 'hyperdx_sessions')

/** Statements that create the database and the tables of the exporter, if they are missing. */
const createTableStatements = (database: string): readonly string[] => [
  `CREATE DATABASE IF NOT EXISTS ${database}`,
  ...Object.entries(schema).map(
    ([name, [columns, layout]]) =>
      `CREATE TABLE IF NOT EXISTS ${database}.${name} (${columns}) ENGINE = MergeTree ${layout}`,
  ),
]
