import { describe, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { createTelemetry, type Row } from './telemetry.ts'

const row = (more: Row = {}): Row => ({ Timestamp: '2026-01-05T00:00:00Z', ServiceName: 'api', ...more })

const refusalOf = (load: () => void): string => {
  try {
    load()
  } catch (error) {
    if (error instanceof Refusal) return error.says
    throw error
  }
  return 'nothing was refused'
}

describe('telemetry', () => {
  it('gives back a row as it was loaded', () => {
    const telemetry = createTelemetry()
    const loaded = {
      Timestamp: '2026-01-05T00:00:00.250Z',
      ServiceName: 'api',
      SeverityNumber: 9,
      LogAttributes: { method: 'GET', empty: '' },
    }
    telemetry.append('logs', 'log', [loaded])
    expect(telemetry.rows('logs')?.row(0)).toEqual(loaded)
    expect(telemetry.appended('logs')).toEqual([loaded])
  })

  it.each([
    ['2026-01-05T00:00:00.123456789Z', 1767571200123.456],
    ['2026-01-05T01:00:00+01:00', 1767571200000],
    ['2026-01-05 00:00:00', 1767571200000],
    [1767571200000, 1767571200000],
    ['1767571200000000000', 1767571200000],
    [1767571200, 1767571200000],
  ])('reads the time %s', (time, expected) => {
    const telemetry = createTelemetry()
    telemetry.append('logs', 'log', [row({ Timestamp: time })])
    expect(telemetry.rows('logs')?.times[0]).toBeCloseTo(expected, 2)
  })

  it.each([
    [{ Timestamp: 'yesterday' }, 'rows.1.Timestamp: Expected an ISO 8601 time'],
    [{ Timestamp: '2026-02-30T00:00:00Z' }, 'rows.1.Timestamp: Expected an ISO 8601 time'],
    [{ Timestamp: undefined }, 'rows.1.Timestamp: Expected an ISO 8601 time'],
    [{ Level: 'error' }, 'rows.1.Level: Not a column of the log table. Its columns are Timestamp, TraceId'],
    [{ Body: { text: 1 } }, 'rows.1.Body: Expected a text'],
    [{ SeverityNumber: 'high' }, 'rows.1.SeverityNumber: Expected a number'],
    [{ LogAttributes: 'method=GET' }, 'rows.1.LogAttributes: Expected an object of texts'],
    [{ LogAttributes: { tags: ['a'] } }, 'rows.1.LogAttributes: Expected a text in "tags"'],
  ])('refuses the row with %o by its index and field, and loads none', (wrong, says) => {
    const telemetry = createTelemetry()
    expect(refusalOf(() => telemetry.append('logs', 'log', [row(), row(wrong)]))).toContain(says)
    expect(telemetry.rows('logs')?.size).toBe(0)
  })

  it.each([1e300, 1e25, 9e21, -1, '9'.repeat(26), '1e25', 'NaN', '9999-12-31T23:59:59Z'])(
    'refuses the time %s, which could not be written again',
    time => {
      const says = refusalOf(() => createTelemetry().append('logs', 'log', [row(), row({ Timestamp: time })]))
      expect(says).toBe('rows.1.Timestamp: Expected an ISO 8601 time or epoch milliseconds, from 1970 to 9999')
    },
  )

  it('refuses a column of another kind', () => {
    const says = refusalOf(() => createTelemetry().append('traces', 'trace', [row({ SeverityText: 'error' })]))
    expect(says).toContain('rows.0.SeverityText: Not a column of the trace table')
  })

  it('lays out promised rows when they are first looked at, before rows that were loaded meanwhile', () => {
    const telemetry = createTelemetry()
    let fills = 0
    telemetry.fillLater('logs', 'log', 2, store => {
      fills += 1
      const service = store.text('ServiceName')
      for (let index = 0; index < 2; index++) service.write(store.start(index), `seeded-${index}`)
    })
    expect(telemetry.count('logs')).toBe(2)
    expect(fills).toBe(0)
    telemetry.append('logs', 'log', [row()])
    const services = [0, 1, 2].map(index => telemetry.rows('logs')?.text('ServiceName').text(index))
    expect(services).toEqual(['seeded-0', 'seeded-1', 'api'])
    expect(telemetry.appended('logs')).toHaveLength(1)
    expect(fills).toBe(1)
  })

  it('knows no rows of a source that never had any', () => {
    expect(createTelemetry().rows('nobody')).toBeUndefined()
  })
})
