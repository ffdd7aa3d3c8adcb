import { describe, expect, it } from 'vitest'
import { likeTest } from './database-text.ts'
import { mostPatterns, rememberPatterns } from './remember-patterns.ts'

function open() {
  const compiled: string[] = []
  const test = rememberPatterns(pattern => {
    compiled.push(pattern)
    return likeTest(pattern, false)
  })
  return { test, compiled }
}

describe('the patterns of LIKE and match', () => {
  it('are compiled once, however many rows they are held against', () => {
    const { test, compiled } = open()
    for (let row = 0; row < 100; row++) expect(test('a%')(`a${row}`)).toBe(true)
    expect(compiled).toEqual(['a%'])
  })

  it('are not all kept when every row has another one, and say the same all the same', () => {
    const { test, compiled } = open()
    for (let row = 0; row < mostPatterns; row++) expect(test(`${row}%`)(`${row} x`)).toBe(true)
    test('0%')
    expect(compiled).toHaveLength(mostPatterns)
    expect(test('one more%')('one more x')).toBe(true)
    expect([test('0%')('0 x'), test('0%')('1 x')]).toEqual([true, false])
    expect(compiled.slice(mostPatterns)).toEqual(['one more%', '0%'])
  })
})
