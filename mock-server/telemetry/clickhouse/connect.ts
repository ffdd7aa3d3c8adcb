import type { ClickHouseClient } from '@clickhouse/client'
import { type ExternalEngine, TelemetryUnavailable } from '../external-engine.ts'
import { createEngine } from './engine.ts'
import { createTables, requiredTables } from './schema.ts'
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
      `--telemetry-write ${write}: rows are written only to the database ${database}, from which they are read: name it, or leave the option out.`,
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
    if (write !== undefined) for (const query of createTables(quoteName(database))) await client.command({ query })
    const tables = await readTables(client, database)
    const missing = requiredTables.filter(name => !tables.has(name))
    if (missing.length > 0) throw new TelemetryUnavailable(describeMissing(address, database, missing, tables.size))
    const isReadOnly = await readReadOnly(client, username)
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

/** Empty if there is an invalid percent-encoding. */
function decodeAll(texts: readonly string[]): readonly string[] {
  try {
    return texts.map(decodeURIComponent)
  } catch {
    return []
  }
}

async function readTables(client: ClickHouseClient, database: string) {
  const query = 'SELECT table, name, type FROM system.columns WHERE database = {database:String}'
  const answer = await client.query({ query, query_params: { database }, format: 'JSONCompactEachRow' })
  const tables = new Map<string, Map<string, string>>()
  for (const [table, name, type] of await answer.json<[string, string, string]>()) {
    tables.set(table, (tables.get(table) ?? new Map()).set(name, type))
  }
  return tables
}

/** Whether the profile has readonly = 2. One with readonly = 1 is refused: it forbids the settings that limit a query. */
async function readReadOnly(client: ClickHouseClient, username: string): Promise<boolean> {
  const answer = await client.query({ query: "SELECT toUInt8(getSetting('readonly'))", format: 'JSONCompactEachRow' })
  const [[level] = [0]] = await answer.json<[number]>()
  if (level === 1) {
    throw new TelemetryUnavailable(
      `--telemetry: the profile of ${username} has readonly = 1, which forbids the time and row limits of each query: give it readonly = 2.`,
    )
  }
  return level === 2
}

/** Whether the user may list and read tables, and has no grant for files or other machines. */
async function canOnlySelect(client: ClickHouseClient): Promise<boolean> {
  const answer = await client.query({ query: 'SHOW GRANTS', format: 'JSONCompactEachRow' }).catch(() => undefined)
  const grants = (await answer?.json<[string]>()) ?? []
  return (
    grants.length > 0 &&
    grants.every(([grant]) => /^GRANT (?:(?:SELECT|SHOW[A-Z ]*)(?:\([^)]*\))?(?:, )?)+ ON /.test(grant))
  )
}

function describeMissing(address: string, database: string, missing: readonly string[], size: number): string {
  const problem = size === 0 ? 'has no tables that this user may read' : `lacks ${missing.join(', ')}`
  return `--telemetry: The database ${database} at ${address} ${problem}: name the database that the OpenTelemetry exporter writes, or let --telemetry-write ${database} create its tables.`
}

function explainFailure(address: string, username: string, error: unknown): string {
  const { message, code, type } = error as { message: string; code?: string; type?: string }
  if (type === 'AUTHENTICATION_FAILED')
    return `--telemetry: ${address} refuses the user ${username}: check its name and password.`
  if (type !== undefined) return `--telemetry: ${address} answered ${type}: ${message.trim().slice(0, 500)}`
  return `--telemetry: ${address} does not answer as a ClickHouse (${code ?? message.slice(0, 200)}): check the address, and that it runs.`
}
