import { describe, expect, it } from 'vitest'
import { limitPerMinute, limitPerTenSeconds } from './rate-limit.ts'

describe('the limit of a hundred calls a minute', () => {
  it('counts down, and refuses further calls until the minute ends', () => {
    const limit = limitPerMinute(1000)
    const first = limit('a', 1500)
    expect(first).toEqual({
      isOver: false,
      headers: { 'ratelimit-limit': '100', 'ratelimit-remaining': '99', 'ratelimit-reset': '60' },
    })
    for (let i = 0; i < 98; i++) limit('a', 1500)
    expect(limit('a', 31_000)).toMatchObject({ isOver: false, headers: { 'ratelimit-remaining': '0' } })
    const over = limit('a', 31_000)
    expect(over).toMatchObject({ isOver: true, headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' } })
    expect(over.headers['retry-after']).toBe('60')
    expect(limit('b', 31_000).headers['ratelimit-remaining']).toBe('99')
  })

  it('restarts with each minute, the same for all callers, and when the clock is set back', () => {
    const limit = limitPerMinute(0)
    const remaining = (now: number) => Number(limit('a', now).headers['ratelimit-remaining'])
    expect([remaining(0), remaining(59_999), remaining(60_000), remaining(60_001)]).toEqual([99, 98, 99, 98])
    expect(limit('a', 190_000).headers).toMatchObject({ 'ratelimit-remaining': '99', 'ratelimit-reset': '50' })
    expect(limit('a', 10_000).headers).toMatchObject({ 'ratelimit-remaining': '99', 'ratelimit-reset': '50' })
  })

  it('counts for two thousand callers, and forgets all of them when there is one more', () => {
    const limit = limitPerMinute(0)
    const remaining = (caller: number) => Number(limit(String(caller), 0).headers['ratelimit-remaining'])
    for (let caller = 0; caller < 2000; caller++) remaining(caller)
    expect(remaining(0)).toBe(98)
    expect(remaining(2000)).toBe(99)
    expect(remaining(0)).toBe(99)
  })
})

describe('the limit of ten calls in any ten seconds', () => {
  it('refuses the eleventh call with the seconds until the next is allowed, and does not count refused calls', () => {
    const limit = limitPerTenSeconds()
    for (let i = 0; i < 10; i++) expect(limit('a', i * 100)).toEqual({ isOver: false, headers: {} })
    expect(limit('a', 2500)).toEqual({ isOver: true, headers: { 'x-ratelimit-reset': '7.5' } })
    expect(limit('b', 2500).isOver).toBe(false)
    expect(limit('a', 9999).isOver).toBe(true)
    expect(limit('a', 10_000).isOver).toBe(false)
    expect(limit('a', 10_050).headers).toEqual({ 'x-ratelimit-reset': '0.05' })
  })

  it('ignores calls that lie in the future after the clock was set back', () => {
    const limit = limitPerTenSeconds()
    for (let i = 0; i < 10; i++) limit('a', 5000)
    expect(limit('a', 5000).isOver).toBe(true)
    expect(limit('a', 4999).isOver).toBe(false)
  })
})
