import { describe, expect, it } from 'vitest'
import { linearExpression } from './regular-expression.ts'

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

describe('a regular expression', () => {
  it.each(patterns)('finds with %s what the engine of the language finds', pattern => {
    const [own, other] = [linearExpression(pattern), new RegExp(pattern, 'su')]
    expect(texts.filter(own)).toEqual(texts.filter(text => other.test(text)))
  })

  it('knows what only the database writes', () => {
    expect(linearExpression('(?i)^get [[:punct:]]')('GET /')).toBe(true)
    expect(linearExpression('(?P<word>[[:alpha:]]+)\\z')('a1')).toBe(false)
  })

  it.each(['(', ')', 'a)', '[', '*', 'a**', '(?=a)', '(a)\\1', 'a{3,2}', '\\', '(((.{99}){99}){99}){99}'])(
    'refuses %s',
    pattern =>
      expect(() => linearExpression(pattern)).toThrow(
        expect.objectContaining({ says: expect.stringMatching(/regular/) }),
      ),
  )

  it('comes to an end on patterns that go back for ever elsewhere', () => {
    const text = `${'request completed in time '.repeat(20)}!`
    expect(linearExpression('^(\\w+\\s?)*$')(text)).toBe(false)
    expect(linearExpression('^(a|a)*(.*)*(.*)*\\d$')(text)).toBe(false)
  })
})
