import { defaultLimits } from '../../words/limits.ts'
import { binsOf, Distribution } from '../query/distribution.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import {
  type Aggregation,
  type Metric,
  type Point,
  pointsOf,
  refuseMetricFunction,
  type SeriesPlan,
} from '../query/plan.ts'
import { Statement, type Values } from './statement.ts'
import { type Table, writeFrom } from './table.ts'

/** A query, and how to read the rows of its answer. `T` is what a row becomes. */
export interface Query<T> {
  readonly sql: string
  readonly values: Values
  /** Limit of the rows of the answer. */
  readonly max: number
  read(rows: readonly (readonly unknown[])[]): readonly T[]
}

export function writeChart(plan: SeriesPlan, table: Table): Query<Point> {
  if (plan.metric) return writeMetric(plan, plan.metric, table)
  const statement = new Statement()
  const groups = plan.groupBy.map(group => statement.write(group))
  const value = writeAggregate(plan, table, statement)
  const from = writeFrom(table, plan, statement)
  const select = [`${writeBucket(plan, table, statement)} AS __t`, ...withAliases(groups), `${value} AS __v`]
  return writeGrouped(plan, statement, `SELECT ${select.join(', ')} ${from}`)
}

/** In the SQL, `__t` is the bucket of the answer, `__g0` … are the groups, `__v` is the value, `__k` the series of a metric point. */
const withAliases = (groups: readonly string[]) => groups.map((group, index) => `${group} AS __g${index}`)
const groupAliases = ({ groupBy }: SeriesPlan) => groupBy.map((_, index) => `__g${index}`)

function writeBucket(
  { bucket, start }: Pick<SeriesPlan, 'bucket' | 'start'>,
  { milliseconds }: Table,
  statement: Statement,
): string {
  if (!bucket) return statement.value(start, 'Int64')
  const size = statement.value(bucket, 'Int64')
  return `intDiv(${milliseconds}, ${size}) * ${size}`
}

