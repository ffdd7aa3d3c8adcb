import { type Bin, binsOf, exponentialBin } from '../query/distribution.ts'
import type { Metric } from '../query/metric.ts'
import type { Budget } from './budget.ts'
import type { TextColumn } from './column.ts'
import type { Scalar } from './compiled.ts'
import type { RowStore } from './row-store.ts'

/** What the points of one series say about one bucket, or one point of a histogram about its bucket. */
export interface Reading<Value> {
  readonly time: number
  /** The row whose columns stand for the reading, where it is grouped. */
  readonly row: number
  value: Value
}

/** The rows of one metric, in order of time. */
export interface MetricRows {
  readonly store: RowStore
  readonly rows: readonly number[]
  /** Rows before this time say only what came before. */
  readonly start: number
  readonly timeOf: (row: number) => number
  /** The group of a row: points of a histogram are compared within it alone. */
  readonly groupOf: (row: number) => Scalar
  readonly budget: Budget
}

const deltaTemporality = 1

/** Of a gauge, the last value of each series and bucket. */
export function readGauge(about: MetricRows, { as }: Metric): readonly Reading<number>[] {
  const { store, rows, start } = about
  const values = store.number('Value')
  const read = newReadings(about, seriesKey(store, as, about.budget))
  for (const row of rows) if (store.times[row]! >= start) read.at(row).value = values.number(row)
  return read.all
}

/**
 * Of a counter, its increase in each series and bucket: a decrease counts 0, as does the first point of a series. The older
 * edition takes sums that may fall as they are. With `none`, the last running total.
 */
export function readSum(about: MetricRows, { as }: Metric, aggFn: string): readonly Reading<number>[] {
  const { store, rows, start } = about
  const [values, temporalities, monotonic] = ['Value', 'AggregationTemporality', 'IsMonotonic'].map(name =>
    store.number(name),
  )
  const key = seriesKey(store, as, about.budget)
  const read = newReadings(about, key)
  const last = new Map<string, number>()
  for (const row of rows) {
    const series = key(row)
    const before = last.get(series)
    const value = values!.number(row)
    const isDelta = temporalities!.number(row) === deltaTemporality
    const total = isDelta ? (before ?? 0) + value : value
    last.set(series, total)
    if (store.times[row]! < start) continue
    const reading = read.at(row, series)
    const isTotal = aggFn === 'none' || (as === '2.24' && monotonic!.number(row) === 0)
    if (isTotal) reading.value = total
    else reading.value += isDelta ? value : Math.max(0, total - (before ?? total))
  }
  return read.all
}

/** Of a histogram, how many values each point adds to those of the point before. */
export function readCounts(rows: MetricRows, metric: Metric): readonly Reading<number>[] {
  const counts = rows.store.number('Count')
  const added = (count: number, before: number | undefined, isDelta: boolean) => {
    // After a restart, a counter has counted from 0.
    if (isDelta || (before !== undefined && count < before)) return count
    return before === undefined ? 0 : count - before
  }
  return readPoints(rows, metric, row => counts.number(row), added)
}

/** Of a histogram, the values that each point adds to those of the point before, by their bins. */
export function readBins(rows: MetricRows, metric: Metric): readonly Reading<readonly Bin[]>[] {
  const countsOf = metric.type === 'histogram' ? explicitCounts(rows.store) : exponentialCounts(rows)
  const spendingCountsOf = (row: number) => {
    const counts = countsOf(row)
    rows.budget.spend(counts.bins.size)
    return counts
  }
  return readPoints(rows, metric, spendingCountsOf, (counts, before, isDelta) =>
    isDelta ? [...counts.bins.values()] : before && added(counts, before),
  )
}

