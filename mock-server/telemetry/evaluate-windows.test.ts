import { expect, it } from 'vitest'
import type { Edition } from '../../fixtures/contract/index.ts'
import type { Source } from '../words/resources.ts'
import { evaluateWindows, type RowsByStart, type Series } from './evaluate-windows.ts'
import { createTelemetry } from './telemetry.ts'

const start = Date.parse('2026-12-01T10:00:00Z')
const minute = 60_000
const telemetry = createTelemetry(() => start + 90 * minute)
const metricTables = { sum: 'sums', histogram: 'histograms' }
const from = { databaseName: 'default', tableName: '' }
const metrics = { id: 'metrics', kind: 'metric', from, metricTables } as Source
const point = (MetricType: string, minutes: number, more: object) => ({
  TimeUnix: start + minutes * minute + 10_000,
  MetricName: MetricType,
  MetricType,
  AggregationTemporality: 2,
  IsMonotonic: true,
  ...more,
})
telemetry.load('metrics', 'metric', [
  ...[-1, 0, 0.5, 1, 2, 62].map((minutes, i) => point('sum', minutes, { Value: [100, 105, 120, 125, 150, 151][i] })),
  ...[-1, 0, 1, 2].map((minutes, i) => point('histogram', minutes, { Count: [10, 30, 31, 35][i] })),
])

const valuesOf = (edition: Edition, items: Series['items'], length = minute) => {
  const query = { telemetry, series: { source: metrics, items }, isOneByOne: true, edition, length }
  const choices = { edition, choice: () => edition }
  const rows = evaluateWindows({ ...query, start, end: start + 3 * length, choices }) as RowsByStart
  return [0, 1, 2].map(window => rows.get(start + window * length)?.[0]?.value)
}

it.each([
  ['2.36', 'sum', 'sum', [20, 5, 25]],
  // Of the hour before, and of one that began before the previous window, nothing is seen.
  ['2.24', 'sum', 'sum', [15, 5, undefined]],
  ['2.36', 'histogram', 'count', [20, 1, 4]],
  ['2.24', 'histogram', 'count', [30, 1, undefined]],
] as const)('a window of %s knows the points before it, of a %s', (edition, type, aggFn, values) => {
  expect(valuesOf(edition, [{ aggFn, metricName: type, metricType: type }])).toEqual(values)
})

it('a window of 2.24 that is as long as an hour knows the points of the hour before', () => {
  const sum = [{ aggFn: 'sum', metricName: 'sum', metricType: 'sum' }] as const
  expect(valuesOf('2.24', sum, 60 * minute).slice(0, 2)).toEqual([50, 1])
})

it('the groups of a histogram are one list, and have one name', () => {
  const series = {
    source: metrics,
    items: [{ aggFn: 'count', metricName: 'histogram', metricType: 'histogram' }],
  } as const
  const query = {
    telemetry,
    isOneByOne: true,
    edition: '2.36',
    length: minute,
    choices: { edition: '2.36', choice: () => '2.36' },
  } as const
  const grouped = { ...series, groupBy: 'ServiceName, MetricName' }
  const rows = evaluateWindows({ ...query, series: grouped, start, end: start + minute }) as RowsByStart
  expect(rows.get(start)).toEqual([{ group: 'group:,histogram', attributes: { group: ',histogram' }, value: 20 }])
})
