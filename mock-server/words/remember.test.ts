import { expect, it } from 'vitest'
import { remember } from './remember.ts'

function open(most: number, sizeOf?: (value: string) => number) {
  const made: string[] = []
  const recall = remember(
    (key: string) => {
      made.push(key)
      return key.toUpperCase()
    },
    most,
    sizeOf,
  )
  return { recall, made }
}

it('makes each once', () => {
  const { recall, made } = open(10)
  expect([recall('a'), recall('b'), recall('a')]).toEqual(['A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
})

it('remembers also that there is nothing', () => {
  let made = 0
  const recall = remember((_: string) => {
    made++
    return undefined
  }, 10)
  expect([recall('a'), recall('a'), made]).toEqual([undefined, undefined, 1])
})

it('begins anew when it is full, and says the same all the same', () => {
  const { recall, made } = open(3)
  for (const key of ['a', 'b', 'c', 'a', 'd', 'd', 'a']) expect(recall(key)).toBe(key.toUpperCase())
  expect(made).toEqual(['a', 'b', 'c', 'd', 'a'])
})

it('counts sizes, where they are told, and never keeps what is larger than all that it may keep', () => {
  const { recall, made } = open(5, ({ length }) => length)
  for (const key of ['aaa', 'bb', 'aaa', 'c', 'aaa', 'dddddd', 'dddddd', 'e', 'e']) recall(key)
  expect(made).toEqual(['aaa', 'bb', 'c', 'aaa', 'dddddd', 'dddddd', 'e'])
})
