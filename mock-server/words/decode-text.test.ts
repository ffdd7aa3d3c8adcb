import { expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

it('reads UTF-8 and UTF-16 in both orders, with and without a byte order mark, which it drops', () => {
  const text = '{"name": "Zoë"}'
  const utf16 = (mark: string) => Buffer.from(mark + text, 'utf16le')
  for (const mark of ['', '\uFEFF'])
    for (const bytes of [Buffer.from(mark + text), utf16(mark), utf16(mark).swap16()])
      expect(decodeText(bytes)).toBe(text)
})