/** A reading for each point, by the point before it in its series and group; where it says nothing, there is none. */
function readPoints<Point, Value>(
  { store, rows, start, timeOf, groupOf, budget }: MetricRows,
  { as }: Metric,
  pointOf: (row: number) => Point,
  gainOf: (point: Point, before: Point | undefined, isDelta: boolean) => Value | undefined,
): readonly Reading<Value>[] {
  const temporalities = store.number('AggregationTemporality')
  const key = seriesKey(store, as, budget)
  const last = new Map<string, Point>()
  const readings: Reading<Value>[] = []
  for (const row of rows) {
    const series = `${groupOf(row)}\0${key(row)}`
    const before = last.get(series)
    const point = pointOf(row)
    last.set(series, point)
    if (store.times[row]! < start) continue
    const value = gainOf(point, before, temporalities.number(row) === deltaTemporality)
    if (value !== undefined) readings.push({ time: timeOf(row), row, value })
  }
  return readings
}

/** The bins of one point by their place; points of other bounds cannot be compared. */
interface Counts {
  readonly bounds: string
  readonly bins: ReadonlyMap<number, Bin>
}

function added({ bounds, bins }: Counts, before: Counts): readonly Bin[] {
  const isSmaller = [...before.bins].some(([place, { count }]) => count > (bins.get(place)?.count ?? 0))
  // Other bounds or a decrease: what counts is new.
  if (bounds !== before.bounds || isSmaller) return [...bins.values()]
  return [...bins].map(([place, bin]) => ({ ...bin, count: bin.count - (before.bins.get(place)?.count ?? 0) }))
}

function explicitCounts(store: RowStore): (row: number) => Counts {
  const counts = store.numbers('BucketCounts')
  const bounds = store.numbers('ExplicitBounds')
  return row => {
    const bins = binsOf(counts.numbers(row), bounds.numbers(row))
    return { bounds: bounds.numbers(row).join(), bins: new Map(bins.entries()) }
  }
}

/** Points of different scales are brought to the coarsest: its bins hold whole bins of the others. */
function exponentialCounts({ store, rows }: MetricRows): (row: number) => Counts {
  const scales = store.number('Scale')
  const zeros = store.number('ZeroCount')
  const scale = rows.reduce((least, row) => Math.min(least, scales.number(row)), Number.POSITIVE_INFINITY)
  const sides = ([1, -1] as const).map(side => {
    const name = side === 1 ? 'Positive' : 'Negative'
    return { side, counts: store.numbers(`${name}BucketCounts`), offset: store.number(`${name}Offset`) }
  })
  return row => {
    const bins = new Map<number, Bin>()
    if (zeros.number(row) > 0) bins.set(Number.NaN, { low: 0, high: 0, count: zeros.number(row) })
    for (const { side, counts, offset } of sides) {
      counts.numbers(row).forEach((count, at) => {
        if (count === 0) return
        const index = Math.floor((offset.number(row) + at) / 2 ** (scales.number(row) - scale))
        // Both sides have the same indexes: even places are positive.
        const place = index * 2 + (side === 1 ? 0 : 1)
        bins.set(place, exponentialBin(side, index, scale, count + (bins.get(place)?.count ?? 0)))
      })
    }
    return { bounds: '', bins }
  }
}

/** One reading for each series and bucket; of rows in order of time, only the last bucket of a series is still open. */
function newReadings({ timeOf }: MetricRows, key: (row: number) => string) {
  const open = new Map<string, Reading<number>>()
  const all: Reading<number>[] = []
  const at = (row: number, series = key(row)): Reading<number> => {
    const time = timeOf(row)
    const last = open.get(series)
    if (last?.time === time) return last
    const reading = { time, row, value: 0 }
    open.set(series, reading)
    all.push(reading)
    return reading
  }
  return { all, at }
}

const attributes = ['ScopeAttributes', 'ResourceAttributes', 'Attributes']

/** A series is one set of attributes; the older edition does not see which of the three maps they stand in. */
function seriesKey(store: RowStore, as: Metric['as'], budget: Budget): (row: number) => string {
  const maps = attributes.map(name => {
    const column = store.columns.get(name)
    return column?.type === 'map' ? [...column.keys] : []
  })
  return row => {
    let key = ''
    for (const keys of maps) {
      for (const [name, column] of keys as [string, TextColumn][]) {
        if (column.code(row) !== 0) key += `${name}\0${column.text(row)}\0`
      }
      if (as === '2.36') key += '\u0001'
    }
    budget.read(key.length + maps.length)
    return key
  }
}