/** Adds GROUP BY, ORDER BY and LIMIT, and reads the rows as points. LIMIT is one more than allowed, to detect an excess. */
function writeGrouped(plan: SeriesPlan, statement: Statement, sql: string, ...moreKeys: string[]): Query<Point> {
  const { max = defaultLimits.points } = plan
  return {
    sql: `${sql} GROUP BY ${['__t', ...groupAliases(plan), ...moreKeys].join(', ')} ORDER BY __t LIMIT ${max + 1}`,
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

function writeNumberAggregate({ aggFn, level }: Aggregation, number: string): string {
  if (sqlAggregates.has(aggFn)) return `${aggFn}(${number})`
  if (aggFn === 'quantile') return `quantile(${writeLevel(level)})(${number})`
  throw new InvalidQuery(`Expected an aggregate, but "${aggFn}" is none`)
}

/** A level cannot be a bound parameter. It is checked to be a number, so that no other text gets into the statement. */
function writeLevel(level = 0.5): string {
  if (!(level >= 0 && level <= 1)) throw new InvalidQuery('Expected a level from 0 to 1')
  return String(level)
}

/** The identity of a series: its attributes. In edition 2.24 it does not matter in which of the three maps they are. */
const writeSeriesKey = ({ edition }: Metric) => {
  const maps = ['ScopeAttributes', 'ResourceAttributes', 'Attributes'].map(map => `mapSort(${map})`)
  return edition === '2.24' ? `mapConcat(${maps.join(', ')})` : `tuple(${maps.join(', ')})`
}

const isDelta = 'AggregationTemporality = 1'
const writeWindow = (keys: readonly string[]) =>
  `(PARTITION BY ${keys.join(', ')} ORDER BY TimeUnix ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`

/** Writes a series over a metric, whose points are first converted to readings per set of attributes. */
function writeMetric(plan: SeriesPlan, metric: Metric, table: Table): Query<Point> {
  if (metric.type === 'exponential histogram') {
    throw new InvalidQuery(
      'Expected a gauge, a sum or a histogram: only the embedded engine reads exponential histograms',
    )
  }
  const statement = new Statement()
  const points = writePoints(plan, metric, table, statement)
  if (metric.type !== 'histogram') return writeNumbers(plan, metric, statement, points)
  return plan.aggFn === 'count'
    ? writeCounts(plan, metric, statement, points)
    : writeBins(plan, metric, statement, points)
}

/** The points that the series reads, with the bucket in which it reads them (`__b`), and whether it answers it (`__in`). */
function writePoints(plan: SeriesPlan, metric: Metric, table: Table, statement: Statement): string {
  const { start, end, bucket } = plan
  const range = pointsOf(plan, metric)
  const columns = {
    gauge: ['Value'],
    sum: ['Value', 'AggregationTemporality', 'IsMonotonic'],
    histogram: ['Count', 'BucketCounts', 'ExplicitBounds', 'AggregationTemporality'],
    'exponential histogram': [],
  }[metric.type]
  const groups = withAliases(plan.groupBy.map(group => statement.write(group)))
  const bucketed = `${writeBucket({ bucket: range.bucket, start }, table, statement)} AS __b`
  const [first, last] = [start, end].map(time => statement.value(time, 'Int64'))
  const answered = [`__b >= ${first} AND __b <= ${last} AS __in`, `${bucket ? '__b' : first} AS __t`]
  const select = ['TimeUnix', ...columns, bucketed, ...answered, `${writeSeriesKey(metric)} AS __k`, ...groups]
  const ofMetric = `MetricName = ${statement.value(metric.name)}`
  const from = writeFrom(table, { ...plan, ...range }, statement, [ofMetric])
  return `SELECT ${select.join(', ')} ${from}`
}

/** Writes one reading per series and bucket (`__r`), then the aggregate over the readings of a group. */
function writeNumbers(plan: SeriesPlan, metric: Metric, statement: Statement, points: string): Query<Point> {
  const groups = groupAliases(plan)
  const firsts = groups.map(name => `argMin(${name}, TimeUnix) AS ${name}_`)
  const reading =
    metric.type === 'gauge' ? 'argMax(Value, TimeUnix)' : 'if(any(__total), argMax(__step, TimeUnix), sum(__step))'
  const from = metric.type === 'gauge' ? points : writeSteps(plan, metric, points)
  const readings = `SELECT __t, ${[...firsts, `${reading} AS __r`, 'min(TimeUnix) AS __first'].join(', ')} FROM (${from}) WHERE __in GROUP BY __t, __b, __k`
  const select = ['__t', ...groups.map(name => `${name}_ AS ${name}`), `${writeReadingsAggregate(plan)} AS __v`]
  return writeGrouped(plan, statement, `SELECT ${select.join(', ')} FROM (${readings})`)
}

/** Writes the increase of each point of a counter, or its running total. */
function writeSteps({ aggFn }: SeriesPlan, { edition }: Metric, points: string): string {
  const isTotalOfCounter = edition === '2.24' ? 'NOT IsMonotonic' : '0'
  const isTotal = aggFn === 'none' ? '1' : isTotalOfCounter
  const total = `if(${isDelta}, sum(Value) OVER w, Value)`
  const increase = `multiIf(${isDelta}, Value, row_number() OVER w = 1, 0, greatest(0, Value - lagInFrame(Value) OVER w))`
  return `SELECT *, ${isTotal} AS __total, if(__total, ${total}, ${increase}) AS __step FROM (${points}) WINDOW w AS ${writeWindow(['__k'])}`
}

function writeReadingsAggregate({ aggFn, level }: SeriesPlan): string {
  if (aggFn === 'count') return 'count()'
  if (aggFn === 'count_distinct') return 'uniqExact(__r)'
  if (aggFn === 'increase') return 'sum(__r)'
  if (aggFn === 'any') return 'argMin(__r, __first)'
  if (aggFn === 'none' || aggFn === 'last_value') return 'argMax(__r, __first)'
  return writeNumberAggregate({ aggFn, level }, '__r')
}

/** Writes the number of values that each histogram point adds to the previous point. */
function writeCounts(plan: SeriesPlan, { edition }: Metric, statement: Statement, points: string): Query<Point> {
  const before = 'lagInFrame(Count) OVER w'
  const [first, restarted] = edition === '2.24' ? ['Count', '0'] : ['0', 'Count']
  const added = `multiIf(${isDelta}, Count, row_number() OVER w = 1, ${first}, Count < ${before}, ${restarted}, Count - ${before})`
  const keys = [...groupAliases(plan), '__k']
  const steps = `SELECT *, toInt64(${added}) AS __added FROM (${points}) WINDOW w AS ${writeWindow(keys)}`
  const select = ['__t', ...groupAliases(plan), 'sum(__added) AS __v'].join(', ')
  return writeGrouped(plan, statement, `SELECT ${select} FROM (${steps}) WHERE __in`)
}

/** Writes the values that points add, by bin: the database sums bins with equal bounds (`__b`), `readBins` interpolates. */
function writeBins(plan: SeriesPlan, { edition }: Metric, statement: Statement, points: string): Query<Point> {
  const keys = [...groupAliases(plan), '__k']
  const counts = 'arrayMap(count -> toInt64(count), BucketCounts)'
  const steps = `SELECT *, ${counts} AS __c, lagInFrame(${counts}) OVER w AS __before, ExplicitBounds != lagInFrame(ExplicitBounds) OVER w AS __other, row_number() OVER w AS __n FROM (${points}) WINDOW w AS ${writeWindow(keys)}`
  const isReset =
    '__other OR length(__before) != length(__c) OR arrayExists((now, was) -> was > now, __c, arrayResize(__before, length(__c)))'
  const difference = 'arrayMap((now, was) -> now - was, __c, arrayResize(__before, length(__c)))'
  const added = `multiIf(${isDelta}, __c, ${isReset}, __c, ${difference})`
  const select = ['__t', ...groupAliases(plan), 'ExplicitBounds AS __b', `sumForEach(${added}) AS __v`]
  const where = edition === '2.24' ? '__in' : `__in AND (${isDelta} OR __n > 1)`
  const grouped = writeGrouped(plan, statement, `SELECT ${select.join(', ')} FROM (${steps}) WHERE ${where}`, '__b')
  return { ...grouped, read: rows => readBins(rows, plan) }
}

function readBins(rows: readonly (readonly unknown[])[], { level = 0.5 }: SeriesPlan): readonly Point[] {
  const points = new Map<string, { time: number; group: readonly unknown[]; distribution: Distribution }>()
  for (const row of rows) {
    const key = JSON.stringify(row.slice(0, -2))
    const point = points.get(key) ?? { time: Number(row[0]), group: row.slice(1, -2), distribution: new Distribution() }
    points.set(key, point)
    const [bounds, counts] = row.slice(-2) as [readonly number[], readonly string[]]
    for (const bin of binsOf(counts.map(Number), bounds)) point.distribution.add(bin)
  }
  return [...points.values()].flatMap(({ time, group, distribution }) => {
    const value = distribution.quantile(level, 'linear')
    return value === undefined ? [] : [{ time, group, value }]
  })
}
