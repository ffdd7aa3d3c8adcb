import { describe, expect, it } from 'vitest'
import { InvalidQuery } from '../query/invalid-query.ts'
import { parseSql } from '../query/sql.ts'
import { createTelemetry } from '../telemetry.ts'
import { compileAggregate } from './aggregate.ts'
import { jsonValue } from './json-value.ts'

const at = Date.parse('2026-01-05T00:00:00Z')
const telemetry = createTelemetry()
telemetry.load(
  'logs',
  'log',
  [
    { ServiceName: 'web', SeverityNumber: 9, LogAttributes: {} },
    { ServiceName: 'api', SeverityNumber: 17, LogAttributes: { ms: '30', ok: 'yes' } },
    { ServiceName: 'api', SeverityNumber: 5, LogAttributes: { ms: '10' } },
    { ServiceName: 'web', SeverityNumber: 13, LogAttributes: { ms: 'long' } },
    { ServiceName: 'web', SeverityNumber: 13, LogAttributes: { ms: '20' } },
  ].map((row, minute) => ({ Timestamp: at + minute * 60_000, ...row })),
)

function aggregate(rows: readonly number[], aggFn: string, field?: string, level?: number) {
  const { type, create } = compileAggregate(telemetry.rows('logs')!, {
    aggFn,
    value: aggFn === 'count' ? undefined : parseSql(field ?? ''),
    level,
  })
  const total = create()
  for (const row of rows) total.add(row)
  return jsonValue(type, total.result() ?? null)
}
const all = [0, 1, 2, 3, 4]
const milliseconds = "toFloat64OrNull(LogAttributes['ms'])"

describe('an aggregate', () => {
  it.each([
    ['count', undefined, '5'],
    ['count_distinct', 'ServiceName', '2'],
    ['count_distinct', milliseconds, '3'],
    ['count_distinct', 'LogAttributes', '5'],
    ['sum', 'SeverityNumber', 57],
    ['avg', 'SeverityNumber', 11.4],
    ['min', 'SeverityNumber', 5],
    ['max', 'SeverityNumber', 17],
    ['last_value', 'SeverityNumber', 13],
    ['any', 'ServiceName', 'web'],
    ['sum', milliseconds, 60],
    ['avg', milliseconds, 12],
    ['min', milliseconds, 0],
    ['max', milliseconds, 30],
    ['last_value', milliseconds, 20],
    ['any', milliseconds, 30],
    ['quantile', milliseconds, 10],
    ['min', "if(SeverityNumber = 9, toFloat64('nan'), SeverityNumber)", 5],
    ['max', "if(SeverityNumber = 9, toFloat64('nan'), SeverityNumber)", 17],
    ['quantile', "if(SeverityNumber = 9, toFloat64('nan'), SeverityNumber)", 13],
    ['avg', "LogAttributes['ms']", 12],
    ['sum', 'ServiceName', 0],
    ['any', 'Timestamp', '2026-01-05T00:00:00.000000000Z'],
  ])('computes %s of %s as %s', (aggFn, field, value) => {
    expect(aggregate(all, aggFn, field)).toBe(value)
  })

  it('counts maps with the same entries once in count_distinct', () => {
    expect(aggregate([1, 1, 2], 'count_distinct', 'LogAttributes')).toBe('2')
  })

  it.each(['sum', 'avg', 'min', 'max', 'last_value', 'any', 'quantile'])(
    'computes %s of NULL as deployments do, has the default of the database without rows, and starts anew for every group',
    aggFn => {
      expect(aggregate([0, 3], aggFn, milliseconds)).toBe(aggFn === 'any' ? null : 0)
      const none = aggFn === 'avg' || aggFn === 'quantile' ? null : 0
      expect(aggregate([], aggFn, 'SeverityNumber')).toBe(none)
      const { type, create } = compileAggregate(telemetry.rows('logs')!, { aggFn, value: parseSql('SeverityNumber') })
      create().add(0)
      expect(jsonValue(type, create().result()!)).toBe(none)
    },
  )

  it.each([
    [0, 5],
    [0.1, 6.6],
    [0.25, 9],
    [0.5, 13],
    [0.9, 15.4],
    [1, 17],
  ])('interpolates the quantile %d between the two nearest values', (level, value) => {
    expect(aggregate(all, 'quantile', 'SeverityNumber', level)).toBeCloseTo(value, 9)
  })

  it.each([
    ['none', 'Body', 'Expected an aggregate, but "none" leaves the rows as they are'],
    ['median', 'Body', 'Expected an aggregate, but "median" is none'],
    ['increase', 'Body', 'Expected the counter of a metric source, which alone has an increase'],
    ['sum', undefined, 'Expected a column, a value or a function, but the text ends'],
  ])('refuses %s of %s', (aggFn, field, sentence) => {
    const compute = () => aggregate(all, aggFn, field)
    expect(compute).toThrow(InvalidQuery)
    expect(compute).toThrow(expect.objectContaining({ sentence }))
  })
})
