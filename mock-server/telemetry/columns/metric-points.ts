import { type Bin, binsOf, Distribution, exponentialBin } from '../query/distribution.ts'
import type { Aggregation, Metric } from '../query/plan.ts'
import { aggregateCompiled } from './aggregate.ts'
import type { Budget } from './budget.ts'
import type { TextColumn } from './column.ts'
import type { Scalar } from './compiled.ts'
import type { Accumulator, Aggregate } from './functions/aggregate-functions.ts'
import type { RowStore } from './row-store.ts'

/** The value of a series in a time bucket, or what one histogram point adds to the previous one. */
interface Reading<Value> {
  readonly time: number
  /** The row whose columns determine the group of the reading. */
  readonly row: number
  value: Value
}

/** The rows of one metric, sorted by time, and how they are read. */
interface MetricRows {
  readonly store: RowStore
  readonly rows: readonly number[]
  /** Whether the bucket of a row is answered; the other rows only provide the previous value of a series. */
  readonly isAnswered: (row: number) => boolean
  /** The start of the bucket of a row. */
  readonly timeOf: (row: number) => number
  /** The group of a row: histogram points are compared within their group. */
  readonly groupOf: (row: number) => Scalar
  readonly budget: Budget
}

/** Reads a metric for one aggregate function. Its accumulators take the indexes of readings. */
export function readMetric(
  rows: MetricRows,
  metric: Metric,
  { aggFn, level = 0.5 }: Aggregation,
): { readonly readings: readonly Reading<unknown>[]; readonly aggregate: Aggregate } {
  const { budget } = rows
  if (metric.type === 'gauge' || metric.type === 'sum') {
    const readings = metric.type === 'gauge' ? readGauge(rows, metric) : readSum(rows, metric, aggFn)
    const value = { type: 'Float64', constant: false, at: (item: number) => readings[item]!.value }
    const combining = { aggFn: combiningFunction[aggFn] ?? aggFn, level }
    return { readings, aggregate: aggregateCompiled(value, combining, budget) }
  }
  if (aggFn === 'count') {
    const readings = readCounts(rows, metric)
    return { readings, aggregate: { type: 'UInt64', create: () => countAccumulator(readings) } }
  }
  const readings = readBins(rows, metric)
  const scale = metric.type === 'histogram' ? 'linear' : 'exponential'
  return { readings, aggregate: { type: 'Float64', create: () => quantileAccumulator(readings, level, scale, budget) } }
}

/** For functions that the readings already apply: the function that then combines the readings. */
const combiningFunction: Readonly<Record<string, string>> = { increase: 'sum', none: 'last_value' }

function countAccumulator(readings: readonly Reading<number>[]): Accumulator {
  let count = 0
  const add = (item: number) => {
    count += readings[item]!.value
  }
  return { add, result: () => count }
}

/** A bucket without observations has no result, and hence no point in the chart. */
function quantileAccumulator(
  readings: readonly Reading<readonly Bin[]>[],
  level: number,
  scale: 'linear' | 'exponential',
  budget: Budget,
): Accumulator {
  const distribution = new Distribution()
  return {
    add: item => {
      const bins = readings[item]!.value
      budget.spend(bins.length)
      for (const bin of bins) distribution.add(bin)
    },
    result: () => distribution.quantile(level, scale),
  }
}

const deltaTemporality = 1

/** Gauge: the last value of each series and bucket. */
function readGauge(metricRows: MetricRows, { edition }: Metric): readonly Reading<number>[] {
  const { store, rows, isAnswered } = metricRows
  const values = store.number('Value')
  const readings = newReadings(metricRows, seriesKey(store, edition, metricRows.budget))
  for (const row of rows) if (isAnswered(row)) readings.of(row).value = values.at(row)
  return readings.all
}

/**
 * Counter: the increase of each series and bucket. In a cumulative sum, a decrease and the first point count 0. Edition
 * 2.24 reads non-monotonic sums as running totals. The aggregate `none` yields the last running total.
 */
function readSum(metricRows: MetricRows, { edition }: Metric, aggFn: string): readonly Reading<number>[] {
  const { store, rows, isAnswered } = metricRows
  const values = store.number('Value')
  const temporalities = store.number('AggregationTemporality')
  const monotonic = store.number('IsMonotonic')
  const key = seriesKey(store, edition, metricRows.budget)
  const readings = newReadings(metricRows, key)
  const lastTotals = new Map<string, number>()
  for (const row of rows) {
    const series = key(row)
    const before = lastTotals.get(series)
    const value = values.at(row)
    const isDelta = temporalities.at(row) === deltaTemporality
    const total = isDelta ? (before ?? 0) + value : value
    lastTotals.set(series, total)
    if (!isAnswered(row)) continue
    const reading = readings.of(row, series)
    const isTotal = aggFn === 'none' || (edition === '2.24' && monotonic.at(row) === 0)
    if (isTotal) reading.value = total
    else reading.value += isDelta ? value : Math.max(0, total - (before ?? total))
  }
  return readings.all
}

/** Histogram: the number of values that each point adds to the previous one. In edition 2.24 the first point adds all of its values. */
function readCounts(rows: MetricRows, metric: Metric): readonly Reading<number>[] {
  const counts = rows.store.number('Count')
  const isOld = metric.edition === '2.24'
  const countIncrease = (count: number, before: number | undefined, isDelta: boolean) => {
    if (isDelta) return count
    if (before === undefined) return isOld ? count : 0
    // After a restart the counter starts from 0.
    return count < before ? (isOld ? 0 : count) : count - before
  }
  return readPoints(rows, metric, row => counts.at(row), countIncrease)
}

