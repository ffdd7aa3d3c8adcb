import { describe, expect, it } from 'vitest'
import type { Alert } from './resources.ts'
import { createDatabase, createWorld } from './world.ts'

interface Thing {
  readonly id: string
  readonly name: string
}

const empty = () => createWorld(() => [])

describe('a collection', () => {
  it('keeps records in the order in which they were created, also after one is replaced', () => {
    const things = empty().collection<Thing>('dashboards', 'a')
    for (const id of ['1', '2', '3']) things.create({ id, name: `thing ${id}` })
    things.replace({ id: '2', name: 'another' })
    expect(things.list().map(({ name }) => name)).toEqual(['thing 1', 'another', 'thing 3'])
  })

  it('answers undefined for what was removed, and tells whether there was something to remove', () => {
    const things = empty().collection<Thing>('dashboards', 'a')
    things.create({ id: '1', name: 'one' })
    expect(things.remove('1')).toBe(true)
    expect(things.remove('1')).toBe(false)
    expect(things.get('1')).toBeUndefined()
    expect(things.size).toBe(0)
  })

  it('refuses a second record with the same id in a scope, and takes it in another scope', () => {
    const world = empty()
    world.collection<Thing>('dashboards', 'a').create({ id: '1', name: 'one' })
    expect(() => world.collection<Thing>('dashboards', 'a').create({ id: '1', name: 'two' })).toThrow('is taken')
    world.collection<Thing>('dashboards', 'b').create({ id: '1', name: 'two' })
    expect(world.collection<Thing>('dashboards', 'a').get('1')?.name).toBe('one')
    expect(world.collection<Thing>('dashboards', 'b').get('1')?.name).toBe('two')
  })

  it('pages over what is left after most was removed', () => {
    const things = empty().collection<Thing>('dashboards', 'a')
    for (let i = 0; i < 5000; i++) things.create({ id: String(i), name: '' })
    for (let i = 0; i < 5000; i++) if (i % 7 !== 0) things.remove(String(i))
    const left = Array.from({ length: 5000 }, (_, i) => String(i)).filter((_, i) => i % 7 === 0)
    expect(things.list().map(({ id }) => id)).toEqual(left)
    expect(things.page(100, 20).map(({ id }) => id)).toEqual(left.slice(100, 120))
    expect(things.page(left.length, 5)).toEqual([])
  })

  it('grows its version with every write', () => {
    const things = empty().collection<Thing>('dashboards', 'a')
    const versions = [things.version]
    things.create({ id: '1', name: 'one' })
    versions.push(things.version)
    things.replace({ id: '1', name: 'two' })
    versions.push(things.version)
    things.remove('1')
    versions.push(things.version)
    expect(new Set(versions).size).toBe(4)
  })

  it('lays a scope out when somebody looks for the first time, and not before', () => {
    const looked: string[] = []
    const world = createWorld((kind, scope) => {
      looked.push(`${kind} of ${scope}`)
      return []
    })
    expect(looked).toEqual([])
    world.collection('members', 'a').list()
    world.collection('members', 'a').list()
    expect(looked).toEqual(['members of a'])
  })
})

describe('alerts', () => {
  const on = (id: string, dashboardId: string) => ({ id, dashboardId }) as Alert

  it('are found by their dashboard, also after they moved to another one', () => {
    const alerts = empty().alerts('a')
    alerts.create(on('1', 'x'))
    alerts.create(on('2', 'x'))
    alerts.replace(on('1', 'y'))
    alerts.remove('2')
    expect(alerts.ofDashboard('x')).toEqual([])
    expect(alerts.ofDashboard('y').map(({ id }) => id)).toEqual(['1'])
  })
})

describe('the record holder', () => {
  it('holds what the public finders of @mswjs/data find', () => {
    const database = createDatabase()
    const things = createWorld(() => [], database).collection<Thing & { readonly free?: object }>('dashboards', 'a')
    for (let i = 0; i < 30; i++) things.create({ id: String(i), name: `thing ${i}` })
    for (let i = 0; i < 30; i += 3) things.remove(String(i))
    things.replace({ id: '4', name: 'replaced', free: { a: 2, b: 3 } })
    const found = database.dashboards.findMany({ where: { scope: { equals: 'a' } } }).map(({ doc }) => doc)
    expect(found.toSorted(byId)).toEqual([...things.list()].sort(byId))
    expect(database.dashboards.count()).toBe(20)
    expect(database.dashboards.findFirst({ where: { id: { equals: 'a/4' } } })?.doc).toEqual(things.get('4'))
    expect(database.dashboards.findFirst({ where: { id: { equals: 'a/3' } } })).toBeNull()
  })

  const byId = (a: object, b: object) => Number((a as Thing).id) - Number((b as Thing).id)
})

describe('a hundred thousand records', () => {
  it('are got, paged, replaced and removed as fast as a thousand', () => {
    const measure = (count: number) => {
      const things = empty().collection<Thing>('dashboards', 'a')
      for (let i = 0; i < count; i++) things.create({ id: String(i), name: 'thing' })
      const rounds = 500
      const began = performance.now()
      for (let i = 0; i < rounds; i++) {
        const id = String(Math.floor((i * count) / rounds))
        things.get(id)
        things.replace({ id, name: 'other' })
        things.page(count - 20, 20)
        things.remove(id)
      }
      return (performance.now() - began) / rounds
    }
    measure(1000)
    // A scan would take a hundred times as long; the rest is for caches and a busy machine.
    expect(measure(100_000)).toBeLessThan(Math.max(measure(1000) * 20, 0.05))
  })
})
