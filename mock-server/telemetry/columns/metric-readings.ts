import { type Bin, Distribution } from '../query/distribution.ts'
import type { Metric } from '../query/metric.ts'
import type { Aggregation } from '../query/plan.ts'
import { aggregateOf, type Total } from './aggregate.ts'
import type { Budget } from './budget.ts'
import { type MetricRows, type Reading, readBins, readCounts, readGauge, readSum } from './metric-points.ts'

/** How the points of a metric are read for an aggregate, and what adds up the readings by their number. */
interface Readings<Value> {
  read(rows: MetricRows): readonly Reading<Value>[]
  totalOf(readings: readonly Reading<Value>[]): () => Total
}

export function chooseReadings(metric: Metric, { aggFn, level }: Aggregation, budget: Budget): Readings<unknown> {
  if (metric.type === 'gauge') return numbers(rows => readGauge(rows, metric), aggFn, level, budget)
  if (metric.type === 'sum') return numbers(rows => readSum(rows, metric, aggFn), aggFn, level, budget)
  if (aggFn === 'count') {
    return { read: rows => readCounts(rows, metric), totalOf: readings => () => countTotal(readings as Counts) }
  }
  const scale = metric.type === 'histogram' ? 'linear' : 'proportional'
  const quantile = (readings: readonly Reading<readonly Bin[]>[]): Total => {
    const distribution = new Distribution()
    return {
      add: item => {
        const bins = readings[item]!.value
        budget.spend(bins.length)
        for (const bin of bins) distribution.add(bin)
      },
      // Where nothing was observed, there is no point.
      result: () => distribution.quantile(level ?? 0.5, scale),
    }
  }
  return {
    read: rows => readBins(rows, metric),
    totalOf: readings => () => quantile(readings as readonly Reading<readonly Bin[]>[]),
  }
}

type Counts = readonly Reading<number>[]

/** The aggregate runs over the readings of all series of a group. */
function numbers(
  read: (rows: MetricRows) => Counts,
  aggFn: string,
  level: number | undefined,
  budget: Budget,
): Readings<unknown> {
  const own: Readonly<Record<string, string>> = { increase: 'sum', none: 'last_value' }
  return {
    read,
    totalOf: readings =>
      aggregateOf(
        { type: 'Float64', constant: false, at: item => (readings as Counts)[item]!.value },
        { aggFn: own[aggFn] ?? aggFn, level },
        budget,
      ),
  }
}

function countTotal(readings: Counts): Total {
  let count = 0
  return {
    add: item => {
      count += readings[item]!.value
    },
    result: () => String(count),
  }
}
