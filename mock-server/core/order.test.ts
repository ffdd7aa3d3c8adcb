import { expect, it } from 'vitest'
import { createRandom } from '../world/random.ts'
import { Order } from './order.ts'

interface Thing {
  readonly name: string
  at: number
}

it('has the same pages as a list to which the same was done', () => {
  const order = new Order<Thing>()
  let list: Thing[] = []
  const random = createRandom(1)
  const compare = () => {
    expect(order.size).toBe(list.length)
    for (const offset of [0, 1, 511, 512, 513, list.length - 1, list.length, list.length + 600]) {
      for (const limit of [0, 1, 20, 700]) {
        expect(order.page(Math.max(0, offset), limit)).toEqual(
          list.slice(Math.max(0, offset), Math.max(0, offset) + limit),
        )
      }
    }
  }
  const add = () => {
    const thing = { name: `thing ${list.length}`, at: 0 }
    order.add(thing)
    list.push(thing)
  }
  const remove = (index: number) => {
    order.remove(list[index]!)
    list.splice(index, 1)
  }
  compare()
  for (let i = 0; i < 1600; i++) add()
  compare()
  // A whole block, then here and there until most are gone, then more of them.
  for (let i = 0; i < 520; i++) remove(512)
  compare()
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 80; i++) remove(Math.floor(random.next() * list.length))
    compare()
  }
  for (let i = 0; i < 600; i++) add()
  compare()
  while (list.length > 0) remove(list.length - 1)
  compare()
  list = []
  add()
  compare()
})
