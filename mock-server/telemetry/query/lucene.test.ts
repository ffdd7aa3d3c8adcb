import { describe, expect, it } from 'vitest'
import { InvalidQuery } from './invalid-query.ts'
import { type Lucene, parseLucene } from './lucene.ts'

/** Writes a tree as a text in brackets. */
function show(node?: Lucene): string {
  if (!node) return ''
  const field = node.field ? `${node.field}:` : ''
  if (node.kind === 'term') return `${field}${node.prefix ?? ''}${node.quoted ? `"${node.term}"` : node.term}`
  if (node.kind === 'range') {
    return `${field}${node.lowIncluded ? '[' : '{'}${node.low} TO ${node.high}${node.highIncluded ? ']' : '}'}`
  }
  const row = node.parts
    .map(({ operator, node: part }, index) => `${operator ?? (index > 0 ? '_' : '')} ${show(part)}`.trim())
    .join(' ')
  return node.parenthesized ? `${field}(${row})` : row
}

const parseInvalid = (text: string): InvalidQuery => {
  try {
    parseLucene(text)
  } catch (error) {
    if (error instanceof InvalidQuery) return error
    throw error
  }
  throw new Error(`"${text}" was read`)
}

describe('the search dialect', () => {
  it.each([
    ['a:b', 'a:b'],
    ['a: b', 'a:b'],
    ['a:"b c"', 'a:"b c"'],
    ['a:b c:d', 'a:b _ c:d'],
    ['a:b AND NOT c:d', 'a:b AND NOT c:d'],
    ['a:b NOT c:d', 'a:b NOT c:d'],
    ['NOT a:b', 'NOT a:b'],
    ['-a:b', '-a:b'],
    ['a:-5', 'a:-5'],
    ['a:b || c:d && e:f', 'a:b || c:d && e:f'],
    ['a:(b OR c)', 'a:(b OR c)'],
    ['(a:b OR c:d) AND e:f', '(a:b OR c:d) AND e:f'],
    ['a:[1 TO 5}', 'a:[1 TO 5}'],
    ['a:http://x.y/z b', 'a:http://x.y/z _ b'],
    ['a:localhost:3000', 'a:localhost:3000'],
    ['a\\:b', 'a\\:b'],
    ['a:"say \\"hi\\""', 'a:"say \\"hi\\""'],
    ['a:b~0.5 c:"d e"~2^3', 'a:b _ c:"d e"'],
    ['a:b AND', 'a:b'],
    ['', ''],
    ['a:https://x', 'a:https://x'],
    ['a\\ b', 'a\\ b'],
    ['"a"~3^0.5', '"a"'],
    ['a^2 b', 'a _ b'],
    ['a:-"b c"', 'a:-"b c"'],
    ['+a !b', '+a _ !b'],
    ['x.y.z:1', 'x.y.z:1'],
    ['a:{1 TO 5]', 'a:{1 TO 5]'],
    ['[a  TO  b] {1.5 TO 2}', '[a TO b] _ {1.5 TO 2}'],
    ['AND a:b', 'AND a:b'],
    ['OR a OR b', 'OR a OR b'],
    [' OR ', ''],
    ['a AND OR b', 'a AND b'],
    ['a OR NOT b && c', 'a OR NOT b && c'],
    ['ANDROID', 'ANDROID'],
    ['((a))', '((a))'],
    ['( a ) (b)', '(a) _ (b)'],
    ['a:(b AND c) OR NOT d', 'a:(b AND c) OR NOT d'],
    [' a\tb\nc\fd\r', 'a _ b _ c _ d'],
  ])('reads %s', (text, tree) => {
    expect(show(parseLucene(text))).toBe(tree)
  })

  it('reads spaces and lone operators as an empty filter', () => {
    expect(parseLucene(' \t')).toEqual({ kind: 'clauses', at: 0, parts: [] })
    expect(parseLucene(' OR ')).toEqual({ kind: 'clauses', at: 1, parts: [] })
  })

  it('keeps the position of each clause', () => {
    const places = (node: Lucene): number[] => [
      node.at,
      ...(node.kind === 'clauses' ? node.parts.flatMap(part => places(part.node)) : []),
    ]
    expect(places(parseLucene('a:b AND x:"c d" [1 TO 2] e:(f) (g)'))).toEqual([0, 0, 8, 16, 25, 28, 32, 32])
  })

  it.each([
    ['a:(((', 5, 'Expected a value, but the text ends'],
    ['a:"x', 4, 'Expected a closing quote, but the text ends'],
    ['a:b) c:d', 3, 'Expected a term or the end of the filter, but ")" stands there'],
    ['a:[1 5]', 5, 'Expected "TO" between the bounds of a range, but "5" stands there'],
    ['a:[1 TO 5', 9, 'Expected the bracket that closes the range, but the text ends'],
    ['(a:b', 4, 'Expected a closing bracket, but the text ends'],
    ['a:"x\\y"', 5, 'Expected a character that can be escaped after the backslash, but "y" stands there'],
    ['a:localhost:x', 11, 'Expected a term or the end of the filter, but ":" stands there'],
    ['a:localhost::5', 11, 'Expected a term or the end of the filter, but ":" stands there'],
    ['a:http:/x', 6, 'Expected a term or the end of the filter, but ":" stands there'],
    ['a:httpx://b', 7, 'Expected a term or the end of the filter, but ":" stands there'],
    ['a:localhosts:1', 12, 'Expected a term or the end of the filter, but ":" stands there'],
    ['a:[ 1 TO 5]', 3, 'Expected a value, but " " stands there'],
    ['a -', 3, 'Expected a value, but the text ends'],
    ['a^', 2, 'Expected "0." or [0-9], but the text ends'],
    ['x'.repeat(10_001), 10_000, 'Expected at most 10000 characters'],
  ])('names the position and the expected token of %s', (text, at, sentence) => {
    expect(parseInvalid(text)).toMatchObject({ at, sentence })
  })

  it('keeps the message of the parser for deployments that show it', () => {
    expect(parseInvalid('a:"x').raw).toBe('Expected "\\"", "\\\\", or any character but end of input found.')
  })

  it('refuses more than a thousand terms and brackets', () => {
    expect(() => parseLucene('a '.repeat(1000))).not.toThrow()
    expect(parseInvalid('a '.repeat(1001)).sentence).toBe('Expected at most 1000 terms')
    expect(parseInvalid('NOT ('.repeat(1500)).sentence).toBe('Expected at most 1000 terms')
    expect(() => parseLucene('a')).not.toThrow()
  })

  it.each(['NOT (', 'a:(', '(a OR (', 'AND ('])('terminates on nested %s', nested => {
    expect(parseInvalid(nested.repeat(400)).sentence).toBe('Expected a value, but the text ends')
  })
})
