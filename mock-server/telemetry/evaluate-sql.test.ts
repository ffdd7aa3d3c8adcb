import { describe, expect, it } from 'vitest'
import type { Source } from '../words/resources.ts'
import type { SqlAnswer } from './columns/select-statement.ts'
import { evaluateWatched, runSql, type SqlSeries } from './evaluate-sql.ts'
import type { RowsByStart } from './evaluate-windows.ts'
import { createTelemetry, type SqlQuery } from './telemetry.ts'

const start = Date.parse('2026-12-01T10:00:00Z')
const minute = 60_000
const telemetry = createTelemetry(() => start + 10 * minute)
const from = { databaseName: 'default', tableName: 'otel_logs' }
const log = { id: 'logs', kind: 'log', from } as Source
const metricTables = { gauge: 'otel_metrics_gauge', sum: 'otel_metrics_sum' }
const metric = {
  id: 'metrics',
  kind: 'metric',
  from: { databaseName: 'default', tableName: '' },
  metricTables,
} as Source
const row = (seconds: number, ServiceName: string, SeverityNumber: number) => ({
  Timestamp: start + seconds * 1000,
  ServiceName,
  SeverityNumber,
  LogAttributes: { ms: String(seconds) },
})
telemetry.load('logs', 'log', [row(10, 'a', 9), row(11, 'a', 17), row(70, 'a', 9), row(71, 'b', 17), row(72, 'b', 17)])
const point = { TimeUnix: start + 10_000, MetricName: 'cpu' }
telemetry.load('metrics', 'metric', [
  { ...point, MetricType: 'gauge', Value: 0.5 },
  { ...point, MetricType: 'sum', Value: 7 },
])

const seriesOf = (sqlTemplate: string, more: Partial<SqlSeries> = {}): SqlSeries => ({
  sqlTemplate,
  isSingle: false,
  tables: [log, metric],
  source: log,
  ...more,
})
const ask = (sql: string, more?: Partial<SqlSeries>) =>
  runSql(telemetry, seriesOf(sql, more), { start, end: start + 2 * minute, bucket: minute }) as SqlAnswer
const rowsOf = (sql: string, more?: Partial<SqlSeries>) => ask(sql, more).rows
const errorOf = (sql: string, more?: Partial<SqlSeries>) => {
  try {
    return rowsOf(sql, more)
  } catch (error) {
    return (error as Error).message
  }
}

describe('raw SQL', () => {
  it('groups and aggregates rows, with aliases, conditions and an order', () => {
    const sql = `SELECT ServiceName AS service, count() n, countIf(SeverityNumber >= 17) / n AS share, max(SeverityNumber)
      FROM default.otel_logs WHERE service != 'c' GROUP BY service HAVING n > 1 ORDER BY share DESC, 1 LIMIT 5;`
    expect(ask(sql)).toEqual({
      columns: [
        { name: 'service', type: 'String' },
        { name: 'n', type: 'UInt64' },
        { name: 'share', type: 'Float64' },
        { name: 'max(SeverityNumber)', type: 'UInt8' },
      ],
      rows: [
        ['b', '2', 1, 17],
        ['a', '3', 1 / 3, 17],
      ],
    })
  })

  it.each([
    [
      'SELECT sum(SeverityNumber), avg(SeverityNumber), uniq(ServiceName), any(ServiceName) FROM otel_logs',
      ['69', 13.8, '2', 'a'],
    ],
    [
      'SELECT quantile(0.5)(SeverityNumber), count(DISTINCT ServiceName), min(Timestamp) FROM otel_logs',
      [17, '2', '2026-12-01T10:00:10.000000000Z'],
    ],
    [
      "SELECT sumIf(SeverityNumber, ServiceName = 'b'), round(avg(toFloat64(LogAttributes['ms'])), 1) FROM otel_logs",
      ['34', 46.8],
    ],
    // Without rows, there is one row without GROUP BY, and none with it.
    [
      "SELECT count(), sum(SeverityNumber), avg(SeverityNumber), max(ServiceName = '') FROM otel_logs WHERE ServiceName = 'x'",
      ['0', '0', null, 0],
    ],
    ["SELECT count() FROM otel_logs WHERE ServiceName = 'x' GROUP BY ServiceName", undefined],
    ['WITH 2 AS k SELECT count() * k FROM otel_logs l PREWHERE l.SeverityNumber > 9 SETTINGS max_threads = 1', ['6']],
    ['SELECT DISTINCT ServiceName FROM otel_logs ORDER BY ServiceName DESC', ['b']],
    ['SELECT Value FROM otel_metrics_sum', [7]],
    [
      'SELECT quantileExact(0.9)(SeverityNumber), uniq(ServiceName, SeverityNumber), max(ServiceName) FROM otel_logs',
      [17, '3', 'b'],
    ],
    [
      'SELECT quantileTDigest(0.5)(n), stddevPop(n) FROM (SELECT l.SeverityNumber AS n FROM otel_logs l)',
      [17, 3.919183588453085],
    ],
    [
      'WITH few AS (SELECT * FROM otel_logs LIMIT 1, 2) SELECT count(), argMax(few.SeverityNumber, Timestamp) FROM few',
      ['2', 9],
    ],
    [
      'SELECT ServiceName, SeverityNumber FROM otel_logs ORDER BY SeverityNumber, 1 LIMIT 1 OFFSET 1 BY ServiceName',
      ['a', 9],
    ],
    [
      'SELECT quantiles(0, 1)(SeverityNumber), groupArray(2)(ServiceName), count() FILTER (WHERE SeverityNumber > 9), toString(count()) FROM otel_logs',
      [[9, 17], ['a', 'a'], '3', '5'],
    ],
    ['SELECT sum(n) FROM (SELECT 1 AS n UNION ALL SELECT SeverityNumber FROM otel_logs)', ['70']],
  ])('computes %s', (sql, first) => {
    expect(rowsOf(sql)[0]).toEqual(first)
  })

  it('replaces the macros of deployments', () => {
    const sql =
      'SELECT $__timeInterval(Timestamp) AS ts, count() FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters GROUP BY ts ORDER BY ts'
    expect(rowsOf(sql)).toEqual([
      ['2026-12-01T10:00:00Z', '2'],
      ['2026-12-01T10:01:00Z', '3'],
    ])
    const count = (filter: string) => rowsOf(`SELECT count() FROM $__sourceTable WHERE ${filter}`)[0]![0]
    expect(count('$__timeFilter_ms(addSeconds(Timestamp, 49))')).toBe('4')
    expect(count('$__dt(toDate(Timestamp), Timestamp)')).toBe('5')
    expect(count('Timestamp < $__fromTime_ms + INTERVAL $__interval_s SECOND')).toBe('2')
    expect(rowsOf('SELECT Value FROM $__sourceTable(gauge)', { source: metric })).toEqual([[0.5]])
  })

  it('has a sentence for each mistake', () => {
    expect(errorOf('SELECT $__timeFilter(a, b) FROM t')).toBe("Macro 'timeFilter' expects 1 argument(s), but got 2")
    expect(errorOf('SELECT 1 FROM $__sourceTable', { source: undefined })).toMatch('requires a source to be selected')
    expect(errorOf('SELECT $__timeFilter(a FROM t')).toBe('Failed to parse macro arguments')
    expect(errorOf('SELECT count() FROM nowhere')).toMatch('default.nowhere is none')
    expect(errorOf('SELECT ServiceName, count() FROM otel_logs')).toMatch('"ServiceName" is neither')
    expect(errorOf('SELECT sum(ServiceName) FROM otel_logs')).toMatch('Expected a number for sum')
    expect(errorOf('SELECT {intervalSeconds:Int64} FROM otel_logs', { isSingle: true })).toMatch('{intervalSeconds}')
    expect(errorOf('SELECT count() FROM otel_logs JOIN x')).toMatch('"JOIN" stands there')
  })
})

