import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type MockOptions } from './mock.ts'

const hour = 3_600_000
const day = 24 * hour
/** A Thursday; not the start of a minute, hour or day. */
const start = Date.parse('2026-03-05T10:17:23.456Z')

const metric = (metricDataType: string, metricName: string) => ({ of: 'metric', metricDataType, metricName }) as const

function open(options: MockOptions = {}) {
  const mock = createMock({ now: start, freeze: true, logs: 5000, ...options })
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const send = (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    return mock.answer(
      { method, path, query: '', headers, body: body === undefined ? '' : JSON.stringify(body) },
      'selfHosted',
    )
  }
  const kinds = {
    log: { groupBy: ['ServiceName', 'Body'] },
    trace: { groupBy: ['SpanName', 'TraceId'] },
    session: { groupBy: ['Body'] },
    gauge: { groupBy: ['ServiceName'], aggFn: 'avg', ...metric('gauge', 'system.cpu.utilization') },
    counter: { groupBy: ['ServiceName'], aggFn: 'sum', ...metric('sum', 'http.server.requests') },
    histogram: { groupBy: [], aggFn: 'quantile', level: 0.9, ...metric('histogram', 'http.server.duration') },
  } as const
  /** The answers to a chart query for each kind of telemetry, over a time that ends now. */
  const chart = (span: number, kind?: keyof typeof kinds) => {
    const now = mock.clock.now()
    const chosen = kind ? [kind] : (Object.keys(kinds) as (keyof typeof kinds)[])
    const ofKind = async (one: keyof typeof kinds) => {
      const { of, ...options } = { aggFn: 'count', of: one, ...kinds[one] }
      const series = [{ sourceId: references.sources[of], where: '', ...options }]
      const query = { startTime: now - span, endTime: now, granularity: '5m', series }
      const { status, body } = await send('POST', '/api/v2/charts/series', query)
      expect(status, body).toBe(200)
      return body
    }
    return Promise.all(chosen.map(ofKind))
  }
  const states = async () =>
    JSON.parse((await send('GET', '/api/v2/alerts')).body).data.map((alert: { state: string }) => alert.state)
  return { mock, send, chart, states, references }
}

afterEach(() => void vi.useRealTimers())

describe('telemetry that continues with the clock', () => {
  it('is not made by a clock that moves in a world whose stacks nobody has used', () => {
    const { mock } = open()
    mock.advance('2d')
    expect(mock.deployment().rowsInMemory()).toBe(0)
    mock.list('alert')
    mock.advance('5m')
    expect(mock.deployment().rowsInMemory()).toBeGreaterThan(0)
  })

  it('is made for the windows that end meanwhile, not for the day of an alert, once its stack is used', async () => {
    const { mock, states } = open({ logs: 500_000 })
    await states()
    mock.advance('5m')
    // Two half-hours of metrics, and no logs.
    expect(mock.deployment().rowsInMemory()).toBeLessThan(2000)
  })

  it('has rows of every source in the last hour after a day, a week and a year', async () => {
    const { mock, chart } = open()
    for (const span of [day, 7 * day, 365 * day]) {
      mock.moveClock(start + span)
      for (const body of await chart(hour))
        expect(JSON.parse(body).data.length, `${body} after ${span / day} days`).toBeGreaterThan(0)
    }
  })

  it('has traces in the last half-hour, even on a Sunday night', async () => {
    const { mock, chart } = open({ logs: 1000 })
    mock.moveClock(Date.parse('2026-03-08T05:30:00Z'))
    expect(JSON.parse((await chart(hour / 2, 'trace'))[0]!).data.length).toBeGreaterThan(0)
  })

  it('is identical at a given time, whether the clock moved in one step, in many, by itself, or started there', async () => {
    const [once, often, later] = [open(), open(), open({ now: start + day })]
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    const waiting = open({ freeze: false })
    once.mock.moveClock(start + day)
    for (let i = 1; i <= 48; i++) {
      often.mock.clock.advance(day / 48)
      vi.setSystemTime(Date.now() + day / 48)
      expect(await often.chart(hour)).toEqual(await waiting.chart(hour))
    }
    for (const span of [hour, 40 * hour]) {
      const expected = await once.chart(span)
      expect(await often.chart(span)).toEqual(expected)
      expect(await waiting.chart(span)).toEqual(expected)
    }
    // Only the seeded incident depends on the start, and it lies before these 18 hours.
    expect(await later.chart(18 * hour)).toEqual(await once.chart(18 * hour))
  })

  it('has different rows for another seed, and in two weeks about as many rows as the option logs says', async () => {
    const { mock, chart } = open({ logs: 700 })
    mock.moveClock(start + 100 * day)
    const counted = JSON.parse((await chart(14 * day, 'log'))[0]!).data.reduce(
      (sum: number, row: Record<string, string>) => sum + Number(row['series_0.data']),
      0,
    )
    expect(Math.abs(counted - 700)).toBeLessThan(70)
    expect(await open({ seed: 2 }).chart(day)).not.toEqual(await open().chart(day))
  })

  it('keeps loaded rows when the clock moves', async () => {
    const { mock, chart, references } = open()
    mock.loadRows(references.sources.log!, [{ Timestamp: new Date(start).toISOString(), Body: 'loaded by hand' }])
    mock.moveClock(start + 30 * day)
    expect((await chart(31 * day, 'log'))[0]).toContain('loaded by hand')
  })

  it('has no future rows, even after the clock was set back', async () => {
    const { mock, chart } = open()
    const before = await chart(day)
    mock.moveClock(start + 10 * day)
    await chart(day)
    mock.moveClock(start)
    expect(await chart(day)).toEqual(before)
  })
})

