import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'

const midnight = Date.parse('2026-01-05T00:00:00Z')
const minute = 60_000
const hour = 60 * minute

interface MetricQuery {
  readonly aggFn: string
  readonly metricDataType: string
  readonly [more: string]: unknown
}

type Point = Readonly<Record<string, unknown>>

/** Loads points into a new metric source, and charts them through the API in three buckets of an hour. */
async function openChart(points: readonly Point[], as: '2.24' | '2.36' = '2.36', unreadable = '500 json', more = {}) {
  const selfHosted = {
    'version/self-hosted-edition': '2.36',
    'chart/metric-values': as,
    'chart/unreadable-where': unreadable,
    ...more,
  }
  const mock = createMock({ now: midnight + 3 * hour, choices: { selfHosted } })
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const call = { method: 'POST', path: `/api/v2${path}`, query: '', headers, body: JSON.stringify(body) }
    return JSON.parse((await mock.answer(call, 'selfHosted')).body)
  }
  const tables = ['gauge', 'sum', 'histogram', 'summary', 'exponential histogram']
  const { id: sourceId } = (
    await post('/sources', {
      name: 'Own metrics',
      kind: 'metric',
      connection: references.connectionId,
      from: { databaseName: 'default', tableName: '' },
      timestampValueExpression: 'TimeUnix',
      resourceAttributesExpression: 'ResourceAttributes',
      metricTables: Object.fromEntries(tables.map(type => [type, `otel_metrics_${type.replace(' ', '_')}`])),
    })
  ).data
  mock.loadRows(sourceId, points)
  return (query: MetricQuery, range: object = {}) => {
    const series = [{ sourceId, where: '', groupBy: [], metricName: 'm', ...query }]
    const times = { startTime: midnight, endTime: midnight + 3 * hour - 1, granularity: '1h' }
    return post('/charts/series', { ...times, series, ...range })
  }
}

const point = (type: string, minutes: number, more: Point): Point => ({
  TimeUnix: midnight + minutes * minute,
  MetricType: type,
  MetricName: 'm',
  ...more,
})
const onHost = (host: string) => ({ ResourceAttributes: { 'host.name': host } })
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a user would, without types
const valuesOf = ({ data }: any): unknown[] => data.map((row: Point) => row['series_0.data'])
// biome-ignore lint/suspicious/noExplicitAny: as above
const groupsOf = ({ data }: any): unknown => data.map((row: any) => [row.group[0], row['series_0.data']])

describe('a gauge', async () => {
  /** A point every twenty minutes. The last values of each hour are 0.2 and 0.6, then 0.9 and 0.5, then only 0.1. */
  const a = [0.9, 0.8, 0.2, 0.3, 0.4, 0.9, 0.6, 0.5, 0.1]
  const b = [0.1, 0.1, 0.6, 0.8, 0.1, 0.5]
  const points = [
    ...a.map((Value, i) => point('gauge', i * 20, { Value, ServiceName: 'shop', ...onHost('a') })),
    ...b.map((Value, i) => point('gauge', i * 20, { Value, ServiceName: 'shop', ...onHost('b') })),
  ]
  const ask = await openChart(points)
  const gauge = async (aggFn: string, more = {}) => valuesOf(await ask({ aggFn, metricDataType: 'gauge', ...more }))

  it('aggregates the last value of each series in a bucket', async () => {
    expect(await gauge('avg')).toEqual([expect.closeTo(0.4, 9), expect.closeTo(0.7, 9), 0.1])
    expect(await gauge('sum')).toEqual([expect.closeTo(0.8, 9), expect.closeTo(1.4, 9), 0.1])
    expect(await gauge('max')).toEqual([0.6, 0.9, 0.1])
    expect(await gauge('min')).toEqual([0.2, 0.5, 0.1])
    expect(await gauge('quantile', { level: 0.75 })).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.8, 9), 0.1])
  })

  it('counts series, not points', async () => {
    expect(await gauge('count')).toEqual(['2', '2', '1'])
  })

  it('is the same for any order of loaded points', async () => {
    const reversed = await openChart(points.toReversed())
    expect(valuesOf(await reversed({ aggFn: 'avg', metricDataType: 'gauge' }))).toEqual(await gauge('avg'))
  })

  it('is grouped and filtered by attributes', async () => {
    const byHost = await ask({ aggFn: 'avg', metricDataType: 'gauge', groupBy: ["ResourceAttributes['host.name']"] })
    expect(groupsOf(byHost)).toEqual([
      ['a', 0.2],
      ['b', 0.6],
      ['a', 0.9],
      ['b', 0.5],
      ['a', 0.1],
    ])
    expect(await gauge('avg', { where: 'ResourceAttributes.host.name:b' })).toEqual([0.6, 0.5])
    expect(await gauge('avg', { where: 'service:shop Value:<0.5' })).toEqual([
      expect.closeTo(0.15, 9),
      expect.closeTo(0.25, 9),
      0.1,
    ])
  })

  it('has no increase', async () => {
    expect((await ask({ aggFn: 'increase', metricDataType: 'gauge' })).error).toContain('which alone has an increase')
  })
})

