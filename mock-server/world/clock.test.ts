import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { createClock } from './clock.ts'

const now = Date.UTC(2026, 5, 1, 12)

describe('the clock of a mock', () => {
  it('is set, moved forward and back, and runs on from there', () => {
    const { clock } = createMock({ now })
    clock.set(Date.UTC(2030, 0, 1))
    clock.advance(86_400_000)
    expect(new Date(clock.now()).toISOString()).toMatch(/^2030-01-02T00:00:0/)
    clock.advance(-2 * 86_400_000)
    expect(new Date(clock.now()).toISOString()).toMatch(/^2029-12-31T00:00:0/)
  })

  it.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [-1, '-1'],
    [Date.UTC(10_000, 0, 1), '253402300800000'],
    ['soon', '"soon"'],
    [new Date(Number.NaN), 'Invalid Date'],
    [true, 'true'],
    [undefined, 'undefined'],
  ])('cannot be set to %s', (moment, shown) => {
    const mock = createMock({ now })
    const sentence = `Expected epoch milliseconds, an ISO 8601 text or a Date, from 1970 to 9999, received ${shown}`
    const wrong = moment as number
    expect(() => mock.clock.set(wrong)).toThrow(`set the clock: ${sentence}`)
    expect(() => mock.moveClock(wrong)).toThrow(`set the clock: ${sentence}`)
    if (moment !== undefined) expect(() => createMock({ now: wrong })).toThrow(`create a mock: now: ${sentence}`)
    expect(mock.clock.now() - now).toBeLessThan(10_000)
  })

  it.each([
    ['a Date', new Date(now)],
    ['an ISO text', '2026-06-01T12:00:00Z'],
    ['milliseconds', now],
  ])('can be set to %s, at the creation of a mock and later', (_, moment) => {
    const mock = createMock({ now: moment, freeze: true })
    expect(mock.clock.now()).toBe(now)
    mock.clock.set(0)
    mock.moveClock(moment)
    expect(mock.clock.now()).toBe(now)
    mock.clock.set(0)
    mock.clock.set(moment)
    expect(mock.clock.now()).toBe(now)
  })

  it('is advanced by a duration with a unit, and evaluates alerts on the way', () => {
    const mock = createMock({ now, freeze: true, scenario: 'incident' })
    expect(mock.advance('1h')).toEqual(expect.any(Array))
    mock.clock.advance('30m')
    mock.advance(1000)
    expect(mock.clock.now()).toBe(now + 5_401_000)
  })

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -now - 1e9, 1e15, '60000', 'an hour'])(
    'cannot be advanced by %s',
    by => {
      const mock = createMock({ now })
      const sentence =
        'advance the clock: Expected milliseconds, or a text such as 90s, 30m, 1h or 2d, that lead to a time'
      expect(() => mock.clock.advance(by)).toThrow(sentence)
      expect(() => mock.advance(by)).toThrow(sentence)
      expect(mock.clock.now() - now).toBeLessThan(10_000)
    },
  )
})

describe('a clock that is frozen', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
  afterEach(() => void vi.useRealTimers())

  it('stands still, can be set and advanced, and runs on from there when it is resumed', () => {
    const clock = createClock()
    clock.freeze()
    vi.advanceTimersByTime(500)
    expect([clock.now(), clock.isFrozen()]).toEqual([1000, true])
    clock.set(5000)
    clock.advance('1s')
    vi.advanceTimersByTime(500)
    expect(clock.now()).toBe(6000)
    clock.resume()
    vi.advanceTimersByTime(500)
    expect([clock.now(), clock.moved(), clock.isFrozen()]).toEqual([6500, 4000, false])
    clock.resume()
    expect(clock.now()).toBe(6500)
  })

  it('runs at its speed when it was created frozen, and stands still again after a restart', () => {
    const clock = createClock(7000, { freeze: true })
    vi.advanceTimersByTime(500)
    clock.advance(1000)
    clock.resume()
    vi.advanceTimersByTime(500)
    expect([clock.now(), clock.isFrozen()]).toEqual([8500, false])
    clock.restart()
    vi.advanceTimersByTime(500)
    expect([clock.now(), clock.isFrozen()]).toEqual([7000, true])
  })

  it('runs as if it had never been frozen after unfreeze and restart', () => {
    const clock = createClock()
    clock.freeze()
    clock.set(5000)
    vi.advanceTimersByTime(500)
    clock.unfreeze()
    expect([clock.now(), clock.moved()]).toEqual([5500, 4000])
    clock.freeze()
    clock.restart()
    vi.advanceTimersByTime(1)
    expect(clock.now()).toBe(1501)
  })
})
