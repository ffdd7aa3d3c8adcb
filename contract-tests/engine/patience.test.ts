import { describe, expect, it } from 'vitest'
import { createPatience } from './patience.ts'

const [here, there] = ['http://here', 'http://there'] as const
const lose = (patience: ReturnType<typeof createPatience>, times: number, milliseconds = 1) => {
  for (let count = 0; count < times; count++) patience.lost(here, `reason ${count + 1}`, milliseconds)
}

describe('the patience of a run', () => {
  it('ends at the fifth request in a row, with the last reason', () => {
    const patience = createPatience()
    lose(patience, 4)
    expect(patience.ended(here)).toBeUndefined()
    patience.lost(here, 'timed out', 1)
    expect(patience.ended(here)).toBe('the target does not answer, so this was not asked of it any more: timed out')
  })

  it('begins anew at an answer', () => {
    const patience = createPatience()
    lose(patience, 4)
    patience.answered(here)
    lose(patience, 4)
    expect(patience.ended(here)).toBeUndefined()
  })

  it('ends after two minutes in vain, with answers in between', () => {
    const patience = createPatience()
    lose(patience, 1, 119_999)
    patience.answered(here)
    expect(patience.ended(here)).toBeUndefined()
    lose(patience, 1, 1)
    expect(patience.ended(here)).toContain('does not answer')
  })

  it('keeps to its end and its reason, whatever was still under way', () => {
    const patience = createPatience()
    lose(patience, 5)
    patience.answered(here)
    patience.lost(here, 'came later', 1)
    expect(patience.ended(here)).toMatch(/does not answer.*: reason 5$/)
  })

  it('ends after a quarter of an hour of waiting, and says so', () => {
    const patience = createPatience(() => 0)
    expect(patience.mayWait(here, 15 * 60_000)).toBe(true)
    expect(patience.ended(here)).toBeUndefined()
    expect(patience.mayWait(here, 15 * 60_000 + 1)).toBe(false)
    expect(patience.ended(here)).toBe(
      'the target asked to wait for over 15 minutes in all, so this was not asked of it any more',
    )
    expect(patience.mayWait(here, 1)).toBe(false)
    expect(patience.mayWait(there, 1)).toBe(true)
    patience.renew()
    expect(patience.mayWait(here, 1)).toBe(true)
    expect(patience.ended(here)).toBeUndefined()
  })

  it('counts the waits of requests that wait side by side once', () => {
    let now = 0
    const patience = createPatience(() => now)
    const minute = 60_000
    for (const start of [0, 10, 20, 30, 40, 50, 60]) {
      now = start * minute
      expect([patience.mayWait(here, minute), patience.mayWait(here, 2 * minute)]).toEqual([true, true])
    }
    expect(patience.mayWait(here, 4 * minute)).toBe(false)
  })

  it('is one for each address, and can be renewed', () => {
    const patience = createPatience()
    lose(patience, 5)
    expect(patience.ended(there)).toBeUndefined()
    patience.answered(there)
    patience.renew()
    expect(patience.ended(here)).toBeUndefined()
  })
})
