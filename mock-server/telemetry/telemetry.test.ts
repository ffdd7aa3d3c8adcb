import { describe, expect, it } from 'vitest'
import { Refusal } from '../words/refusal.ts'
import type { Source } from '../words/resources.ts'
import { RowStore } from './columns/row-store.ts'
import { column } from './query/expression.ts'
import type { Point } from './query/plan.ts'
import { generateShopTelemetry } from './story/telemetry.ts'
import { createTelemetry, type Row, type TimedRows } from './telemetry.ts'

const row = (columns: Row = {}): Row => ({ Timestamp: '2026-01-05T00:00:00Z', ServiceName: 'api', ...columns })

const refusalOf = (load: () => void): string => {
  try {
    load()
  } catch (error) {
    if (error instanceof Refusal) return error.sentence
    throw error
  }
  return 'nothing was refused'
}

describe('telemetry', () => {
  it('returns a row as it was loaded', () => {
    const telemetry = createTelemetry()
    const loaded = {
      Timestamp: '2026-01-05T00:00:00.250Z',
      ServiceName: 'api',
      SeverityNumber: 9,
      LogAttributes: { method: 'GET', empty: '' },
    }
    telemetry.load('logs', 'log', [loaded])
    expect(telemetry.rows('logs')?.row(0)).toEqual(loaded)
    expect([...telemetry.loadedRows('logs')]).toEqual([loaded])
  })

  it('returns the lists of a histogram as they were loaded, and refuses other values', () => {
    const telemetry = createTelemetry()
    const point = { TimeUnix: '2026-01-05T00:00:00.000Z', MetricType: 'histogram', MetricName: 'm' }
    const loaded = { ...point, BucketCounts: [1, 0, 2], ExplicitBounds: [0.5, 10], Count: 3 }
    telemetry.load('metrics', 'metric', [point, loaded, { ...loaded, BucketCounts: ['7'] }])
    expect([...telemetry.loadedRows('metrics')]).toEqual([point, loaded, { ...loaded, BucketCounts: [7] }])
    const copy = new RowStore('metric')
    copy.loadFrom(telemetry.rows('metrics')!)
    expect(copy.row(1)).toEqual(loaded)
    for (const BucketCounts of [3, ['x'], [null], { 0: 1 }]) {
      const sentence = refusalOf(() => telemetry.load('metrics', 'metric', [{ ...loaded, BucketCounts }]))
      expect(sentence).toBe('rows.0.BucketCounts: Expected a list of numbers')
    }
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
    telemetry.load('logs', 'log', [row({ Timestamp: time })])
    expect(telemetry.rows('logs')?.times[0]).toBeCloseTo(expected, 2)
  })

  it.each([
    [{ Timestamp: 'yesterday' }, 'rows.1.Timestamp: Expected an ISO 8601 time'],
    [{ Timestamp: '2026-02-30T00:00:00Z' }, 'rows.1.Timestamp: Expected an ISO 8601 time'],
    [{ Timestamp: undefined }, 'rows.1.Timestamp: Expected an ISO 8601 time'],
    [{ Level: 'error' }, 'rows.1.Level: Not a column of the log table. Its columns are Timestamp, TraceId'],
    [{ Body: { text: 1 } }, 'rows.1.Body: Expected text'],
    [{ SeverityNumber: 'high' }, 'rows.1.SeverityNumber: Expected a number'],
    [{ LogAttributes: 'method=GET' }, 'rows.1.LogAttributes: Expected an object with text values'],
    [{ LogAttributes: { tags: ['a'] } }, 'rows.1.LogAttributes: Expected text in "tags"'],
  ])('refuses the row with %o, names its index and field, and loads no rows', (wrong, sentence) => {
    const telemetry = createTelemetry()
    expect(refusalOf(() => telemetry.load('logs', 'log', [row(), row(wrong)]))).toContain(sentence)
    expect(telemetry.rows('logs')?.size).toBe(0)
  })

  it.each([1e300, 1e25, 9e21, -1, '9'.repeat(26), '1e25', 'NaN', '9999-12-31T23:59:59Z'])(
    'refuses the time %s as out of range',
    time => {
      const sentence = refusalOf(() => createTelemetry().load('logs', 'log', [row(), row({ Timestamp: time })]))
      expect(sentence).toBe('rows.1.Timestamp: Expected an ISO 8601 time or an epoch number, from 1970 to 9999')
    },
  )

  it('refuses a column of another kind of source', () => {
    const sentence = refusalOf(() => createTelemetry().load('traces', 'trace', [row({ SeverityText: 'error' })]))
    expect(sentence).toContain('rows.0.SeverityText: Not a column of the trace table')
  })

  describe('generated rows', () => {
    const start = Date.parse('2026-01-05T12:00:00Z')
    const hour = 3_600_000
    /** Generates a row at every full hour, whose service is named after the number of the hour. */
    const hourly = {
      revision: () => '',
      open: () =>
        function* (slot: number): TimedRows {
          if (slot % 2 === 0) yield [(slot / 2) * hour, { ServiceName: `hour-${slot / 2}` }]
        },
    }
    function createHourly() {
      const clock = { now: start }
      const telemetry = createTelemetry(() => clock.now)
      telemetry.generate('logs', 'log', hourly)
      const read = () => {
        const store = telemetry.rows('logs')!
        const services: string[] = []
        store.visit(0, Number.POSITIVE_INFINITY, row => services.push(store.text('ServiceName').text(row)))
        return services
      }
      return { clock, telemetry, read }
    }

    it('are generated up to the current time, each row once, and kept for full days', () => {
      const { clock, read } = createHourly()
      expect(read()).toHaveLength(14 * 24 + 13)
      clock.now += hour - 1
      expect(read()).toHaveLength(14 * 24 + 13)
      clock.now += 1
      expect(read()).toHaveLength(14 * 24 + 14)
      clock.now += 11 * hour
      expect(read()).toHaveLength(14 * 24 + 1)
      expect(new Set(read()).size).toBe(14 * 24 + 1)
    })

    it('of a shop are the same for queries of few columns as for those of all', () => {
      const telemetry = createTelemetry(() => start)
      const logs = { id: 'logs', kind: 'log', from: { databaseName: 'default', tableName: 'logs' } } as Source
      const shop = {
        seed: 1,
        logs: 60_000,
        incidents: () => [{ service: 'payments', start: start - hour, end: start }],
      }
      generateShopTelemetry([logs], telemetry, shop, () => undefined)
      const count = (...names: string[]) => {
        const plan = { aggFn: 'count', filters: [], groupBy: names.map(name => column(name)), bucket: hour / 2 }
        return telemetry.chart(logs, { ...plan, start: start - 3 * hour, end: start }) as readonly Point[]
      }
      const narrow = count('ServiceName', 'SeverityText')
      expect(narrow.length).toBeGreaterThan(20)
      expect(new Set(count('Body').map(({ group }) => group[0])).size).toBeGreaterThan(20)
      expect(count('ServiceName', 'SeverityText')).toEqual(narrow)
    })

    it('are the same at the same time, whether the clock moved in one step, in many steps, or back', () => {
      const [once, often, back] = [createHourly(), createHourly(), createHourly()]
      for (let i = 0; i < 80; i++) {
        often.clock.now += hour
        often.read()
      }
      once.clock.now += 80 * hour
      back.clock.now += 400 * hour
      back.read()
      back.clock.now -= 320 * hour
      expect(often.read()).toEqual(once.read())
      expect(back.read()).toEqual(once.read())
    })

    it('later than the clock are removed after it is set back within the day', () => {
      const { clock, read } = createHourly()
      const before = read()
      clock.now += 3 * hour
      read()
      clock.now -= 3 * hour
      expect(read()).toEqual(before)
    })

    it('are generated for the range of a query, and sorted by time for any order of queries', () => {
      const [parts, whole] = [createHourly(), createHourly()]
      const at = (hours: number) => ({ start: start - hours * hour, end: start - (hours - 1) * hour })
      const sizes = [3, 40, 2, 300].map(hours => parts.telemetry.rows('logs', at(hours))!.size)
      expect(sizes).toEqual([2, 4, 5, 7])
      expect(parts.read()).toEqual(whole.read())
    })

    it('take a constant amount of memory while the clock moves on', () => {
      const { clock, telemetry, read } = createHourly()
      for (let i = 0; i < 100; i++) {
        clock.now += 365 * 24 * hour
        read()
      }
      const store = telemetry.rows('logs')!
      expect([store.size, store.text('ServiceName').texts.length]).toEqual([14 * 24 + 13, 14 * 24 + 14])
    })

    it('come before loaded rows, independent of when those were loaded', () => {
      const [early, late] = [createHourly(), createHourly()]
      const old = { Timestamp: '2020-01-01T00:00:00.000Z', ServiceName: 'old', LogAttributes: { code: '7' } }
      const loaded = [row(), old, { Timestamp: '2026-01-05T14:30:00.000Z', ServiceName: 'later' }]
      early.telemetry.load('logs', 'log', loaded.slice(0, 1))
      early.read()
      early.telemetry.load('logs', 'log', loaded.slice(1))
      for (const days of [0, 0.1, 0.3, 1, 20]) {
        early.clock.now = start + days * 24 * hour
        early.read()
      }
      late.clock.now = early.clock.now
      late.telemetry.load('logs', 'log', loaded)
      expect(early.read().slice(-3)).toEqual(['api', 'old', 'later'])
      expect(early.read()).toEqual(late.read())
      expect([...early.telemetry.loadedRows('logs')]).toEqual([...late.telemetry.loadedRows('logs')])
      expect([...early.telemetry.loadedRows('logs')][1]).toEqual(old)
    })
  })

  it('has no store for a source without rows', () => {
    expect(createTelemetry().rows('nobody')).toBeUndefined()
  })
})
