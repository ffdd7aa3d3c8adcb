import { expect, it } from 'vitest'
import { weakTag } from './write-reply.ts'

it('weakTag returns a weak ETag, which is equal for equal texts', () => {
  for (const text of ['', '{}', '[{"name":"é"}]']) {
    expect(weakTag(text)).toMatch(/^W\/"[!#-~]+"$/)
    expect(weakTag(`${text}`)).toBe(weakTag(text))
  }
})

it('weakTag returns different tags for texts that differ in a character, in the order of characters, or in length', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => [`{"id":"${i}"}`, `{"id":"${i}"} `, `${i}ab`, `${i}ba`]).flat()
  expect(new Set(texts.map(weakTag)).size).toBe(texts.length)
})
