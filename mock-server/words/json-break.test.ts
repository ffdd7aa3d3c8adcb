import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findBreak, parseJson } from './json-break.ts'

/** The character ⌖ marks the expected position, before the first character that breaks the JSON. */
it.each([
  '⌖',
  '  ⌖',
  '⌖x',
  '{⌖a: 1}',
  '{"a" ⌖1}',
  '{"a": ⌖x}',
  '{"a": 1 ⌖"b": 2}',
  '{"a": 1, ⌖}',
  '{"a": {}, "b": [[], {"c": ⌖]}',
  '{"a": 1⌖',
  '{"a": 1⌖]',
  '[1, ⌖]',
  '[1 ⌖2]',
  '[1⌖}',
  '[⌖,',
  '[true, false, null, ⌖nul]',
  '[0, -1.5e+7, 2E9, 0⌖1]',
  '[1⌖.]',
  '[1⌖e]',
  '[⌖-]',
  '["a⌖\n"]',
  '["a ⌖\n',
  '["a⌖\u{1f}"]',
  '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00Af⌖\\x"]',
  '["⌖\\u00g0"]',
  '["\u{7f}\u{9f}\u{d800}😀⌖',
  '["a", ⌖\'b\']',
  '{} ⌖{}',
  '\t\n\r {\t\n\r "a"\t\n\r :\t\n\r [\t\n\r 1\t\n\r ,\t\n\r "b"\t\n\r ]\t\n\r }\t\n\r ⌖x',
  '[⌖\u{a0}]',
])('finds the break at ⌖ in %j', marked => {
  const text = marked.replace('⌖', '')
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(findBreak(text)).toBe(marked.indexOf('⌖'))
})

it('finds no break inside valid JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space)
      expect(findBreak(text)).toBe(text.length)
      expect(findBreak(`${text}x`)).toBe(text.length)
    }),
  )
})

it('describes a break without the text at its position, which may be a secret', () => {
  const text = '{\n  "keyId": "key",\n  "keySecret": s3cret\n}'
  expect(() => parseJson(text)).toThrow(/^it is not JSON: it ends or breaks at position 35 \(line 3, column 16\)$/)
  expect(() => parseJson('s3cret')).toThrow(/^it is not JSON: it ends or breaks at position 0 \(line 1, column 1\)$/)
  expect(() => parseJson(' \n')).toThrow(/^it is empty$/)
  expect(parseJson('\u{feff}{"a":1}')).toEqual({ a: 1 })
})
