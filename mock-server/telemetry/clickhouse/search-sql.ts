import type { RowsPlan } from '../query/plan.ts'
import type { Query } from './chart-sql.ts'
import { Statement } from './statement.ts'
import { type Table, writeFrom } from './table.ts'

/** Writes a search as SQL: one page of the selected columns. */
export function writeSearch(plan: RowsPlan, table: Table): Query<readonly unknown[]> {
  const statement = new Statement()
  const columns = plan.columns.map((column, index) => `${statement.write(column)} AS __c${index}`)
  const from = writeFrom(table, plan, statement)
  const order = plan.orderBy.map(
    ({ expression, isDescending }) => `${statement.write(expression)} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`,
  )
  const page = [`ORDER BY ${order.join(', ') || `${table.time} DESC`}`, `LIMIT ${statement.value(plan.limit)}`]
  const sql = `SELECT ${columns.join(', ')} ${from} ${page.join(' ')} OFFSET ${statement.value(plan.offset)}`
  return { sql, values: statement.values, most: plan.limit, read: rows => rows }
}
