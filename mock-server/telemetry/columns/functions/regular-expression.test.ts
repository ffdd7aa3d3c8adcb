import { describe, expect, it } from 'vitest'
import { Budget } from '../budget.ts'
import { compilePattern } from './regular-expression.ts'

const texts = [
  '',
  'a',
  'ab',
  'aab',
  'abc abc',
  'GET /api/v2 200',
  'user@host.test',
  'time-out [5]',
  'ünï\ncode',
  'A.B',
  '}',
]
const patterns = [
  ...[
    'a',
    '^a',
    'b$',
    '^$',
    'a|b',
    '^(a|ab)(c|bcd)?$',
    'a*b',
    '(a+)+b',
    '(?:ab){1,2}',
    'a{2}',
    'a{2,}b',
    '^(a|a)*$',
    '()',
  ],
  ...[
    '[a-c]+ [^x]',
    '\\d{3}$',
    '\\bapi\\b',
    '\\w+@\\w+\\.\\w+',
    '[\\[\\]]',
    '\\p{L}\\n',
    'x?y??$',
    '[\\d.]+',
    '\\x41\\.',
    '.$',
  ],
]

const regularExpression = (pattern: string, budget?: Budget) => compilePattern(pattern, budget).test

describe('a regular expression', () => {
  it.each(patterns)('matches the same texts with %s as in JavaScript', pattern => {
    const [matches, javaScript] = [regularExpression(pattern), new RegExp(pattern, 'su')]
    expect(texts.filter(matches)).toEqual(texts.filter(text => javaScript.test(text)))
  })

  it('supports the syntax of RE2 that JavaScript lacks', () => {
    expect(regularExpression('(?i)^get [[:punct:]]')('GET /')).toBe(true)
    expect(regularExpression('(?P<word>[[:alpha:]]+)\\z')('a1')).toBe(false)
  })

  it.each(['(', ')', 'a)', '[', '*', 'a**', '(?=a)', '(a)\\1', 'a{3,2}', '\\', '(((.{99}){99}){99}){99}'])(
    'refuses %s',
    pattern =>
      expect(() => regularExpression(pattern)).toThrow(
        expect.objectContaining({ sentence: expect.stringMatching(/regular/) }),
      ),
  )

  it('terminates on patterns that take exponential time in JavaScript', () => {
    const text = `${'request completed in time '.repeat(20)}!`
    expect(regularExpression('^(\\w+\\s?)*$')(text)).toBe(false)
    expect(regularExpression('^(a|a)*(.*)*(.*)*\\d$')(text)).toBe(false)
  })

  it('is charged for its compilation, and for each character by its compiled size unless it is plain', () => {
    const tooLong = expect.objectContaining({ sentence: expect.stringContaining('less time') })
    const test = regularExpression('(?:\\pL{1,9}){1,99}!')
    expect(test('x')).toBe(false)
    expect(() => test('x'.repeat(200_000))).toThrow(tooLong)
    expect(regularExpression('plain')('x'.repeat(200_000))).toBe(false)
    const patterns = Array.from({ length: 100 }, (_, at) => `${at}`.repeat(5000))
    const budget = new Budget()
    expect(() => patterns.map(pattern => regularExpression(pattern, budget))).toThrow(tooLong)
  })
})
