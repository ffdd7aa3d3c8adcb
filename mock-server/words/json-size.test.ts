import { describe, expect, it } from 'vitest'
import { findExcess } from './json-size.ts'

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)
/** findExcess() accepts short texts without a scan, so the tests append this. */
const long = ' '.repeat(500)

describe('a limit of a JSON text', () => {
  it.each([
    ['[', ']'],
    ['{', '}'],
  ])('allows 500 levels of %s%s', (open, close) => {
    expect(findExcess(nested(500, open, close))).toBeUndefined()
    expect(findExcess(nested(501, open, close))).toBe('at most 500 levels of arrays and objects')
    expect(findExcess((open + close).repeat(600))).toBeUndefined()
  })

  it('allows 50,000 values', () => {
    expect(findExcess(`[${'1,'.repeat(49_999)}1]`)).toBeUndefined()
    expect(findExcess(`[${'1,'.repeat(50_000)}1]`)).toBe('at most 50000 values')
    expect(findExcess(`[1,2,3]${long}`, { depth: 500, values: 3 })).toBeUndefined()
    expect(findExcess(`[1,2,3,4]${long}`, { depth: 500, values: 3 })).toBe('at most 3 values')
  })

  it.each([
    ['brackets', `"${nested(600)}"`],
    ['commas', `"${','.repeat(600)}"`],
    ['an escaped quote', `"\\"${','.repeat(600)}"`],
    ['a backslash and an escaped quote', `"\\\\\\"${','.repeat(600)}"`],
    ['no end', `"${','.repeat(600)}`],
    ['an escaped end', `"${','.repeat(600)}\\"`],
  ])('does not count characters inside a string with %s', (_, text) => {
    expect(findExcess(text, { depth: 500, values: 3 })).toBeUndefined()
  })

  it.each([
    ['a string', '"x"'],
    ['an empty string', '""'],
    ['a string that ends with a backslash', '"\\\\"'],
  ])('counts characters after %s', (_, text) => {
    expect(findExcess(`[${text}${','.repeat(600)}`, { depth: 500, values: 3 })).toBe('at most 3 values')
    expect(findExcess(`[${text}${nested(501)}`)).toContain('levels')
  })
})
