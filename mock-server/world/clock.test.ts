import { describe, expect, it } from 'vitest'
import { createMock } from '../core/mock.ts'

const now = Date.UTC(2026, 5, 1, 12)

describe('the clock of a mock', () => {
  it('is set and put forward and back, and runs on from there', () => {
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
    ['2026-01-01T00:00:00Z', '"2026-01-01T00:00:00Z"'],
    [new Date(now), String(new Date(now))],
    [undefined, 'undefined'],
  ])('is not set to %s, and says so', (moment, shown) => {
    const mock = createMock({ now })
    const sentence = `Expected epoch milliseconds of a time from 1970 to 9999, received ${shown}`
    const wrong = moment as number
    expect(() => mock.clock.set(wrong)).toThrow(`set the clock: ${sentence}`)
    expect(() => mock.moveClock(wrong)).toThrow(`set the clock: ${sentence}`)
    if (moment !== undefined) expect(() => createMock({ now: wrong })).toThrow(`create a mock: now: ${sentence}`)
    expect(mock.clock.now() - now).toBeLessThan(10_000)
  })

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -now - 1e9, 1e15, '60000'])('is not advanced by %s', ms => {
    const { clock } = createMock({ now })
    expect(() => clock.advance(ms as number)).toThrow('advance the clock: Expected milliseconds that lead to a time')
    expect(clock.now() - now).toBeLessThan(10_000)
  })
})