describe('the range of a chart', () => {
  /** A point every ten minutes for three hours, each 1 more than the one before gained. */
  const points = Array.from({ length: 18 }, (_, i) => [
    point('gauge', i * 10, { Value: i }),
    point('sum', i * 10, { Value: (i * (i + 1)) / 2, AggregationTemporality: 2, IsMonotonic: 1 }),
    point('histogram', i * 10, {
      ...{ Count: i * 5, BucketCounts: [i * 5, 0], ExplicitBounds: [10], AggregationTemporality: 2 },
    }),
  ]).flat()
  const chart = async (type: string, from: number, to: number, as: '2.24' | '2.36' = '2.36') => {
    const aggFn = { gauge: 'max', sum: 'sum', histogram: 'count' }[type]!
    const range = { startTime: midnight + from * minute, endTime: midnight + to * minute }
    const { data } = await (await openChart(points, as))({ aggFn, metricDataType: type }, range)
    return data.map((row: Point) => [(Number(row.ts_bucket) - midnight) / hour, Number(row['series_0.data'])])
  }

  it.each(['2.24', '2.36'] as const)('has the buckets that begin within it, in edition %s', async as => {
    expect(await chart('gauge', 5, 125, as)).toEqual([
      [1, 11],
      [2, 12],
    ])
    // The rises from 1:00 to 1:50, each over the point before: the last bucket is read to its end.
    expect(await chart('sum', 5, 85, as)).toEqual([[1, 6 + 7 + 8 + 9 + 10 + 11]])
    expect(await chart('histogram', 5, 85, as)).toEqual([[1, 30]])
  })

  it('has no bucket if it lies within one', async () => {
    for (const type of ['gauge', 'sum', 'histogram']) expect(await chart(type, 5, 25)).toEqual([])
  })

  it('reads gauges within the range only, and counters from the bucket before it', async () => {
    expect(await chart('gauge', 60, 85)).toEqual([[1, 8]])
    expect((await chart('sum', 60, 120))[0]).toEqual([1, 6 + 7 + 8 + 9 + 10 + 11])
    // The first point of all has no point before.
    expect((await chart('sum', 0, 30))[0]).toEqual([0, 1 + 2 + 3 + 4 + 5])
  })
})

