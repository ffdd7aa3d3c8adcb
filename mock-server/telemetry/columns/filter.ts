import type { Expression } from '../query/expression.ts'
import { parseLucene } from '../query/lucene.ts'
import { type Dialect, luceneToSql } from '../query/lucene-to-sql.ts'
import { parseSql } from '../query/sql.ts'
import { Unreadable } from '../query/unreadable.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import { isNumeric, type Scalar } from './compiled.ts'
import type { RowStore } from './row-store.ts'

/** Says of each row by its number whether it is wanted. */
export type Filter = (row: number) => boolean

export interface Where {
  readonly text: string
  /** The search dialect unless it says `sql` or `promql`, which are both read as SQL. */
  readonly language?: string
}

/** Makes a filter ready for the rows of a store; undefined when every row is wanted. */
export function compileFilter(
  store: RowStore,
  where: Where,
  dialect: Dialect,
  budget = new Budget(),
): Filter | undefined {
  const text = where.text.trim()
  if (text === '') return undefined
  const isLucene = (where.language ?? 'lucene') === 'lucene'
  const condition = isLucene ? luceneToSql(parseLucene(where.text), dialect) : parseSql(where.text)
  return condition && filterOf(store, condition, budget)
}

/** Makes filters ready that all have to hold. */
export function compileFilters(
  store: RowStore,
  wheres: readonly Where[],
  dialect: Dialect,
  budget = new Budget(),
): Filter | undefined {
  const filters = wheres.flatMap(where => compileFilter(store, where, dialect, budget) ?? [])
  return filters.length < 2 ? filters[0] : row => filters.every(filter => filter(row))
}

function filterOf(store: RowStore, condition: Expression, budget: Budget): Filter | undefined {
  const { type, constant, at } = compileExpression(store, condition, budget)
  // A condition has eight bits in the database: a truth, or a small number.
  if (!isNumeric(type) || type === 'wide')
    throw new Unreadable(`Expected a condition, but this is a ${type}`, condition.at)
  if (constant) return holds(at(0)) ? undefined : () => false
  return row => holds(at(row))
}

const holds = (value: Scalar) => value !== 0 && value !== null