describe('an incident', () => {
  it('appears in related logs and traces with its cause, and disappears when its record is removed', async () => {
    const { mock, send, references } = open({ logs: 100_000, as: 'self-hosted-2.36' })
    const { log, trace } = references.sources
    const find = async (sourceId: string, where: string) => {
      const [startTime, endTime] = [mock.clock.now() - hour, mock.clock.now()].map(at => new Date(at).toISOString())
      const select = `ServiceName, TraceId, ${sourceId === log ? 'Body' : 'StatusMessage, SpanName, Duration'}`
      const query = { sourceId, startTime, endTime, where, select, maxResults: 2000 }
      const { status, body } = await send('POST', '/api/v2/search', query)
      expect(status, body).toBe(200)
      return JSON.parse(body).data as Record<string, string>[]
    }
    const incident = mock.records.create('incident', { service: 'checkout' })
    mock.clock.advance(hour)
    const errors = await find(log!, 'SeverityText:ERROR')
    expect(new Set(errors.map(({ ServiceName }) => ServiceName))).toEqual(new Set(['checkout', 'web']))
    const cause = await find(log!, 'ServiceName:checkout "db.pool.max"')
    expect(cause.map(({ Body }) => Body)).toEqual([
      expect.stringContaining('rolled back'),
      expect.stringContaining('release 2.14.1 deployed: db.pool.max 50 -> 5'),
    ])
    const exhausted = errors.find(({ Body }) => Body!.startsWith('connection pool checkout-db exhausted'))!
    const spans = await find(trace!, `TraceId:"${exhausted.TraceId}"`)
    const acquire = spans.find(({ SpanName }) => SpanName === 'pool.acquire')!
    expect(acquire.StatusMessage).toBe(exhausted.Body)
    expect(Number(acquire.Duration)).toBeGreaterThan(4e9)
    expect(spans.map(({ ServiceName }) => ServiceName)).toContain('web')
    mock.records.remove('incident', incident.id)
    expect((await find(log!, 'SeverityText:ERROR')).length).toBeLessThan(errors.length / 5)
  })
})

