import { describe, expect, it } from 'vitest'
import { likeTest, readTime, trimBlanks, writeTime } from './database-text.ts'

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
  ])('%s on %s is %s', (pattern, text, expected) => {
    expect(likeTest(pattern, false)(text)).toBe(expected)
  })

  it('ignores the case of every script when asked to', () => {
    expect([likeTest('%NAÏVE%', true)('so naïve'), likeTest('%NAÏVE%', false)('so naïve')]).toEqual([true, false])
  })

  it('comes to an end on patterns of many wildcards', () => {
    expect(likeTest(`${'%a'.repeat(30)}b`, true)('a'.repeat(5000))).toBe(false)
  })
})

it('writes the moments that it reads', () => {
  expect(writeTime(readTime('2026-01-05 00:00:00.25')!, 9)).toBe('2026-01-05 00:00:00.250000000')
  expect(readTime('2026-02-30')).toBeUndefined()
})

it.each([
  ['  a b  ', 'a b'],
  ['   ', ''],
  ['\ta ', '\ta'],
])('takes only the blanks from the ends of %j', (text, trimmed) => {
  expect(trimBlanks(text)).toBe(trimmed)
})
