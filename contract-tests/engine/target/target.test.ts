import { describe, expect, it } from 'vitest'
import { readJsonText, UsageError } from './target.ts'

describe('a JSON file', () => {
  it.each([
    ['{"cloud":{"keySecret": s3cret-word}}', "it is not JSON (Unexpected token 's')."],
    ['s3cret-word', "it is not JSON (Unexpected token 's')."],
    ['{"a":"s3cret-word', 'it is not JSON (Unterminated string in JSON at position 17, line 1).'],
    ['{\n  "a": 1,,\n}\n', 'it is not JSON (Expected double-quoted property name in JSON at position 11, line 2).'],
    ['', 'it is empty; if a mock writes it, the mock has not started yet.'],
  ])('is refused if it is invalid, without its text, which may be a secret: %j', (text, sentence) => {
    expect(() => readJsonText(text)).toThrow(new UsageError(sentence))
  })

  it('may have comments and a trailing comma', () => {
    expect(readJsonText('{"a": "//b", // a remark\n}')).toEqual({ a: '//b' })
  })

  it('may begin with a byte order mark', () => {
    expect(readJsonText('\u{feff}{"a":1}')).toEqual({ a: 1 })
  })
})
