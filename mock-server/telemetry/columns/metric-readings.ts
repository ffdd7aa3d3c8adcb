import { Unreadable } from '../query/unreadable.ts'
import { type Aggregation, aggregateOf, type Total } from './aggregate.ts'
import type { Budget } from './budget.ts'
import { type Bin, Distribution } from './distribution.ts'
import {
  type Metric,
  type MetricRows,
  type Reading,
  readBins,
  readCounts,
  readGauge,
  readSum,
} from './metric-points.ts'

/** How the points of a metric are read for an aggregate, and what adds up the readings by their number. */
interface Readings<Value> {
  read(rows: MetricRows): readonly Reading<Value>[]
  totalOf(readings: readonly Reading<Value>[]): () => Total
}

/** Refuses aggregates that metrics of this type do not have. */
export function chooseReadings(metric: Metric, { aggFn, level }: Aggregation, budget: Budget): Readings<unknown> {
  if (metric.type === 'gauge') {
    if (aggFn === 'increase') throw new Unreadable('Expected a metric of the type sum, which alone has an increase')
    return numbers(rows => readGauge(rows, metric), aggFn, level, budget)
  }
  if (metric.type === 'sum') return numbers(rows => readSum(rows, metric, aggFn), aggFn, level, budget)
  if (aggFn === 'count') {
    return { read: rows => readCounts(rows, metric), totalOf: readings => () => countTotal(readings as Counts) }
  }
  if (aggFn !== 'quantile') {
    const says = `Expected quantile or count of a metric of the type ${metric.type}, which has no "${aggFn}"`
    const raw =
      metric.type === 'histogram'
        ? `${aggFn} is not supported for histograms currently`
        : `${aggFn} is not currently supported for exponential histogram metrics`
    throw new Unreadable(says, 0, raw)
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
        { type: 'float', constant: false, at: item => (readings as Counts)[item]!.value },
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