describe('raw SQL by windows', () => {
  const windows = (series: SqlSeries, { isOneByOne = true, shift = 0 } = {}) => {
    const queries: string[] = []
    const counting = {
      ...telemetry,
      select(query: SqlQuery) {
        queries.push(query.sql)
        return telemetry.select(query)
      },
    }
    const range = { start: start + shift, end: start + shift + 3 * minute, length: minute, isOneByOne }
    const rows = evaluateWatched({
      telemetry: counting,
      series,
      ...range,
      choices: { edition: '2.36', choice: () => undefined },
      edition: '2.36',
    })
    const list =
      rows &&
      [...(rows as RowsByStart)].map(([time, some]) => [
        (time - start) / 1000,
        ...some.map(({ group, value }) => `${group} ${value}`),
      ])
    return { list, queries: queries.length }
  }
  const bySeries = (more = '') =>
    `SELECT toStartOfInterval(Timestamp, INTERVAL {intervalSeconds:Int64} SECOND) AS ts, ServiceName, count() AS n FROM otel_logs
     WHERE Timestamp >= fromUnixTimestamp64Milli({startDateMilliseconds:Int64}) AND Timestamp < fromUnixTimestamp64Milli({endDateMilliseconds:Int64})
     GROUP BY ts, ServiceName ORDER BY ts, ServiceName ${more}`

  it('names groups by the other columns, and needs one query if the range is only compared with times', () => {
    const list = [
      [0, 'ServiceName:a 2'],
      [60, 'ServiceName:a 1', 'ServiceName:b 2'],
    ]
    expect(windows(seriesOf(bySeries()))).toEqual({ list, queries: 1 })
    expect(windows(seriesOf(bySeries('LIMIT 100')))).toEqual({ list, queries: 3 })
    expect(windows(seriesOf(bySeries()), { isOneByOne: false })).toEqual({ list, queries: 1 })
  })

  it('cuts buckets where a window does', () => {
    expect(windows(seriesOf(bySeries()), { shift: 11_000 })).toEqual({
      list: [
        [11, 'ServiceName:a 1'],
        [60, 'ServiceName:a 1'],
        [71, 'ServiceName:b 2'],
      ],
      queries: 3,
    })
  })

  it('compares one value, in the window after the range', () => {
    const sql = 'SELECT count() FROM otel_logs WHERE $__timeFilter(Timestamp)'
    const single = seriesOf(sql, { isSingle: true })
    expect(windows(single).list).toEqual([
      [60, ' 2'],
      [120, ' 3'],
      [180, ' 0'],
    ])
    expect(windows(single, { isOneByOne: false }).list).toEqual([[180, ' 5']])
    const rows = 'SELECT SeverityNumber FROM otel_logs WHERE $__timeFilter(Timestamp) ORDER BY Timestamp DESC'
    expect(windows(seriesOf(rows, { isSingle: true })).list?.map(([, value]) => value)).toEqual([' 17', ' 17', ' 0'])
  })

  it('has nothing to compare without a column of numbers, or of times', () => {
    expect(windows(seriesOf('SELECT toStartOfMinute(Timestamp) AS t, ServiceName FROM otel_logs')).list).toBeUndefined()
    expect(windows(seriesOf('SELECT count() FROM otel_logs')).list).toBeUndefined()
  })
})
