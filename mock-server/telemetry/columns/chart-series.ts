import { defaultLimits } from '../../words/limits.ts'
import type { Expression } from '../query/expression.ts'
import { bucketOf } from '../query/granularity.ts'
import { inPart } from '../query/invalid-query.ts'
import { type Metric, type Point, pointsOf, type SeriesPlan, tooManyPoints } from '../query/plan.ts'
import { compileAggregate } from './aggregate.ts'
import { joinArrays } from './array-join.ts'
import { Budget } from './budget.ts'
import { compileExpression, compileFilters, type Filter } from './compile-expression.ts'
import type { Compiled } from './compiled.ts'
import type { Aggregate } from './functions/aggregate-functions.ts'
import { compileGroupKey, createGroups } from './groups.ts'
import { jsonValue } from './json-value.ts'
import { readMetric } from './metric-points.ts'
import type { RowStore } from './row-store.ts'

/** Evaluates one series over the rows of a store. Points are sorted by time; empty buckets and groups are omitted. */
export function evaluateSeries(store: RowStore, query: SeriesPlan, budget = new Budget()): readonly Point[] {
  const { value } = query
  const join = query.metric
    ? undefined
    : joinArrays(store, [...query.filters, ...query.groupBy, ...(value ? [value] : [])], budget)
  const replace = (expression: Expression) => (join ? join.replace(expression) : expression)
  const filter = inPart('where', () => compileFilters(store, query.filters.map(replace), budget))
  const groups = inPart('groupBy', () => query.groupBy.map(group => compileExpression(store, replace(group), budget)))
  if (query.metric) return evaluateMetric(store, query, query.metric, groups, filter, budget)
  const aggregation = value ? { ...query, value: replace(value) } : query
  const aggregate = inPart('field', () => compileAggregate(store, aggregation, budget))
  const buckets = createBuckets(query, groups, aggregate, budget)
  const timeOf = timeOfBucket(store, query)
  const addRow = (row: number) => {
    if (!filter || filter(row)) buckets.add(timeOf(row), row)
  }
  const visitRow = join ? (row: number) => join.visit(row, () => addRow(row)) : addRow
  inPart('where', () => store.visit(query.start, query.end, visitRow))
  return buckets.points()
}

/** The types of the groups and of the value of a series, as the database writes them. */
export function typesOfSeries(store: RowStore, { groupBy, value, aggFn }: SeriesPlan, budget: Budget) {
  const join = joinArrays(store, [...groupBy, ...(value ? [value] : [])], budget)
  const typeOf = (expression: Expression) =>
    compileExpression(store, join ? join.replace(expression) : expression, budget).type
  return {
    groups: inPart('groupBy', () => groupBy.map(typeOf)),
    value: aggFn === 'any' && value ? inPart('field', () => typeOf(value)) : 'Float64',
  }
}

/** Evaluates one series over a metric, whose points are first converted to readings per set of attributes. */
function evaluateMetric(
  store: RowStore,
  query: SeriesPlan,
  metric: Metric,
  groups: readonly Compiled[],
  filter: Filter | undefined,
  budget: Budget,
): readonly Point[] {
  const { bucket, isOneByOne } = query
  const names = store.text('MetricName')
  const types = store.text('MetricType')
  const isRead = (row: number) =>
    names.text(row) === metric.name && types.text(row) === metric.type && (!filter || filter(row))
  const groupOf = compileGroupKey(groups, budget)
  const readRange = (query: SeriesPlan): readonly Point[] => {
    const { start, end } = query
    const range = pointsOf(query, metric)
    const rows: number[] = []
    const addPoint = (row: number) => {
      if (isRead(row)) rows.push(row)
    }
    inPart('where', () => store.visit(query.pointsFrom?.(start) ?? range.start, range.end, addPoint))
    // A stable sort: of two points at the same time, the one that was stored later comes last and counts.
    rows.sort((a, b) => store.times[a]! - store.times[b]!)
    const timeOf = timeOfBucket(store, { bucket: range.bucket, start })
    const isAnswered = (row: number) => timeOf(row) >= start && timeOf(row) <= end
    const { readings, aggregate } = readMetric({ store, rows, isAnswered, timeOf, groupOf, budget }, metric, query)
    const buckets = createBuckets(query, groups, aggregate, budget)
    for (const [item, { time, row }] of readings.entries()) buckets.add(bucket ? time : start, row, item)
    return buckets.points()
  }
  // The windows of a gauge have no points in common, unless the start of the range cuts a bucket.
  const isOneQuery = !isOneByOne || (metric.type === 'gauge' && query.start % (bucket ?? 1) === 0)
  if (isOneQuery || !bucket) return readRange(query)
  const points: Point[] = []
  for (let start = query.start; start <= query.end; start += bucket) {
    const end = Math.min(start + bucket - 1, query.end)
    for (const point of readRange({ ...query, start, end }))
      points.push({ ...point, time: Math.max(point.time, start) })
  }
  return points
}

function timeOfBucket(
  { times }: RowStore,
  { bucket, cut, start }: Pick<SeriesPlan, 'bucket' | 'cut' | 'start'>,
): (row: number) => number {
  if (!bucket) return () => start
  if (cut === undefined) return row => bucketOf(times[row]!, bucket)
  return row => Math.max(bucketOf(times[row]!, bucket), bucketOf(times[row]! - cut, bucket) + cut)
}

/** The points of a series: `add` puts an item, by default the row itself, into the group of a row in the bucket of a time. */
function createBuckets(
  { max = defaultLimits.points }: SeriesPlan,
  keys: readonly Compiled[],
  { type, create }: Aggregate,
  budget: Budget,
) {
  const createOne = () => {
    if (groups.all.length >= max) throw tooManyPoints(max)
    return create()
  }
  const groups = createGroups(keys, createOne, budget)
  return {
    add: (time: number, row: number, item = row) => groups.find(time, row).add(item),
    points: (): readonly Point[] =>
      groups.all
        .toSorted((a, b) => a.time - b.time)
        .flatMap(({ time, key, total }) => {
          const value = total.result()
          const group = key.map((one, index) => jsonValue(keys[index]!.type, one))
          return value === undefined ? [] : [{ time, group, value: jsonValue(type, value) }]
        }),
  }
}
