import { type MaybePromise, mapErrors, when, whenAll } from '../words/maybe-promise.ts'
import type { SelectItem, Source } from '../words/resources.ts'
import { compileFormula } from './query/formula.ts'
import { bucketSize, type Granularity } from './query/granularity.ts'
import { InvalidQuery } from './query/invalid-query.ts'
import type { Where } from './query/plan.ts'
import { parseSqlList } from './query/sql.ts'
import { planSourceSeries, type QueryChoices } from './source-terms.ts'
import type { Engine } from './telemetry.ts'

export type Item = Pick<SelectItem, 'aggFn'> & Partial<SelectItem>

/** An expression such as `A / B`, whose letters stand for the items in their order. */
export interface Formula {
  readonly expression: string
  readonly items: readonly Item[]
}

export interface TileQuery {
  readonly telemetry: Engine
  readonly source: Source
  readonly item: Item
  /** Evaluated instead of the item. */
  readonly formula?: Formula
  readonly filters?: readonly Where[]
  readonly groupBy?: string
  /** Epoch milliseconds, both ends included. */
  readonly start: number
  readonly end: number
  /** The size of a bucket, by name or in milliseconds. Without it, the whole range is one value. */
  readonly granularity?: Granularity | number
  readonly choices: QueryChoices
}

export interface TileRow {
  /** The start of the bucket, or of the range without a granularity. */
  readonly time: number
  readonly group: readonly string[]
  readonly value: number
}

/** The value of a formula for each bucket and group of its series; NaN after a division by zero. */
export function applyFormula(expression: string, series: readonly (readonly TileRow[])[]): readonly TileRow[] {
  const compute = compileFormula(expression)
  const points = new Map<string, { readonly row: TileRow; readonly values: number[] }>()
  for (const [index, rows] of series.entries()) {
    for (const row of rows) {
      const key = JSON.stringify([row.time, row.group])
      const point = points.get(key) ?? { row, values: [] }
      point.values[index] = row.value
      points.set(key, point)
    }
  }
  return [...points.values()]
    .map(({ row, values }) => ({ ...row, value: compute(values) }))
    .sort((one, other) => one.time - other.time)
}

/** Evaluates one series of a tile, without empty buckets and groups. An invalid query throws an Error with a sentence. */
export function evaluateTile(query: TileQuery): MaybePromise<readonly TileRow[]> {
  const { formula } = query
  if (!formula) return evaluateItem(query)
  const series = formula.items.map(item => evaluateItem({ ...query, item }))
  return whenAll(series, series => applyFormula(formula.expression, series).filter(({ value }) => !Number.isNaN(value)))
}

function evaluateItem(query: TileQuery): MaybePromise<readonly TileRow[]> {
  const { telemetry, source, item, filters, groupBy, start, end, granularity, choices } = query
  const evaluate = () => {
    const series = {
      aggFn: item.aggFn,
      level: item.level,
      field: item.valueExpression,
      where: { text: item.where ?? '', language: item.whereLanguage },
      filters,
      groupBy: groupBy?.trim() ? parseSqlList(groupBy) : [],
      start,
      end,
      bucket: typeof granularity === 'string' ? bucketSize(granularity, start, end) : granularity,
      metricName: item.metricName,
      metricType: item.metricType,
    }
    return when(telemetry.chart(source, planSourceSeries(source, series, choices)), points =>
      points.map(({ time, group, value }) => ({ time, group: group.map(String), value: Number(value) })),
    )
  }
  return mapErrors(evaluate, explain)
}

/** Replaces an error of a query by one with a sentence. */
export function explain(error: unknown): unknown {
  if (!(error instanceof InvalidQuery)) return error
  const { part, at, sentence } = error
  return new Error(`${part ? `${part}, ` : ''}column ${at + 1}: ${sentence}`)
}
