import {
  aliasesOf,
  type Column,
  column,
  type Expression,
  type Order,
  type Query,
  replaceColumns,
  replaceParts,
  resolveAliases,
  value,
} from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import type { RowsPlan, SeriesPlan } from '../query/plan.ts'
import type { Budget } from './budget.ts'
import { constantOf, type Scalar } from './compiled.ts'
import type { RowStore } from './row-store.ts'
import { selectRows } from './search-rows.ts'
import { nullable, type Type } from './types.ts'

/** The rows of a table by its name; undefined if there is no such table. */
export type FindTable = (from: Query['from']) => RowStore | undefined

/** Puts the values of queries in place of those in an expression: the rows in a list, else the value of the only row. */
function answerQueries(expression: Expression, findTable: FindTable, budget: Budget): Expression {
  const given = (type: Type, value: Scalar, at: number): Expression => ({
    kind: 'given',
    values: constantOf(type, value),
    name: '_subquery',
    at,
  })
  const answer = (part: Extract<Expression, { kind: 'query' }>) => runQuery(part.query, part.at, findTable, budget)
  return replaceParts(expression, part => {
    if (part.kind === 'query') {
      const { types, rows } = answer(part)
      if (types.length === 1 && rows.length < 2) return given(nullable(types[0]!), rows[0]?.[0] ?? null, part.at)
      throw new InvalidQuery(`Expected one value of a subquery, but it has ${rows.length} rows`, part.at)
    }
    if (part.kind === 'call' && part.name === 'exists' && part.args[0]?.kind === 'query')
      return given('UInt8', answer(part.args[0]).rows.length > 0 ? 1 : 0, part.at)
    if (part.kind !== 'list' || !part.items.some(item => item.kind === 'query')) return undefined
    const items = part.items.flatMap((item): readonly Expression[] => {
      if (item.kind !== 'query') return [item]
      const { types, rows } = answer(item)
      return rows.map(row => {
        const values = row.map((value, index) => given(types[index]!, value, item.at))
        return values.length === 1 ? values[0]! : { kind: 'list', items: values, at: item.at }
      })
    })
    return { ...part, items }
  })
}

/** The limit of rows of a subquery: each becomes a constant. */
const maxRows = 100_000

const unordered: readonly Order[] = [{ expression: value(1), isDescending: false, areNullsFirst: false }]

function runQuery(query: Query, at: number, findTable: FindTable, budget: Budget) {
  const store = findTable(query.from)
  const { databaseName, tableName, alias } = query.from
  const name = databaseName === undefined ? tableName : `${databaseName}.${tableName}`
  if (!store) {
    const raw = `Unknown table expression identifier '${name}'`
    throw new InvalidQuery(`Expected the table of a source, but "${name}" is none`, at, raw, 'UNKNOWN_TABLE')
  }
  const aliases = aliasesOf(query.columns)
  const withoutTable = (one: Column) =>
    alias && one.name.startsWith(`${alias}.`) ? column(one.name.slice(alias.length + 1), one.at) : one
  const read = (expression: Expression) =>
    answerQueries(replaceColumns(resolveAliases(expression, aliases), withoutTable), findTable, budget)
  const plan: RowsPlan = {
    start: Number.NEGATIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
    filters: query.where ? [read(query.where)] : [],
    columns: query.columns.map(read),
    ...(query.groupBy && { groupBy: query.groupBy.map(read) }),
    ...(query.having && { having: read(query.having) }),
    isDistinct: query.isDistinct,
    orderBy: (query.orderBy ?? unordered).map(order => ({ ...order, expression: read(order.expression) })),
    limit: query.limit ?? maxRows + 1,
    offset: query.offset,
  }
  const result = selectRows(store, plan, budget)
  if (result.rows.length <= maxRows) return result
  throw new InvalidQuery(`Expected a subquery with at most ${maxRows} rows`, at)
}

export const answerQueriesOfSeries = (plan: SeriesPlan, findTable: FindTable, budget: Budget): SeriesPlan => ({
  ...plan,
  filters: plan.filters.map(filter => answerQueries(filter, findTable, budget)),
})

export const answerQueriesOfRows = (plan: RowsPlan, findTable: FindTable, budget: Budget): RowsPlan => ({
  ...plan,
  filters: plan.filters.map(filter => answerQueries(filter, findTable, budget)),
  orderBy: plan.orderBy.map(order => ({ ...order, expression: answerQueries(order.expression, findTable, budget) })),
})
