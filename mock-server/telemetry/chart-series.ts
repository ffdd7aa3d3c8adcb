import { usualLimits } from '../words/limits.ts'
import { refused } from '../words/refusal.ts'
import { type Aggregation, compileAggregate, type Total } from './aggregate.ts'
import { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { compileFilter, type Filter, type Where } from './filter.ts'
import { bucketOf } from './granularity.ts'
import { jsonValue } from './json-value.ts'
import type { Dialect } from './lucene-to-sql.ts'
import type { RowStore } from './row-store.ts'
import { parseSql } from './sql-condition.ts'
import { type Expression, nameOf } from './sql-expression.ts'
import { Unreadable } from './unreadable.ts'

export interface SeriesQuery extends Aggregation {
  readonly where: Where
  readonly groupBy: readonly Expression[]
  /** Epoch milliseconds; both ends count. */
  readonly start: number
  readonly end: number
  /** Milliseconds; without it, the whole range is one bucket that begins at `start`. */
  readonly bucket?: number
  readonly dialect: Dialect
  /** Rows of one metric only. */
  readonly metric?: { readonly name: string; readonly type: string }
  /** How many points there may be; more are refused. */
  readonly most?: number
  /** What it may cost; series of one query share it. */
  readonly budget?: Budget
}

/** One bucket and group: the values of the group are in the order of `groupBy`. */
export interface Point {
  readonly time: number
  readonly group: readonly unknown[]
  readonly value: unknown
}

/** A part of the query that cannot be read. */
export class UnreadablePart {
  constructor(
    readonly part: 'where' | 'field' | 'groupBy',
    readonly why: Unreadable,
  ) {}
}

/** Counts one series over the rows of a store. Points come in order of time; buckets and groups without rows are left out. */
export function evaluateSeries(store: RowStore, query: SeriesQuery): readonly Point[] {
  const { most = usualLimits.points, budget = new Budget() } = query
  const filter = reading('where', () => compileFilter(store, query.where, query.dialect, budget))
  const groups = reading('groupBy', () => query.groupBy.map(one => compileExpression(store, one, budget)))
  const newTotal = reading('field', () => compileAggregate(store, query, budget))
  const buckets = new Map<number, Map<Scalar, Slot>>()
  let points = 0
  let lastTime = Number.NaN
  let last: Map<Scalar, Slot> = new Map()
  const keyOf = groupKey(groups, budget)

  const look = (row: number) => {
    if (filter && !filter(row)) return
    const time = query.bucket ? bucketOf(store.times[row]!, query.bucket) : query.start
    if (time !== lastTime) {
      last = buckets.get(time) ?? new Map()
      buckets.set(time, last)
      lastTime = time
    }
    const key = keyOf(row)
    let slot = last.get(key)
    if (!slot) {
      if (++points > most) {
        throw refused(`series: Expected at most ${most} points: ask for a shorter time, longer buckets or fewer groups`)
      }
      budget.keep(key)
      slot = { total: newTotal(), row }
      last.set(key, slot)
    }
    slot.total.add(row)
  }
  const wanted = metricFilter(store, query)
  reading('where', () => store.visit(query.start, query.end, wanted ? row => wanted(row) && look(row) : look))

  return [...buckets]
    .sort(([a], [b]) => a - b)
    .flatMap(([time, slots]) =>
      [...slots.values()].map(({ total, row }) => ({
        time,
        group: groups.map(({ type, at }) => jsonValue(type, at(row))),
        value: total.result(),
      })),
    )
}

/** A running total, and the first row of its group. */
interface Slot {
  readonly total: Total
  readonly row: number
}

function groupKey(groups: readonly Compiled[], budget: Budget): (row: number) => Scalar {
  const [only] = groups
  if (!only) return () => 0
  if (groups.length === 1 && only.type !== 'map') return only.at
  return row => {
    let key = ''
    for (const { at } of groups) {
      const value = at(row)
      key += `${typeof value === 'object' ? JSON.stringify(value) : value}\0`
    }
    budget.read(key.length)
    return key
  }
}

function metricFilter(store: RowStore, { metric }: SeriesQuery): Filter | undefined {
  if (!metric) return undefined
  const names = store.text('MetricName')
  const types = store.text('MetricType')
  return row => names.text(row) === metric.name && types.text(row) === metric.type
}

function reading<T>(part: UnreadablePart['part'], read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unreadable ? new UnreadablePart(part, error) : error
  }
}

/** The groups that texts stand for, and the name of each in the database's answer. */
export function readGroups(texts: readonly string[]): { readonly groupBy: Expression[]; readonly names: string[] } {
  const groupBy = reading('groupBy', () => texts.map(parseSql))
  return { groupBy, names: groupBy.map(nameOf) }
}
