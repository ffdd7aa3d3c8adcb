import { defaultLimits } from '../../words/limits.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { type Aggregation, type Point, refuseMetricFunction, type SeriesPlan } from '../query/plan.ts'
import { Statement, type Values } from './statement.ts'
import { type Table, writeFrom } from './table.ts'

/** A query and how to read its rows. */
export interface Query<T> {
  readonly sql: string
  readonly values: Values
  /** Limit of the rows of the answer. */
  readonly max: number
  read(rows: readonly (readonly unknown[])[]): readonly T[]
}

export function writeChart(plan: SeriesPlan, table: Table): Query<Point> {
  const statement = new Statement()
  const groups = plan.groupBy.map(group => statement.write(group))
  const value = writeAggregate(plan, table, statement)
  const from = writeFrom(table, plan, statement)
  const select = [`${writeBucket(plan, table, statement)} AS __t`, ...withAliases(groups), `${value} AS __v`]
  return writeGrouped(plan, statement, `SELECT ${select.join(', ')} ${from}`)
}

export const withAliases = (groups: readonly string[]) => groups.map((group, index) => `${group} AS __g${index}`)
export const groupAliases = ({ groupBy }: SeriesPlan) => groupBy.map((_, index) => `__g${index}`)

export function writeBucket({ bucket, start }: SeriesPlan, { milliseconds }: Table, statement: Statement): string {
  if (!bucket) return statement.value(start, 'Int64')
  const size = statement.value(bucket, 'Int64')
  return `intDiv(${milliseconds}, ${size}) * ${size}`
}

/** Adds GROUP BY, ORDER BY and LIMIT, and reads the rows as points. LIMIT is one more than allowed, to detect an excess. */
export function writeGrouped(plan: SeriesPlan, statement: Statement, sql: string): Query<Point> {
  const { max = defaultLimits.points } = plan
  return {
    sql: `${sql} GROUP BY ${['__t', ...groupAliases(plan)].join(', ')} ORDER BY __t LIMIT ${max + 1}`,
    values: statement.values,
    max: max + 1,
    read: rows => rows.map(row => ({ time: Number(row[0]), group: row.slice(1, -1), value: row.at(-1) })),
  }
}

function writeAggregate({ aggFn, value, level }: Aggregation, { time }: Table, statement: Statement): string {
  if (aggFn === 'count') return 'count()'
  refuseMetricFunction(aggFn)
  const expression = statement.write(value!)
  if (aggFn === 'count_distinct') return `uniqExact(${expression})`
  if (aggFn === 'any') return `any(${expression})`
  // Anything other than a number counts as 0, as in deployments.
  const number = `toFloat64OrDefault(toString(${expression}))`
  return aggFn === 'last_value' ? `argMax(${number}, ${time})` : writeNumberAggregate({ aggFn, level }, number)
}

const sqlAggregates: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'avg'])

export function writeNumberAggregate({ aggFn, level }: Aggregation, number: string): string {
  if (sqlAggregates.has(aggFn)) return `${aggFn}(${number})`
  if (aggFn === 'quantile') return `quantile(${writeLevel(level)})(${number})`
  throw new InvalidQuery(`Expected an aggregate, but "${aggFn}" is none`)
}

/** A level cannot be a bound parameter. It is checked to be a number, so that no other text gets into the statement. */
function writeLevel(level = 0.5): string {
  if (!(level >= 0 && level <= 1)) throw new InvalidQuery('Expected a level from 0 to 1')
  return String(level)
}
