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

  it('is one for each address, and can be renewed', () => {
    const patience = createPatience()
    lose(patience, 5)
    expect(patience.ended(there)).toBeUndefined()
    patience.answered(there)
    patience.renew()
    expect(patience.ended(here)).toBeUndefined()
  })
})