describe('series of points', () => {
  it('differ by their attributes, not by their service', async () => {
    const twins = ['x', 'y'].flatMap(ServiceName => [1, 2].map(i => point('gauge', i, { Value: i, ServiceName })))
    expect(valuesOf(await (await openChart(twins))({ aggFn: 'count', metricDataType: 'gauge' }))).toEqual(['1'])
  })

  it('differ by the map that holds an attribute, but not in the older edition', async () => {
    const points = [
      point('gauge', 1, { Value: 1, Attributes: { k: 'v' } }),
      point('gauge', 2, { Value: 2, ScopeAttributes: { k: 'v' } }),
    ]
    const count = async (as: '2.24' | '2.36') =>
      valuesOf(await (await openChart(points, as))({ aggFn: 'count', metricDataType: 'gauge' }))
    expect([await count('2.36'), await count('2.24')]).toEqual([['2'], ['1']])
  })

  it('of one name do not mix with those of another name or type', async () => {
    const points = [
      point('gauge', 1, { Value: 1 }),
      point('sum', 1, { Value: 2 }),
      point('gauge', 1, { Value: 4, MetricName: 'n' }),
    ]
    expect(valuesOf(await (await openChart(points))({ aggFn: 'sum', metricDataType: 'gauge' }))).toEqual([1])
    expect(
      valuesOf(
        await (await openChart(points))({ aggFn: 'sum', metricDataType: 'gauge', metricName: undefined, field: 'n' }),
      ),
    ).toEqual([4])
    const dotted = [point('gauge', 1, { Value: 7, MetricName: 'system.cpu.load' })]
    const byField = { aggFn: 'sum', metricDataType: 'gauge', metricName: undefined, field: 'system.cpu.load' }
    expect(valuesOf(await (await openChart(dotted))(byField))).toEqual([7])
  })
})

describe('a counter', () => {
  const cumulative = { AggregationTemporality: 2, IsMonotonic: 1 }
  const counter = (values: readonly number[], every: number, more: Point = {}, from = 0) =>
    values.map((Value, i) => point('sum', from + i * every, { Value, ...cumulative, ...more }))
  const sum = async (points: readonly Point[], as: '2.24' | '2.36' = '2.36', more = {}, range = {}) =>
    valuesOf(await (await openChart(points, as))({ aggFn: 'sum', metricDataType: 'sum', ...more }, range))

  it.each(['2.36', '2.24'] as const)('adds up its increases, not its totals, in edition %s', async as => {
    // Both services are one series, which gains 10 every five minutes: its totals add up to 1320, 4200 and 7080.
    const totals = Array.from({ length: 36 }, (_, i) => i * 10)
    const points = ['x', 'y'].flatMap(ServiceName => counter(totals, 5, { ServiceName }))
    expect(await sum(points, as)).toEqual([110, 120, 120])
  })

  it('adds up, averages and counts the increases of its series', async () => {
    const points = [...counter([5, 7, 8, 20, 21, 23], 30, onHost('a')), ...counter([0, 100, 100, 110], 30, onHost('b'))]
    // a: 2, then 1 + 12, then 1 + 2. b: 100, then 0 + 10.
    expect(await sum(points)).toEqual([102, 23, 3])
    expect(await sum(points, '2.36', { aggFn: 'increase' })).toEqual([102, 23, 3])
    expect(await sum(points, '2.36', { aggFn: 'avg' })).toEqual([51, 11.5, 3])
    expect(await sum(points, '2.36', { aggFn: 'count' })).toEqual(['2', '2', '1'])
    const none = { aggFn: 'none', where: 'ResourceAttributes.host.name:a' }
    expect(await sum(points, '2.36', none)).toEqual([7, 20, 23])
  })

  it('counts a decrease as 0', async () => {
    expect(await sum(counter([10, 14, 3, 5, 5, 6], 30))).toEqual([4, 2, 1])
  })

  it('uses the points before the range for the first bucket', async () => {
    const points = counter([1, 4, 9, 16], 60, {}, -60)
    expect(await sum(points)).toEqual([3, 5, 7])
    expect(await sum(points, '2.24')).toEqual([3, 5, 7])
  })

  it('adds up deltas', async () => {
    const points = counter([3, 4, 5, 0, 1, 2], 30, { AggregationTemporality: 1 })
    expect(await sum(points)).toEqual([7, 5, 3])
    expect(await sum(points, '2.24')).toEqual([7, 5, 3])
  })

  it('counts only increases if it is not monotonic, but answers its value in the older edition', async () => {
    const points = counter([3, 4, 2, 5, 1, 0], 30, { IsMonotonic: 0 })
    expect(await sum(points)).toEqual([1, 3, 0])
    expect(await sum(points, '2.24')).toEqual([4, 5, 0])
  })
})

