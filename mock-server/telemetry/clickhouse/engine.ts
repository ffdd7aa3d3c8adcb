import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { defaultLimits } from '../../words/limits.ts'
import { failed, refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import { loadRows } from '../columns/load-rows.ts'
import { type Row, RowStore } from '../columns/row-store.ts'
import type { ExternalEngine } from '../external-engine.ts'
import { columnsOfTable } from '../query/columns-of-kind.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { type RowsPlan, tooManyPoints } from '../query/plan.ts'
import { kindOf } from '../source-terms.ts'
import type { QueryOptions } from '../telemetry.ts'
import { type Query, writeChart } from './chart-sql.ts'
import { quoteName, Statement, type Values } from './statement.ts'
import { type Table, type Tables, tableOf, writeFrom } from './table.ts'

export interface Database {
  readonly client: ClickHouseClient
  /** The address without credentials. */
  readonly address: string
  readonly name: string
  readonly tables: Tables
  readonly mayWrite: boolean
  /** Whether raw SQL may run: only if the database user has no grants but SELECT and SHOW. */
  readonly mayRunSql: boolean
  /** Whether the profile of the database user has readonly = 2: then no query may set `readonly`. */
  readonly isReadOnly: boolean
}

/** Limits per query; the last one is for the answer to raw SQL. */
const maxSeconds = 30
const maxRowsRead = 1_000_000_000
const maxRawRows = 10_000

/** Formats answers as the API does. */
const outputFormat: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 1,
  date_time_output_format: 'iso',
  session_timezone: 'UTC',
}

const inputFormat: ClickHouseSettings = { date_time_input_format: 'best_effort', input_format_skip_unknown_fields: 1 }

/** Answers plans by SQL. Only `load` writes: it inserts rows. */
export function createEngine(database: Database): ExternalEngine {
  const { client, name, tables } = database
  const limits: ClickHouseSettings = {
    ...outputFormat,
    ...(!database.isReadOnly && { readonly: '1' }),
    max_execution_time: maxSeconds,
    max_rows_to_read: String(maxRowsRead),
    cancel_http_readonly_queries_on_client_close: 1,
  }

  async function run(
    query: string,
    values: Readonly<Values>,
    maxRows: number,
    signal?: AbortSignal,
    format: 'JSONCompactEachRowWithNames' | 'JSONCompactEachRowWithNamesAndTypes' = 'JSONCompactEachRowWithNames',
  ) {
    const clickhouse_settings = { ...limits, max_result_rows: String(maxRows), result_overflow_mode: 'throw' as const }
    const params = { query, query_params: values, clickhouse_settings, abort_signal: signal, format } as const
    try {
      return await (await client.query(params)).json<unknown[]>()
    } catch (error) {
      throw explain(error)
    }
  }

  async function runQuery<T>(
    { sql, values, max, read }: Query<T>,
    { signal }: QueryOptions = {},
  ): Promise<readonly T[]> {
    const [, ...rows] = await run(sql, values, max, signal)
    return read(rows)
  }

  return {
    name: `${database.address}, database ${name}`,
    chart(source, plan, options) {
      const { metric, max = defaultLimits.points } = plan
      const table = tableOf(name, tables, source, metric)
      return runQuery(writeChart(plan, table), options).then(points => {
        if (points.length > max) throw tooManyPoints(max)
        return points
      })
    },
    search: (source, plan, options) => runQuery(writeSearch(plan, tableOf(name, tables, source)), options),
    columns: source => [...(tables.get(source.from.tableName ?? '')?.keys() ?? columnsOfTable[kindOf(source)])],
    async load(source, rows) {
      if (!database.mayWrite) {
        throw refused(
          `Expected no rows, because telemetry is in ${database.address}, which the mock only reads: --telemetry-write ${name} allows it to write there`,
        )
      }
      for (const [tableName, values] of groupByTable(source, rows)) {
        const table = `${quoteName(name)}.${quoteName(tableName)}`
        await client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: inputFormat })
      }
      return rows.length
    },
    /** Throws a Refusal if the user of the database may do more than SELECT and SHOW. */
    async select({ sql, values }, { signal } = {}) {
      if (!database.mayRunSql) {
        throw refused('Raw SQL is run only for a user of ClickHouse who has grants to SELECT and SHOW, and no others')
      }
      const [names = [], types = [], ...rows] = await run(
        sql,
        values,
        maxRawRows,
        signal,
        'JSONCompactEachRowWithNamesAndTypes',
      )
      return { columns: names.map((name, at) => ({ name: String(name), type: String(types[at]) })), rows }
    },
    close: () => client.close(),
  }
}

/** Writes a search as SQL: one page of the selected columns. */
function writeSearch(plan: RowsPlan, table: Table): Query<readonly unknown[]> {
  const statement = new Statement()
  const columns = plan.columns.map((column, index) => `${statement.write(column)} AS __c${index}`)
  const from = writeFrom(table, plan, statement)
  const order = plan.orderBy.map(
    ({ expression, isDescending, areNullsFirst }) =>
      `${statement.write(expression)} ${isDescending ? 'DESC' : 'ASC'} NULLS ${areNullsFirst ? 'FIRST' : 'LAST'}`,
  )
  const page = [`ORDER BY ${order.join(', ') || `${table.time} DESC`}`, `LIMIT ${statement.value(plan.limit)}`]
  const select = plan.isDistinct ? 'SELECT DISTINCT' : 'SELECT'
  const sql = `${select} ${columns.join(', ')} ${from} ${page.join(' ')} OFFSET ${statement.value(plan.offset)}`
  return { sql, values: statement.values, max: plan.limit, read: rows => rows }
}

/** Checks the rows of a source, and groups them by table. Throws a Refusal that names the first invalid row. */
function groupByTable(source: Source, rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const store = new RowStore(kindOf(source))
  loadRows(store, rows)
  const tables: Readonly<Record<string, string | null | undefined>> = source.metricTables ?? {}
  const byTable = new Map<string, Row[]>()
  for (let at = 0; at < store.size; at++) {
    const { MetricType: type, ...row } = store.row(at)
    const table = store.kind === 'metric' ? tables[String(type)] : source.from.tableName
    if (!table) throw refused(`rows.${at}.MetricType: Expected one of ${Object.keys(tables).join(', ')}`)
    const values = byTable.get(table)
    if (values) values.push(row)
    else byTable.set(table, [row])
  }
  return byTable
}

/** Converts an error of the engine to an InvalidQuery without the version; to a Refusal if there was no answer. */
function explain(error: unknown): unknown {
  const { message = String(error), code, type } = error as { message?: string; code?: string; type?: string }
  if (type === undefined) return failed(`The engine of --telemetry did not answer: ${code ?? message}`)
  const text = message.trim().replace(/\s*\(version [^)]*\)\s*$/, '')
  const sentence = limitErrors.has(type) ? `Expected a query that takes less: ${text}` : text
  return new InvalidQuery(sentence, 0, text, type)
}

const limitErrors = new Set(['TIMEOUT_EXCEEDED', 'TOO_MANY_ROWS', 'TOO_MANY_ROWS_OR_BYTES', 'MEMORY_LIMIT_EXCEEDED'])
