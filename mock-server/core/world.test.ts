import { describe, expect, it } from 'vitest'
import type { Alert } from '../words/resources.ts'
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

  it('refuses to replace what is not there', () => {
    const things = empty().collection<Thing>('dashboards', 'a')
    const replace = () => things.replace({ id: '1', name: 'one' })
    expect(replace).toThrow('replace one of dashboards: there is none with the id 1')
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

describe('a world', () => {
  const laidOut = () => createWorld(kind => (kind === 'members' ? [{ id: '1' }, { id: '2' }] : []))

  it('counts every write, and not what lies there from the start', () => {
    const world = laidOut()
    const members = world.collection<Thing>('members', 'a')
    const counts = [() => members.list(), () => members.remove('1'), () => members.remove('1')].map(act => {
      act()
      return world.writes
    })
    members.replace({ id: '2', name: 'two' })
    world.alerts('a').create({ id: '3' } as Alert)
    expect([...counts, world.writes]).toEqual([0, 1, 1, 3])
  })

  it('puts exactly these records into a scope', () => {
    const world = laidOut()
    const members = world.collection<Thing>('members', 'a')
    world.fill('members', 'a', [
      { id: '3', name: 'three' },
      { id: '2', name: 'two' },
    ] as Thing[])
    expect(members.list().map(({ id }) => id)).toEqual(['3', '2'])
    expect(members.get('1')).toBeUndefined()
    expect(world.collection('members', 'b').size).toBe(2)
  })

  it('hands out the same list until something changes', () => {
    const members = laidOut().collection<Thing>('members', 'a')
    const before = members.list()
    expect(members.list()).toBe(before)
    members.remove('1')
    expect(members.list().map(({ id }) => id)).toEqual(['2'])
    expect(before).toHaveLength(2)
  })
})

describe('alerts', () => {
  const on = (id: string, dashboardId?: string) => ({ id, dashboardId }) as Alert

  it('are found by their dashboard as they lie there from the start, and as they are now', () => {
    const alerts = createWorld(kind => (kind === 'alerts' ? [on('1', 'x'), on('2', 'x'), on('3', 'y')] : [])).alerts(
      'a',
    )
    const replaced = { ...on('1', 'x'), name: 'other' } as Alert
    alerts.replace(replaced)
    expect(alerts.ofDashboard('x')).toEqual([replaced, on('2', 'x')])
    expect(alerts.get('1')).toBe(replaced)
    expect([alerts.list(), alerts.page(1, 1)].map(some => some.map(({ id }) => id))).toEqual([['1', '2', '3'], ['2']])
    expect(alerts.remove('1')).toBe(true)
    expect(alerts.remove('1')).toBe(false)
    expect(alerts.ofDashboard('x')).toEqual([on('2', 'x')])
  })

  it('may be on no dashboard', () => {
    const alerts = empty().alerts('a')
    alerts.create(on('1'))
    alerts.replace(on('1', 'x'))
    expect(alerts.ofDashboard('x')).toHaveLength(1)
    alerts.replace(on('1'))
    expect(alerts.ofDashboard('x')).toEqual([])
    expect(alerts.remove('1')).toBe(true)
    expect(alerts.size).toBe(0)
  })

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
