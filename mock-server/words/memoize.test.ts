import { expect, it } from 'vitest'
import { memoize } from './memoize.ts'

function open(max: number) {
  const computed: string[] = []
  const recall = memoize((key: string) => {
    computed.push(key)
    return key.toUpperCase()
  }, max)
  return { recall, computed }
}

it('computes each value once', () => {
  const { recall, computed } = open(10)
  expect([recall('a'), recall('b'), recall('a')]).toEqual(['A', 'B', 'A'])
  expect(computed).toEqual(['a', 'b'])
})

it('caches undefined', () => {
  let computed = 0
  const recall = memoize((_: string) => {
    computed++
    return undefined
  }, 10)
  expect([recall('a'), recall('a'), computed]).toEqual([undefined, undefined, 1])
})

it('clears the cache when it is full, and returns the same results', () => {
  const { recall, computed } = open(3)
  for (const key of ['a', 'b', 'c', 'a', 'd', 'd', 'a']) expect(recall(key)).toBe(key.toUpperCase())
  expect(computed).toEqual(['a', 'b', 'c', 'd', 'a'])
})
