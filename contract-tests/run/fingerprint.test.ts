import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

const drift = {
  part: 'shapes',
  kind: 'breaking',
  id: 'cloud:member/answer/role/gone',
  was: 'string',
  is: null,
} as const

describe('the fingerprint of drift', () => {
  it('is twelve hexadecimal digits, the same in every version', () => {
    expect(fingerprint(drift)).toBe('601c37fdc604')
  })

  it('does not depend on the order of keys, and is the same for null and undefined', () => {
    const one = fingerprint({ ...drift, was: { a: 1, b: [{ c: 2, d: 3 }] }, is: undefined })
    expect(fingerprint({ ...drift, was: { b: [{ d: 3, c: 2 }], a: 1 }, is: null })).toBe(one)
  })

  it('differs with part, kind, id and values', () => {
    const others = [
      drift,
      { ...drift, part: 'choices' as const },
      { ...drift, kind: 'neutral' as const },
      { ...drift, id: 'cloud:member/answer/name/gone' },
      { ...drift, was: 'number' },
      { ...drift, is: 'string' },
    ]
    expect(new Set(others.map(fingerprint)).size).toBe(others.length)
  })
})
