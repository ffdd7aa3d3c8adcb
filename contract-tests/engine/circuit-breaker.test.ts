import { describe, expect, it } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const [here, there] = ['http://here', 'http://there'] as const
const fail = (breaker: ReturnType<typeof createCircuitBreaker>, times: number, milliseconds = 1) => {
  for (let count = 0; count < times; count++) breaker.noteFailure(here, `reason ${count + 1}`, milliseconds)
}

describe('the circuit breaker of a run', () => {
  it('opens at the fifth failure in a row, with the last reason', () => {
    const breaker = createCircuitBreaker()
    fail(breaker, 4)
    expect(breaker.whyOpen(here)).toBeUndefined()
    breaker.noteFailure(here, 'timed out', 1)
    expect(breaker.whyOpen(here)).toBe('the target does not answer, so this request was not sent: timed out')
  })

  it('counts from zero after an answer', () => {
    const breaker = createCircuitBreaker()
    fail(breaker, 4)
    breaker.noteAnswer(here)
    fail(breaker, 4)
    expect(breaker.whyOpen(here)).toBeUndefined()
  })

  it('opens after two minutes of failures in all, even with answers in between', () => {
    const breaker = createCircuitBreaker()
    fail(breaker, 1, 119_999)
    breaker.noteAnswer(here)
    expect(breaker.whyOpen(here)).toBeUndefined()
    fail(breaker, 1, 1)
    expect(breaker.whyOpen(here)).toContain('does not answer')
  })

  it('stays open, with its first reason, when requests that were under way end', () => {
    const breaker = createCircuitBreaker()
    fail(breaker, 5)
    breaker.noteAnswer(here)
    breaker.noteFailure(here, 'came later', 1)
    expect(breaker.whyOpen(here)).toMatch(/does not answer.*: reason 5$/)
  })

  it('opens after a target asked to wait for more than 15 minutes in all', () => {
    const breaker = createCircuitBreaker(() => 0)
    expect(breaker.mayWait(here, 15 * 60_000)).toBe(true)
    expect(breaker.whyOpen(here)).toBeUndefined()
    expect(breaker.mayWait(here, 15 * 60_000 + 1)).toBe(false)
    expect(breaker.whyOpen(here)).toBe(
      'the target asked to wait for over 15 minutes in all, so this request was not sent',
    )
    expect(breaker.mayWait(here, 1)).toBe(false)
    expect(breaker.mayWait(there, 1)).toBe(true)
    breaker.reset()
    expect(breaker.mayWait(here, 1)).toBe(true)
    expect(breaker.whyOpen(here)).toBeUndefined()
  })

  it('counts overlapping waits once', () => {
    let now = 0
    const breaker = createCircuitBreaker(() => now)
    const minute = 60_000
    for (const start of [0, 10, 20, 30, 40, 50, 60]) {
      now = start * minute
      expect([breaker.mayWait(here, minute), breaker.mayWait(here, 2 * minute)]).toEqual([true, true])
    }
    expect(breaker.mayWait(here, 4 * minute)).toBe(false)
  })

  it('has a state for each address, and can be reset', () => {
    const breaker = createCircuitBreaker()
    fail(breaker, 5)
    expect(breaker.whyOpen(there)).toBeUndefined()
    breaker.noteAnswer(there)
    breaker.reset()
    expect(breaker.whyOpen(here)).toBeUndefined()
  })
})
