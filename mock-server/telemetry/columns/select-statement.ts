import {
  type Column,
  call,
  column,
  type Expression,
  isStar,
  nameOf,
  type Order,
  partsOf,
  replaceParts,
  type Select,
  type TableName,
  type Union,
} from '../query/expression.ts'
import { InvalidQuery, inPart } from '../query/invalid-query.ts'
import type { Range, RowsPlan, SeriesPlan } from '../query/plan.ts'
import { conditionsOf, type SqlValues, valueOfParameter } from '../query/raw-sql.ts'
import type { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import { constantOf, type Scalar } from './compiled.ts'
import { jsonValue } from './json-value.ts'
import { RowStore } from './row-store.ts'
import { type Rows, selectRows, withoutAggregate } from './select-rows.ts'
import { isTime, nullable, supertype, type Type } from './types.ts'

/** A table that a SELECT may read. */
export interface Table {
  readonly timeColumn: string
  /** The condition that its rows meet, if it shares its store with other tables. */
  readonly filter?: Expression
  open(range: Range): RowStore
}

/** What a SELECT may refer to. */
export interface Scope {
  findTable(name: TableName): Table | undefined
  readonly now: number
  readonly budget: Budget
  /** The values of parameters such as `{startDateMilliseconds:Int64}`. */
  readonly values?: SqlValues
  /** The queries of WITH. */
  readonly queries?: ReadonlyMap<string, Union>
}

interface Answer extends Rows {
  readonly names: readonly string[]
}

/** The answer to raw SQL, with values as in JSON. */
export interface SqlAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Answers a statement. Throws an InvalidQuery with the position in the whole statement. */
export function answerStatement(union: Union, scope: Scope): SqlAnswer {
  const { names, types, rows } = inPart('', () => answerUnion(union, scope))
  return {
    columns: names.map((name, at) => ({ name, type: types[at]! })),
    rows: rows.map(row => row.map((value, at) => jsonValue(types[at]!, value))),
  }
}

function answerUnion({ selects, isDistinct, at }: Union, scope: Scope): Answer {
  const answers = selects.map(select => answerSelect(select, scope))
  const [first] = answers
  if (answers.length === 1) return first!
  if (answers.some(({ names }) => names.length !== first!.names.length))
    throw new InvalidQuery('Expected queries with equally many columns on both sides of UNION', at)
  const types = first!.types.map((_, index) => supertype(answers.map(answer => answer.types[index]!)))
  const rows = answers.flatMap(answer => answer.rows)
  const different = new Map(rows.map(row => [JSON.stringify(row), row]))
  return { names: first!.names, types, rows: isDistinct ? [...different.values()] : rows }
}

const everything: Range = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

function answerSelect(select: Select, outer: Scope): Answer {
  const scope = { ...outer, queries: new Map([...(outer.queries ?? []), ...select.queries]) }
  const { unqualify, resolve } = createResolver(select, scope)
  const filters = select.where.flatMap(one => conditionsOf(resolve(one)))
  const { store, range, filter } = openTable(select, filters, scope)
  const columns = select.columns.flatMap(one =>
    isStar(one)
      ? store.columnNames
          .filter(name => !one.except.includes(name))
          .map(name => ({ name, expression: column(name, one.at) }))
      : [{ name: nameOf(unqualify(one)), expression: resolve(one) }],
  )
  /** A number in GROUP BY or ORDER BY is the place of a column. */
  const resolvePlace = (one: Expression): Expression => {
    const place = one.kind === 'literal' && typeof one.value === 'number' ? one.value : 0
    return columns[place - 1]?.expression ?? resolve(one)
  }
  const expressions = columns.map(one => one.expression)
  const { groupBy, having, limitBy, isDistinct, orderBy, limit, offset } = select
  const plan: RowsPlan = {
    ...range,
    filters: filter ? [...filters, filter] : filters,
    columns: expressions,
    ...(groupBy && { groupBy: groupBy === 'all' ? expressions.filter(withoutAggregate) : groupBy.map(resolvePlace) }),
    ...(having && { having: resolve(having) }),
    ...(limitBy && { limitBy: { ...limitBy, columns: limitBy.columns.map(resolvePlace) } }),
    isDistinct,
    orderBy: orderBy.map((order): Order => ({ ...order, expression: resolvePlace(order.expression) })),
    limit: limit ?? Number.POSITIVE_INFINITY,
    offset,
  }
  return { names: columns.map(({ name }) => name), ...selectRows(store, plan, scope.budget) }
}

/** Replaces aliases, parameters and subqueries by what they stand for, and removes the name of the table from columns. */
function createResolver({ aliases, columns, from }: Select, scope: Scope) {
  const named = new Map<string, Expression>()
  const findAliases = (one: Expression) => {
    if (one.kind === 'alias') named.set(one.name, one.expression)
    for (const part of partsOf(one)) findAliases(part)
  }
  for (const one of [...aliases, ...columns]) findAliases(one)
  const { alias, name } = from ?? {}
  const prefixes = [alias, name && `${name.databaseName ?? 'default'}.${name.tableName}`, name?.tableName]
  const bareName = (one: Column) => {
    const prefix = prefixes.find(prefix => prefix && one.name.startsWith(`${prefix}.`))
    return prefix ? one.name.slice(prefix.length + 1) : one.name
  }
  const unqualify = (one: Expression) =>
    replaceParts(one, part => (part.kind === 'column' ? column(bareName(part), part.at) : undefined))
  const resolve = (expression: Expression, busy: readonly string[] = []): Expression =>
    replaceParts(expression, part => {
      if (part.kind === 'alias') return resolve(part.expression, [...busy, part.name])
      if (part.kind !== 'column') return answerQuery(part, scope, item => resolve(item, busy))
      const parameter = /^\{(\w+)\}$/.exec(part.name)?.[1]
      if (parameter !== undefined) return valueOfParameter(parameter, scope.values ?? {}, part.at)
      const meant = busy.includes(part.name) ? undefined : named.get(part.name)
      return meant ? resolve(meant, [...busy, part.name]) : column(bareName(part), part.at)
    })
  return { unqualify, resolve: (expression: Expression) => resolve(expression) }
}

/** The rows that a SELECT reads. A table is opened for the range outside of which no row meets the conditions. */
function openTable({ from }: Select, filters: readonly Expression[], scope: Scope) {
  if (!from) return { store: storeOf({ names: [], types: [], rows: [[]] }, scope), range: everything }
  const { name } = from
  const query = from.query ?? (name?.databaseName === undefined && scope.queries?.get(name?.tableName ?? ''))
  // A query of WITH may refer to a table of its own name.
  const queries = new Map([...(scope.queries ?? [])].filter(([one]) => one !== name?.tableName))
  if (query) return { store: storeOf(answerUnion(query, { ...scope, queries }), scope), range: everything }
  const table = scope.findTable(name!)
  if (!table) {
    const { databaseName, tableName, at } = name!
    const written = databaseName === undefined ? tableName : `${databaseName}.${tableName}`
    const raw = `Unknown table expression identifier '${written}'`
    const sentence = `Expected the table of a source, but ${databaseName ?? 'default'}.${tableName} is none`
    throw new InvalidQuery(sentence, at, raw, 'UNKNOWN_TABLE')
  }
  const range = timeRangeOf(table, filters, scope)
  return { store: table.open(range), range, filter: table.filter }
}

/** A store with the rows of an answer instead of columns of its own. */
function storeOf({ names, types, rows }: Answer, { now, budget }: Pick<Scope, 'now' | 'budget'>): RowStore {
  const at = (index: number) => ({ type: types[index]!, constant: false, at: (row: number) => rows[row]![index]! })
  const store = new RowStore('log')
  store.computed = new Map(names.map((name, index) => [name, at(index)]))
  store.now = now
  budget.spend(rows.length)
  for (const _ of rows) store.add(0, {})
  return store
}

/** The functions that are not greater than the time to which they are applied. */
const roundsDown = /^toStartOf|^to(?:DateTime(?:64)?|Date)$/

function timeRangeOf({ timeColumn }: Table, filters: readonly Expression[], scope: Scope): Range {
  let { start, end } = everything
  const constants = storeOf({ names: [], types: [], rows: [] }, scope)
  const isTimeColumn = (one: Expression | undefined, mayBeRounded: boolean): boolean => {
    if (one?.kind === 'call' && mayBeRounded && roundsDown.test(one.name)) return isTimeColumn(one.args[0], true)
    return one?.kind === 'column' && (one.name === timeColumn || one.name === 'TimestampTime')
  }
  const hasColumn = (one: Expression): boolean => one.kind === 'column' || partsOf(one).some(hasColumn)
  for (const filter of filters) {
    if (filter.kind !== 'call') continue
    const [time, bound] = filter.args
    const isLower = /^greater(?:OrEquals)?$/.test(filter.name)
    if (!(isLower || /^less(?:OrEquals)?$/.test(filter.name)) || !isTimeColumn(time, isLower)) continue
    if (hasColumn(bound!)) continue
    const { type, at } = compileExpression(constants, bound!, scope.budget)
    if (!isTime(type)) continue
    const limit = Number(at(0))
    if (isLower) start = Math.max(start, limit)
    // A column of full seconds may be less than the time of the row.
    else end = Math.min(end, limit + 1000)
  }
  return { start, end }
}

/** The limit of rows of a subquery in an expression: each becomes a constant. */
const maxRows = 100_000

const given = (type: Type, value: Scalar, at: number): Expression => ({
  kind: 'given',
  values: constantOf(type, value),
  name: '_subquery',
  at,
})

/** The values of a subquery in place of it: the rows in a list, else the value of the only row. Undefined for other parts. */
function answerQuery(
  part: Expression,
  scope: Scope,
  answerOther: (item: Expression) => Expression,
): Expression | undefined {
  if (part.kind === 'query') {
    const { types, rows } = answerUnion(part.query, scope)
    const values = rows[0]?.map((value, index) => given(nullable(types[index]!), value, part.at))
    if (rows.length > 1) throw new InvalidQuery(`Expected one row of a subquery, but it has ${rows.length}`, part.at)
    if (types.length === 1) return values?.[0] ?? given(nullable(types[0]!), null, part.at)
    return values && call('tuple', values, part.at)
  }
  if (part.kind === 'call' && part.name === 'exists' && part.args[0]?.kind === 'query')
    return given('UInt8', answerUnion(part.args[0].query, scope).rows.length > 0 ? 1 : 0, part.at)
  if (part.kind !== 'list' || !part.items.some(item => item.kind === 'query')) return undefined
  const items = part.items.flatMap((item): readonly Expression[] => {
    if (item.kind !== 'query') return [answerOther(item)]
    const { types, rows } = answerUnion(item.query, scope)
    if (rows.length > maxRows) throw new InvalidQuery(`Expected a subquery with at most ${maxRows} rows`, item.at)
    return rows.map(row => {
      const values = row.map((value, index) => given(types[index]!, value, item.at))
      return values.length === 1 ? values[0]! : { kind: 'list', items: values, at: item.at }
    })
  })
  return { ...part, items }
}

/** Puts the values of queries in place of those in an expression. */
function answerQueries(expression: Expression, scope: Scope): Expression {
  return replaceParts(expression, part => answerQuery(part, scope, item => answerQueries(item, scope)))
}

export const answerQueriesOfSeries = (plan: SeriesPlan, scope: Scope): SeriesPlan => ({
  ...plan,
  filters: inPart('where', () => plan.filters.map(filter => answerQueries(filter, scope))),
})

export const answerQueriesOfRows = (plan: RowsPlan, scope: Scope): RowsPlan => ({
  ...plan,
  filters: inPart('where', () => plan.filters.map(filter => answerQueries(filter, scope))),
  orderBy: inPart('orderBy', () =>
    plan.orderBy.map(order => ({ ...order, expression: answerQueries(order.expression, scope) })),
  ),
})
