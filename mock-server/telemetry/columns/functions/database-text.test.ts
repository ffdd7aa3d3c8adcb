import { describe, expect, it } from 'vitest'
import { compileLike, readTime, trimSpaces, writeTime } from './database-text.ts'

describe('LIKE', () => {
  it.each([
    ['a%c', 'abbc', true],
    ['a_c', 'a😀c', true],
    ['a_c', 'abbc', false],
    ['%ab', 'aab', true],
    ['%x_z%', 'aaxyzb', true],
    ['100\\%', '100%', true],
    ['100\\%', '1000', false],
    ['a\\b', 'a\\b', true],
    ['%', '', true],
    ['_', '', false],
  ])('matches %s with %s: %s', (pattern, text, expected) => {
    expect(compileLike(pattern, false)(text)).toBe(expected)
  })

  it('ignores the case of every script in ILIKE', () => {
    expect([compileLike('%NAÏVE%', true)('so naïve'), compileLike('%NAÏVE%', false)('so naïve')]).toEqual([true, false])
  })

  it('terminates on patterns with many wildcards', () => {
    expect(compileLike(`${'%a'.repeat(30)}b`, true)('a'.repeat(5000))).toBe(false)
  })
})

it('formats the times that it parses', () => {
  expect(writeTime(readTime('2026-01-05 00:00:00.25')!, 9)).toBe('2026-01-05 00:00:00.250000000')
  expect(readTime('2026-02-30')).toBeUndefined()
})

it.each([
  ['  a b  ', 'a b'],
  ['   ', ''],
  ['\ta ', '\ta'],
])('trims only spaces from the ends of %j', (text, trimmed) => {
  expect(trimSpaces(text)).toBe(trimmed)
})
