import { expect, it } from 'vitest'
import { memoize } from './memoize.ts'

function open(max: number) {
  const made: string[] = []
  const recall = memoize((key: string) => {
    made.push(key)
    return key.toUpperCase()
  }, max)
  return { recall, made }
}

it('computes each value once', () => {
  const { recall, made } = open(10)
  expect([recall('a'), recall('b'), recall('a')]).toEqual(['A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
})

it('caches undefined, too', () => {
  let made = 0
  const recall = memoize((_: string) => {
    made++
    return undefined
  }, 10)
  expect([recall('a'), recall('a'), made]).toEqual([undefined, undefined, 1])
})

it('starts again when it is full, with the same results', () => {
  const { recall, made } = open(3)
  for (const key of ['a', 'b', 'c', 'a', 'd', 'd', 'a']) expect(recall(key)).toBe(key.toUpperCase())
  expect(made).toEqual(['a', 'b', 'c', 'd', 'a'])
})
