import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { Eventually } from '../../words/eventually.ts'
import { failed, refused } from '../../words/refusal.ts'
import type { Elsewhere } from '../elsewhere.ts'
import { tooManyPoints } from '../query/plan.ts'
import { Unreadable } from '../query/unreadable.ts'
import type { QueryOptions } from '../telemetry.ts'
import { type Query, writeChart } from './chart-sql.ts'
import { insertsOf } from './insert.ts'
import { writeMetric } from './metric-sql.ts'
import { writeSearch } from './search-sql.ts'
import { quoteName, type Values } from './statement.ts'
import { type Tables, tableOf } from './table.ts'

export interface Database {
  readonly client: ClickHouseClient
  /** The address without credentials. */
  readonly address: string
  readonly name: string
  readonly tables: Tables
  /** Whether rows may be written. */
  readonly mayWrite: boolean
  /** Whether user-written SQL may run: only if the database user can reach nothing but tables. */
  readonly mayRunSql: boolean
  /** Whether the profile of the user is read-only and forbids changing settings. */
  readonly isReadOnly: boolean
}

/** Limits of seconds and of rows read per query. */
const mostSeconds = 30
const mostRead = 1_000_000_000

/** Settings that format answers as the API does. */
const written: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 1,
  date_time_output_format: 'iso',
  session_timezone: 'UTC',
}

/** Settings for reading inserted rows. */
const readIn: ClickHouseSettings = { date_time_input_format: 'best_effort', input_format_skip_unknown_fields: 1 }

/** Answers plans by SQL. It changes no row, except those that `load` inserts. */
export function createEngine(database: Database): Elsewhere {
  const { client, name, tables } = database
  const limits: ClickHouseSettings = {
    ...written,
    ...(!database.isReadOnly && { readonly: '1' }),
    max_execution_time: mostSeconds,
    max_rows_to_read: String(mostRead),
    cancel_http_readonly_queries_on_client_close: 1,
  }

  async function run(query: string, values: Readonly<Values>, most: number, signal?: AbortSignal) {
    const clickhouse_settings = { ...limits, max_result_rows: String(most), result_overflow_mode: 'throw' as const }
    const asked = { query, query_params: values, clickhouse_settings, abort_signal: signal }
    try {
      return await (await client.query({ ...asked, format: 'JSONCompactEachRowWithNames' })).json<unknown[]>()
    } catch (error) {
      throw explain(error)
    }
  }

  async function answer<T>(
    { sql, values, most, read }: Query<T>,
    { signal }: QueryOptions = {},
  ): Promise<readonly T[]> {
    const [, ...rows] = await run(sql, values, most, signal)
    return read(rows)
  }

  return {
    name: `${database.address}, database ${name}`,
    chart(source, plan, options) {
      const { metric, most } = plan
      const table = tableOf(name, tables, source, metric)
      const query = metric ? writeMetric(plan, metric, table) : writeChart(plan, table)
      return answer(query, options).then(points => {
        if (most !== undefined && points.length > most) throw tooManyPoints(most)
        return points
      })
    },
    search: (source, plan, options): Eventually<readonly (readonly unknown[])[]> =>
      answer(writeSearch(plan, tableOf(name, tables, source)), options),
    async load(source, rows) {
      if (!database.mayWrite) {
        throw refused(
          `Expected no rows, because telemetry lies in ${database.address}, which is only read: --telemetry-write ${name} allows it`,
        )
      }
      for (const { table: of, values } of insertsOf(source, rows)) {
        const table = `${quoteName(name)}.${quoteName(of)}`
        await client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: readIn })
      }
      return rows.length
    },
    async ask(sql, values) {
      if (!database.mayRunSql) {
        throw refused('Raw SQL is run only for a user of ClickHouse who has grants to SELECT, and no others')
      }
      return run(sql, values, mostAsked)
    },
    close: () => client.close(),
  }
}

/** Limit of the rows of a raw query, including the line of column names. */
const mostAsked = 10_000

/** The error message of the engine without its version and address. */
function explain(error: unknown): unknown {
  const { message = String(error), code, type } = error as { message?: string; code?: string; type?: string }
  if (type === undefined) return failed(`The engine of --telemetry did not answer: ${code ?? message}`)
  const text = message.trim().replace(/\s*\(version [^)]*\)\s*$/, '')
  const sentence = slow.has(type) ? `Expected a query that takes less: ${text}` : text
  return new Unreadable(sentence)
}

const slow = new Set(['TIMEOUT_EXCEEDED', 'TOO_MANY_ROWS', 'TOO_MANY_ROWS_OR_BYTES', 'MEMORY_LIMIT_EXCEEDED'])
