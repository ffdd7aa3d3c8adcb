import { refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import { loadRows } from '../columns/load-rows.ts'
import { type Row, RowStore } from '../columns/row-store.ts'
import { kindOf } from '../source-terms.ts'

/** The rows for one table. */
export interface Insert {
  readonly table: string
  readonly values: readonly Row[]
}

/** Checks the rows of a source and groups them by table. Throws a Refusal about the first invalid row. */
export function insertsOf(source: Source, rows: readonly Row[]): readonly Insert[] {
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
  return [...byTable].map(([table, values]) => ({ table, values }))
}