/** Histogram: the values that each point adds to the previous one, by bin. */
function readBins(rows: MetricRows, metric: Metric): readonly Reading<readonly Bin[]>[] {
  const countsOf = metric.type === 'histogram' ? explicitCounts(rows.store) : exponentialCounts(rows)
  const chargedCountsOf = (row: number) => {
    const counts = countsOf(row)
    rows.budget.spend(counts.bins.size)
    return counts
  }
  return readPoints(rows, metric, chargedCountsOf, (counts, before, isDelta) =>
    isDelta || (!before && metric.edition === '2.24')
      ? [...counts.bins.values()]
      : before && subtractCounts(counts, before),
  )
}

/** A reading for each point, computed from the previous point of its series and group; none if `increaseOf` returns undefined. */
function readPoints<Point, Value>(
  { store, rows, isAnswered, timeOf, groupOf, budget }: MetricRows,
  { edition }: Metric,
  pointOf: (row: number) => Point,
  increaseOf: (point: Point, before: Point | undefined, isDelta: boolean) => Value | undefined,
): readonly Reading<Value>[] {
  const temporalities = store.number('AggregationTemporality')
  const key = seriesKey(store, edition, budget)
  const lastPoints = new Map<string, Point>()
  const readings: Reading<Value>[] = []
  for (const row of rows) {
    const series = `${groupOf(row)}\0${key(row)}`
    const before = lastPoints.get(series)
    const point = pointOf(row)
    lastPoints.set(series, point)
    if (!isAnswered(row)) continue
    const value = increaseOf(point, before, temporalities.at(row) === deltaTemporality)
    if (value !== undefined) readings.push({ time: timeOf(row), row, value })
  }
  return readings
}

/** The bins of a point by index; points with different bounds cannot be compared. */
interface Counts {
  readonly bounds: string
  readonly bins: ReadonlyMap<number, Bin>
}

function subtractCounts({ bounds, bins }: Counts, before: Counts): readonly Bin[] {
  const hasDecreased = [...before.bins].some(([index, { count }]) => count > (bins.get(index)?.count ?? 0))
  // The counter was reset.
  if (bounds !== before.bounds || hasDecreased) return [...bins.values()]
  return [...bins].map(([index, bin]) => ({ ...bin, count: bin.count - (before.bins.get(index)?.count ?? 0) }))
}

function explicitCounts(store: RowStore): (row: number) => Counts {
  const counts = store.numbers('BucketCounts')
  const bounds = store.numbers('ExplicitBounds')
  return row => {
    const bins = binsOf(counts.at(row), bounds.at(row))
    return { bounds: bounds.at(row).join(), bins: new Map(bins.entries()) }
  }
}

/** The key of the bin for 0, because the other bins take all integers. */
const zeroBin = Number.NaN

/** Converts points of different scales to the coarsest one: each of its bins consists of whole bins of the finer scales. */
function exponentialCounts({ store, rows }: MetricRows): (row: number) => Counts {
  const scales = store.number('Scale')
  const zeros = store.number('ZeroCount')
  const scale = rows.reduce((min, row) => Math.min(min, scales.at(row)), Number.POSITIVE_INFINITY)
  const sides = ([1, -1] as const).map(side => {
    const name = side === 1 ? 'Positive' : 'Negative'
    return { side, counts: store.numbers(`${name}BucketCounts`), offset: store.number(`${name}Offset`) }
  })
  return row => {
    const bins = new Map<number, Bin>()
    if (zeros.at(row) > 0) bins.set(zeroBin, { low: 0, high: 0, count: zeros.at(row) })
    for (const { side, counts, offset } of sides) {
      counts.at(row).forEach((count, at) => {
        if (count === 0) return
        const index = Math.floor((offset.at(row) + at) / 2 ** (scales.at(row) - scale))
        // Positive and negative bins have one map: even keys are positive.
        const key = index * 2 + (side === 1 ? 0 : 1)
        bins.set(key, exponentialBin(side, index, scale, count + (bins.get(key)?.count ?? 0)))
      })
    }
    return { bounds: '', bins }
  }
}

/** Collects one reading per series and bucket. Rows are sorted by time, so that only the latest bucket of a series can change. */
function newReadings({ timeOf }: MetricRows, key: (row: number) => string) {
  const latest = new Map<string, Reading<number>>()
  const all: Reading<number>[] = []
  const of = (row: number, series = key(row)): Reading<number> => {
    const time = timeOf(row)
    const reading = latest.get(series)
    if (reading?.time === time) return reading
    const next = { time, row, value: 0 }
    latest.set(series, next)
    all.push(next)
    return next
  }
  return { all, of }
}

const attributes = ['ScopeAttributes', 'ResourceAttributes', 'Attributes']

/** The identity of a series: its attributes. In edition 2.24 it does not matter in which of the three maps an attribute is. */
function seriesKey(store: RowStore, edition: Metric['edition'], budget: Budget): (row: number) => string {
  const maps = attributes.map(name => {
    const column = store.columns.get(name)
    return column?.type === 'map' ? [...column.keys] : []
  })
  return row => {
    let key = ''
    for (const keys of maps) {
      for (const [name, column] of keys as [string, TextColumn][]) {
        // Code 0 is the empty string: the row has no such attribute.
        if (column.code(row) !== 0) key += `${name}\0${column.text(row)}\0`
      }
      if (edition === '2.36') key += '\u0001'
    }
    budget.chargeCharacters(key.length + maps.length)
    return key
  }
}