describe('a histogram', () => {
  const bounds = { ExplicitBounds: [10, 20, 40] }
  const createPoint = (minutes: number, BucketCounts: readonly number[], more: Point = {}) => {
    const Count = BucketCounts.reduce((all, one) => all + one, 0)
    return point('histogram', minutes, { ...bounds, BucketCounts, Count, AggregationTemporality: 2, ...more })
  }
  const points = [
    createPoint(0, [100, 100, 100, 100]),
    // 4 below 10, 4 below 20, 2 below 40.
    createPoint(30, [104, 104, 102, 100]),
    // 1 above 40.
    createPoint(60, [104, 104, 102, 101]),
    // After a restart: 2 below 10.
    createPoint(120, [2, 0, 0, 0]),
  ]
  const quantile = async (level: number, from = points) =>
    valuesOf(await (await openChart(from))({ aggFn: 'quantile', level, metricDataType: 'histogram' }))

  it('has quantiles, interpolated inside the bucket of the rank', async () => {
    // Ranks of the first hour: 2 of 10, 5 of 10, 9 of 10.
    expect((await quantile(0.2))[0]).toBeCloseTo(5, 9)
    expect((await quantile(0.5))[0]).toBeCloseTo(12.5, 9)
    expect((await quantile(0.9))[0]).toBeCloseTo(30, 9)
  })

  it('answers the last bound for values above it, and counts from 0 after a restart', async () => {
    expect((await quantile(0.5)).slice(1)).toEqual([40, 5])
  })

  it('places a rank between two buckets in the upper one, and the quantile 1 at the end of the last', async () => {
    expect((await quantile(0.4))[0]).toBe(10)
    expect((await quantile(1))[0]).toBe(40)
    const apart = [createPoint(0, [4, 0, 4, 0], { AggregationTemporality: 1 })]
    expect(await quantile(0.5, apart)).toEqual([20])
  })

  it('answers the first bound for values below it if that bound is not positive', async () => {
    const negative = [
      [1, 1],
      [5, 5],
    ].map((counts, i) => createPoint(i, counts, { ExplicitBounds: [-5] }))
    expect(await quantile(0.5, negative)).toEqual([-5])
  })

  it('counts the values that each point adds', async () => {
    const count = await (await openChart(points))({ aggFn: 'count', metricDataType: 'histogram' })
    expect(valuesOf(count)).toEqual(['10', '1', '2'])
  })

  it('adds up the series of a group, and keeps groups apart', async () => {
    const both = ['a', 'b'].flatMap((host, i) => [
      createPoint(0, [0, 0, 0, 0], onHost(host)),
      createPoint(30, i === 0 ? [4, 0, 0, 0] : [0, 0, 4, 0], onHost(host)),
    ])
    expect(await quantile(0.75, both)).toEqual([30])
    const groupBy = ["ResourceAttributes['host.name']"]
    const grouped = await (await openChart(both))({
      aggFn: 'quantile',
      level: 0.5,
      metricDataType: 'histogram',
      groupBy,
    })
    expect(groupsOf(grouped)).toEqual([
      ['a', 5],
      ['b', 30],
    ])
  })

  it('compares points within their group, even if attributes are the same', async () => {
    const createServicePoint = (ServiceName: string, minutes: number, count: number) =>
      createPoint(minutes, [count, 0, 0, 0], { ServiceName })
    const mixed = [
      createServicePoint('x', 0, 0),
      createServicePoint('y', 1, 5),
      createServicePoint('x', 30, 10),
      createServicePoint('y', 31, 20),
    ]
    const query = { aggFn: 'count', metricDataType: 'histogram', groupBy: ['ServiceName'] }
    expect(groupsOf(await (await openChart(mixed))(query))).toEqual([
      ['x', '10'],
      ['y', '15'],
    ])
  })

  it('has its groups in one column on deployments that collapse groups, so that none is found by its name', async () => {
    const both = ['a', 'b'].map(host => createPoint(0, [4, 0, 0, 0], { AggregationTemporality: 1, ...onHost(host) }))
    const ask = await openChart(both, '2.36', '500 json', { 'chart/group-names': 'collapse' })
    const query = { aggFn: 'count', metricDataType: 'histogram', groupBy: ["ResourceAttributes['host.name']"] }
    expect(groupsOf(await ask(query))).toEqual([[null, '4']])
    expect((await ask(query, { seriesReturnType: 'column' })).data).toEqual(
      ['a', 'b'].map(host => ({ series_0: '4', group: [host], __hdx_time_bucket: '2026-01-05T00:00:00Z' })),
    )
  })

  it('uses points as they are if they are deltas, or after a change of bounds', async () => {
    const delta = [createPoint(0, [2, 0, 0, 0], { AggregationTemporality: 1 })]
    expect(await quantile(0.5, delta)).toEqual([5])
    const changed = [createPoint(0, [9, 9, 9, 9]), createPoint(1, [9, 9, 13, 9], { ExplicitBounds: [100, 200, 400] })]
    expect(await quantile(0.5, changed)).toEqual([expect.closeTo(200 + (200 * 2) / 13, 9)])
  })

  it('has no point for a bucket without observations', async () => {
    expect(await quantile(0.5, [createPoint(0, [5, 0, 0, 0]), createPoint(30, [5, 0, 0, 0])])).toEqual([])
  })

  it.each(['avg', 'sum', 'max', 'none'])('refuses the aggregate %s', async aggFn => {
    const query = { aggFn, metricDataType: 'histogram' }
    expect(await (await openChart(points))(query)).toEqual({
      error: `${aggFn} is not supported for histograms currently`,
    })
    const sentence = `series.0.field, column 1: Expected quantile or count of a metric of the type histogram, which has no "${aggFn}"`
    expect(await (await openChart(points, '2.36', '400 json'))(query)).toEqual({ message: sentence })
  })
})

