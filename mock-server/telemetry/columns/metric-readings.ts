import { type Bin, Distribution } from '../query/distribution.ts'
import type { Metric } from '../query/metric.ts'
import type { Aggregation } from '../query/plan.ts'
import { aggregateOf, type Total } from './aggregate.ts'
import type { Budget } from './budget.ts'
import { type MetricRows, type Reading, readBins, readCounts, readGauge, readSum } from './metric-points.ts'

/** The readings of a metric for one aggregate function, and the accumulator that adds them by index. */
interface Readings {
  readonly readings: readonly Reading<unknown>[]
  readonly newTotal: () => Total
}

export function readMetric(rows: MetricRows, metric: Metric, { aggFn, level = 0.5 }: Aggregation): Readings {
  const { budget } = rows
  if (metric.type === 'gauge' || metric.type === 'sum') {
    const readings = metric.type === 'gauge' ? readGauge(rows, metric) : readSum(rows, metric, aggFn)
    const value = { type: 'Float64', constant: false, at: (item: number) => readings[item]!.value }
    return { readings, newTotal: aggregateOf(value, { aggFn: own[aggFn] ?? aggFn, level }, budget) }
  }
  if (aggFn === 'count') {
    const readings = readCounts(rows, metric)
    return { readings, newTotal: () => countTotal(readings) }
  }
  const readings = readBins(rows, metric)
  const scale = metric.type === 'histogram' ? 'linear' : 'proportional'
  return { readings, newTotal: () => quantileTotal(readings, level, scale, budget) }
}

/** Maps an aggregate function over events to the one over the readings of all series of a group. */
const own: Readonly<Record<string, string>> = { increase: 'sum', none: 'last_value' }

function countTotal(readings: readonly Reading<number>[]): Total {
  let count = 0
  return {
    add: item => {
      count += readings[item]!.value
    },
    result: () => String(count),
  }
}

/** Buckets without an observation yield no point. */
function quantileTotal(
  readings: readonly Reading<readonly Bin[]>[],
  level: number,
  scale: 'linear' | 'proportional',
  budget: Budget,
): Total {
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
