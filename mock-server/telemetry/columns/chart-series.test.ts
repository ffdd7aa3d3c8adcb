import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { column } from '../query/expression.ts'
import { planSeries, type SeriesTexts } from '../query/plan.ts'
import { createTelemetry } from '../telemetry.ts'
import { evaluateSeries } from './chart-series.ts'

const hour = 3_600_000
const start = Date.parse('2026-01-05T00:00:00Z')

const log = fc.record({
  Timestamp: fc.integer({ min: start, max: start + 48 * hour }),
  ServiceName: fc.constantFrom('api', 'web', ''),
  SeverityNumber: fc.constantFrom(5, 9, 13, 17),
})
const logs = fc.array(log, { maxLength: 60 })
type Log = typeof log extends fc.Arbitrary<infer T> ? T : never

function evaluate(rows: readonly Log[], query: Partial<SeriesTexts>) {
  const telemetry = createTelemetry()
  telemetry.load('logs', 'log', rows)
  const plan = planSeries({
    aggFn: 'count',
    where: { text: '' },
    groupBy: [],
    start,
    end: start + 48 * hour,
    bucket: hour,
    dialect: { kind: 'log', edition: '2.24' },
    ...query,
  })
  return evaluateSeries(telemetry.rows('logs')!, plan)
}

const byService = [column('ServiceName')]
const total = (points: ReturnType<typeof evaluate>) => points.reduce((sum, { value }) => sum + Number(value), 0)

describe('a series', () => {
  it('counts every row of the range once, for any order of loaded rows', () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 0, max: 48 }), fc.integer({ min: 0, max: 48 }), (rows, from, to) => {
        const range = { start: start + from * hour, end: start + to * hour }
        const inside = rows.filter(({ Timestamp }) => Timestamp >= range.start && Timestamp <= range.end)
        expect(total(evaluate(rows, range))).toBe(inside.length)
        expect(total(evaluate(rows, { ...range, groupBy: byService }))).toBe(inside.length)
      }),
    )
  })

  it('counts parts of a range that add up to the whole range', () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 47 }), (rows, cut) => {
        const middle = start + cut * hour
        const whole = evaluate(rows, { groupBy: byService })
        const parts = [
          ...evaluate(rows, { groupBy: byService, end: middle - 1 }),
          ...evaluate(rows, { groupBy: byService, start: middle }),
        ]
        expect(parts).toEqual(whole)
      }),
    )
  })

  it('counts coarse buckets as sums of fine ones', () => {
    fc.assert(
      fc.property(logs, rows => {
        const fine = evaluate(rows, { bucket: hour / 2 })
        const coarse = evaluate(rows, { bucket: 6 * hour })
        for (const { time, value } of coarse) {
          expect(total(fine.filter(point => point.time >= time && point.time < time + 6 * hour))).toBe(Number(value))
        }
        expect(total(coarse)).toBe(total(fine))
      }),
    )
  })

  it('has one point for each bucket and group with rows, sorted by time', () => {
    fc.assert(
      fc.property(logs, rows => {
        const points = evaluate(rows, { groupBy: byService })
        const times = points.map(({ time }) => time)
        expect(times).toEqual([...times].sort((a, b) => a - b))
        const keys = points.map(({ time, group }) => `${time} ${group}`)
        const expected = rows.map(one => `${Math.floor(one.Timestamp / hour) * hour} ${one.ServiceName}`)
        expect(new Set(keys)).toEqual(new Set(expected))
        expect(keys).toHaveLength(new Set(expected).size)
      }),
    )
  })

  it('counts every row either with a filter or with its negation', () => {
    fc.assert(
      fc.property(
        logs,
        fc.constantFrom('SeverityNumber:>9', 'ServiceName:a', 'ServiceName:"web"', 'ServiceName:*'),
        (rows, text) => {
          const both =
            total(evaluate(rows, { where: { text } })) + total(evaluate(rows, { where: { text: `NOT ${text}` } }))
          expect(both).toBe(rows.length)
        },
      ),
    )
  })

  it('has quantiles between the minimum and the maximum', () => {
    fc.assert(
      fc.property(logs, fc.double({ min: 0, max: 1, noNaN: true }), (rows, level) => {
        const compute = (aggFn: string) => evaluate(rows, { aggFn, level, field: 'SeverityNumber', bucket: 48 * hour })
        compute('quantile').forEach(({ value }, at) => {
          expect(value).toBeGreaterThanOrEqual(Number(compute('min')[at]?.value) - 1e-9)
          expect(value).toBeLessThanOrEqual(Number(compute('max')[at]?.value) + 1e-9)
        })
      }),
    )
  })
})
