import type { RowsPlan } from '../query/plan.ts'
import { allOf, type Query } from './chart-sql.ts'
import { Statement } from './statement.ts'
import { type Table, writeRange } from './table.ts'

/** Writes a search: the columns of the rows that it finds, a page of them. */
export function writeSearch(plan: RowsPlan, table: Table): Query<readonly unknown[]> {
  const statement = new Statement()
  const columns = plan.columns.map((column, index) => `${statement.write(column)} AS __c${index}`)
  const conditions = [
    ...writeRange(table, plan.start, plan.end, statement),
    ...plan.filters.map(filter => statement.write(filter)),
  ]
  const order = plan.orderBy.map(
    ({ expression, isDescending }) => `${statement.write(expression)} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`,
  )
  const page = [`ORDER BY ${order.join(', ') || `${table.time} DESC`}`, `LIMIT ${statement.value(plan.limit)}`]
  const sql = `SELECT ${columns.join(', ')} FROM ${table.from} WHERE ${allOf(conditions)} ${page.join(' ')} OFFSET ${statement.value(plan.offset)}`
  return { sql, values: statement.values, most: plan.limit, read: rows => rows }
}