describe('a world whose clock has moved', () => {
  it('answers the same after it was saved and loaded, and keeps its time', async () => {
    const { mock, chart, references } = open()
    await chart(day)
    const row = { Timestamp: new Date(start + day).toISOString(), ServiceName: 'zebra', Body: 'loaded' }
    mock.loadRows(references.sources.log!, [row])
    mock.moveClock(start + day + 10 * 60_000)
    const other = open()
    other.mock.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.mock.clock.now()).toBe(mock.clock.now())
    expect(await other.chart(hour)).toEqual(await chart(hour))
    expect(await other.chart(30 * day)).toEqual(await chart(30 * day))
    expect(JSON.stringify(other.mock.state())).toBe(JSON.stringify(mock.state()))
    const wrong = { ...(mock.state() as object), clockMovedMs: -1e15 }
    expect(() => other.mock.load(wrong)).toThrow(
      'load a state: clockMovedMs: Expected milliseconds that lead to a time',
    )
  })

  it('has its initial state and time after a reset', async () => {
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    for (const options of [{}, { now: undefined, freeze: false }]) {
      const { mock, chart, states } = open(options)
      const [charts, alerts, state] = [await chart(day), await states(), JSON.stringify(mock.state())]
      mock.moveClock(start + 5 * day)
      await chart(day)
      mock.reset()
      expect(mock.clock.now()).toBe(start)
      expect([await chart(day), await states(), JSON.stringify(mock.state())]).toEqual([charts, alerts, state])
    }
  })
})

describe('the seeded alerts', () => {
  it.each([
    { seed: 1, logs: 5000 },
    { seed: 2, logs: 5000 },
    { seed: 3, logs: 1500 },
    { seed: 4, logs: 20_000 },
  ])('keep their states over days, nights and a weekend: %o', async options => {
    const { mock, states } = open(options)
    const before = await states()
    expect(before).toEqual(['OK', 'OK', 'ALERT', 'OK'])
    // A day per step, because a longer step evaluates only its last day.
    for (let day = 1; day <= 6; day++) {
      const titles = mock.advance('1d').map(one => one.renderEvent().title)
      // What fires all the time notifies for each of its windows.
      expect([titles, await states()], `day ${day}`).toEqual([['🚨 Declined payments'], before])
    }
  })

  it('are evaluated for every interval that a fast clock passes', () => {
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    const { mock, references } = open({ freeze: false, speed: 3600 })
    const rows = [{ Timestamp: new Date(start + 10 * 60_000).toISOString(), ServiceName: 'web', SeverityText: 'ERROR' }]
    mock.loadRows(references.sources.log!, Array(60).fill(rows[0]))
    mock.evaluateAlerts()
    vi.setSystemTime(start + 5000)
    expect(mock.clock.now()).toBe(start + 5 * hour)
    expect(mock.evaluateAlerts().map(one => one.renderEvent().state)).toEqual(['ALERT', 'OK'])
  })
})

describe('a clock', () => {
  it('is frozen and resumed where it stands', () => {
    vi.useFakeTimers({ now: start })
    const mock = createMock({ now: start })
    mock.freeze()
    vi.advanceTimersByTime(hour)
    expect(mock.clock.now()).toBe(start)
    const before = mock.revision()
    mock.resume()
    // A state has the time for which the clock stood still.
    expect(mock.revision()).toBeGreaterThan(before)
    vi.advanceTimersByTime(1)
    expect(mock.clock.now()).toBe(start + 1)
  })

  it('stands still with freeze, and answers stay the same', async () => {
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    const { mock, chart } = open({ now: undefined })
    const before = await chart(day)
    vi.setSystemTime(start + day)
    expect([mock.clock.now(), await chart(day)]).toEqual([start, before])
    mock.clock.advance(1)
    expect(mock.clock.now()).toBe(start + 1)
  })

  it.each([
    [{ freeze: 'yes' }, 'create a mock: freeze: Expected true or false, received "yes"'],
    [{ speed: 0 }, 'create a mock: speed: Expected a whole number from 1 to 100000, received 0'],
    [{ speed: 1.5 }, 'create a mock: speed: Expected a whole number from 1 to 100000, received 1.5'],
    [{ freeze: true, speed: 2 }, 'create a mock: freeze, speed: Expected one of them'],
  ])('is refused with the options %o', (options, sentence) => {
    expect(() => createMock(options as MockOptions)).toThrow(sentence)
  })

  it('stops in the year 9999 at any speed', () => {
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    const { mock } = open({ freeze: false, speed: 100_000 })
    vi.setSystemTime(start + 100 * 365 * day)
    expect(new Date(mock.clock.now()).toISOString()).toMatch(/^9999-/)
  })
})
