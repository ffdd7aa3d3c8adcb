import { expect, it } from 'vitest'
import { createTextRing } from './text-ring.ts'

it('keeps texts of any characters up to its size in bytes, and drops the oldest', () => {
  const ring = createTextRing(200_000)
  const texts = Array.from({ length: 300 }, (_, number) => `\ufeff${number} ${'aé€😀'.repeat(number)}`)
  const entries = texts.map(text => {
    const start = ring.keep(text)
    return { text, start, end: ring.end }
  })
  const read = entries.map(({ start, end }) => ring.read(start, end))
  const oldest = read.findIndex(text => text !== undefined)
  expect(read.slice(oldest)).toEqual(texts.slice(oldest))
  expect(read.slice(0, oldest).every(text => text === undefined)).toBe(true)
  const bytes = Buffer.byteLength(texts.slice(oldest).join(''))
  expect([bytes > 180_000, bytes <= 200_000]).toEqual([true, true])
})

it('keeps its texts when it grows', () => {
  const ring = createTextRing(1_000_000)
  const start = ring.keep('first')
  for (let i = 0; i < 9; i++) ring.keep('x'.repeat(30_000))
  expect(ring.read(start, start + 5)).toBe('first')
})