describe('an exponential histogram', () => {
  const createPoint = (minutes: number, more: Point) =>
    point('exponential histogram', minutes, { AggregationTemporality: 2, Scale: 0, ...more })
  const ask = async (points: readonly Point[], more: object, as: '2.24' | '2.36' = '2.36') =>
    (await openChart(points, as))({ aggFn: 'quantile', metricDataType: 'exponential histogram', ...more })

  it('has quantiles, interpolated geometrically inside the bucket of the rank', async () => {
    // Buckets (1, 2], (2, 4] and (4, 8] with 1, 2 and 1 more than before.
    const points = [
      createPoint(0, { PositiveBucketCounts: [5, 5, 5] }),
      createPoint(30, { PositiveBucketCounts: [6, 7, 6] }),
    ]
    expect(valuesOf(await ask(points, { level: 0.5 }))).toEqual([expect.closeTo(2 * 2 ** 0.5, 9)])
    expect(valuesOf(await ask(points, { level: 1 }))).toEqual([8])
  })

  it('supports negative values, zero and offsets', async () => {
    const counts = { NegativeBucketCounts: [2], ZeroCount: 4, PositiveBucketCounts: [0, 4], PositiveOffset: 2 }
    const points = [createPoint(0, { AggregationTemporality: 1, ...counts })]
    // 2 in [-2, -1), 4 at 0, 4 in (8, 16].
    expect(valuesOf(await ask(points, { level: 0.1 }))).toEqual([expect.closeTo(-(2 ** 0.5), 9)])
    expect(valuesOf(await ask(points, { level: 0.5 }))).toEqual([0])
    expect(valuesOf(await ask(points, { level: 0.8 }))).toEqual([expect.closeTo(8 * 2 ** 0.5, 9)])
  })

  it('converts points of different scales to the coarser one', async () => {
    // At scale 1, four buckets from 1 to 4; at scale 0, two.
    const points = [
      createPoint(0, { Scale: 1, PositiveBucketCounts: [1, 1, 1, 1] }),
      createPoint(30, { PositiveBucketCounts: [2, 4] }),
    ]
    expect(valuesOf(await ask(points, { level: 0.5 }))).toEqual([expect.closeTo(2 * 2 ** 0.5, 9)])
  })

  it('has a count, and no other aggregate', async () => {
    const points = [createPoint(0, { Count: 3 }), createPoint(30, { Count: 8 })]
    expect(valuesOf(await ask(points, { aggFn: 'count' }))).toEqual(['5'])
    const error = 'avg is not currently supported for exponential histogram metrics'
    expect(await ask(points, { aggFn: 'avg' })).toEqual({ error })
  })

  it('is refused in the older edition', async () => {
    const error = 'no query support for metric type=exponential histogram'
    expect(await ask([], { aggFn: 'count' }, '2.24')).toEqual({ error })
  })
})

