import { expect, it } from 'vitest'
import { createTextRing } from './text-ring.ts'

it('keeps texts of any signs, the newest in place of the oldest, in as many bytes as it may have', () => {
  const ring = createTextRing(200_000)
  const texts = Array.from({ length: 300 }, (_, number) => `\ufeff${number} ${'aé€😀'.repeat(number)}`)
  const kept = texts.map(text => {
    const start = ring.keep(text)
    return { text, start, end: ring.end }
  })
  const read = kept.map(({ start, end }) => ring.read(start, end))
  const first = read.findIndex(text => text !== undefined)
  expect(read.slice(first)).toEqual(texts.slice(first))
  expect(read.slice(0, first).every(text => text === undefined)).toBe(true)
  const bytes = Buffer.byteLength(texts.slice(first).join(''))
  expect([bytes > 180_000, bytes <= 200_000]).toEqual([true, true])
})

it('has what was kept before it grew', () => {
  const ring = createTextRing(1_000_000)
  const start = ring.keep('first')
  for (let i = 0; i < 9; i++) ring.keep('x'.repeat(30_000))
  expect(ring.read(start, start + 5)).toBe('first')
})