describe('the metrics of the shop', () => {
  const mock = createMock({ now: midnight + 60 * hour, freeze: true })
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  /** Charts by service the first bucket of a range, which begins with it. */
  const ask = async (more: object, from = 48, to = 60, granularity = '12h'): Promise<Record<string, number>> => {
    const series = [{ sourceId: references.sources.metric, where: '', groupBy: ['ServiceName'], ...more }]
    const times = { startTime: midnight + from * hour, endTime: midnight + to * hour - 1, granularity }
    const body = JSON.stringify({ ...times, series })
    const call = { method: 'POST', path: '/api/v2/charts/series', query: '', headers, body }
    const { data } = JSON.parse((await mock.answer(call, 'selfHosted')).body)
    return Object.fromEntries(
      data.map((row: { group: string[] }) => [row.group[0], Number((row as Point & object)['series_0.data' as never])]),
    )
  }
  const services = ['api', 'checkout', 'payments', 'web', 'worker']

  it('have one series for each service', async () => {
    const gauge = { metricDataType: 'gauge', metricName: 'system.cpu.utilization' }
    expect(await ask({ ...gauge, aggFn: 'count' }, 48, 60)).toEqual(Object.fromEntries(services.map(one => [one, 1])))
    for (const value of Object.values(await ask({ ...gauge, aggFn: 'max' }))) {
      expect(value).toBeGreaterThanOrEqual(0.05)
      expect(value).toBeLessThanOrEqual(0.9)
    }
  })

  it('count about as many requests with the counter as with the histogram', async () => {
    const counted = await ask({ metricDataType: 'sum', metricName: 'http.server.requests', aggFn: 'sum' }, 48, 60)
    const observed = await ask(
      { metricDataType: 'histogram', metricName: 'http.server.duration', aggFn: 'count' },
      48,
      60,
    )
    for (const service of services) {
      expect(counted[service]).toBeGreaterThan(100)
      expect(Math.abs(observed[service]! - counted[service]!)).toBeLessThan(0.02 * counted[service]! + 20)
    }
    // The log lines of the same hours agree.
    const lines = await ask(
      { sourceId: references.sources.log, where: 'LogAttributes.http.route:*', aggFn: 'count' },
      48,
      60,
    )
    for (const service of services) {
      expect(Math.abs(lines[service]! - counted[service]!) / counted[service]!, service).toBeLessThan(0.2)
    }
  })

  it('have the durations of requests, which are longer during an incident', async () => {
    const duration = { metricDataType: 'histogram', metricName: 'http.server.duration', aggFn: 'quantile' }
    const median = await ask({ ...duration, level: 0.5 }, 48, 60)
    const slow = await ask({ ...duration, level: 0.95 }, 48, 60)
    for (const service of services) expect(slow[service]!).toBeGreaterThan(median[service]!)
    expect(median.api!).toBeLessThan(median.web!)
    expect(median.web!).toBeLessThan(median.payments!)
    // The incident is twenty hours before the start.
    expect((await ask({ ...duration, level: 0.5 }, 40, 41, '1h')).payments).toBeGreaterThan(4 * median.payments!)
  })
})
