import { describe, expect, it } from 'vitest'
import { z } from 'zod/v3'
import { contract } from '../../fixtures/built-contract/index.ts'
import { alerts } from '../families/alert/index.ts'
import { backups } from '../families/backup/model.ts'
import { dashboards } from '../families/dashboard/index.ts'
import { organizations } from '../families/organization/model.ts'
import { services } from '../families/service/model.ts'
import { createDeployment } from '../mock/deployment.ts'
import { core } from '../mock/made-of.ts'
import type { AnyModel, Model } from './collection.ts'
import { readSize } from './size.ts'
import { createWorld, selfHosted, type World } from './world.ts'

/** Example models: towns, houses in towns with a stack each, rooms in houses, letters in stacks, and bells. */
interface Thing {
  readonly id: string
  readonly rings?: number
}
const record = z.object({ id: z.string(), rings: z.number().optional() }).strict()
const key = ({ id }: Thing) => id

const towns: Model<Thing> = {
  name: 'town',
  within: 'deployment',
  record,
  seed: () => [{ id: 'north' }, { id: 'south' }],
}
const houses: Model<Thing> = {
  hasStack: true,
  name: 'house',
  within: towns,
  record,
  // A record that a call creates has no seeded records within it.
  seed: (town, { isNew }) => (isNew ? [] : [{ id: `${town} 1` }, { id: `${town} 2` }]),
}
const rooms: Model<Thing> = {
  name: 'room',
  within: houses,
  record,
  seed: (house, { isNew }) => (isNew ? [] : [{ id: `${house} kitchen` }]),
}
const letters: Model<Thing> = { name: 'letter', within: 'stack', isNumerous: true, record }

/** Bells that ring at intervals of `every` until `end`, write a letter each time, and are then removed. */
const ringing = (name: string, every: number, end: number): Model<Thing> => ({
  name,
  within: 'deployment',
  record,
  nextChangeAt: ({ rings }) => rings,
  applyChange(bell, at, world) {
    world.in(letters, selfHosted).create({ id: `${name} at ${at}` })
    const rings = at + every
    return rings < end ? { ...bell, rings } : undefined
  },
})
const bells = ringing('bell', 20, 100)
const gongs = ringing('gong', 30, 100)

const create = (models: readonly AnyModel[] = [rooms, letters, houses, towns, bells, gongs]): World =>
  createWorld({ contract, seed: 1, ordinal: 0, size: readSize('', {}), start: 0, models })
const ids = (world: World, model: Model<Thing>, place?: string) => world.in(model, place).list().map(key)

describe('the places of a model', () => {
  it('are the deployment, every stack, or the records of the outer model', () => {
    const world = create()
    expect(world.places(towns)).toEqual([''])
    expect(world.places(houses)).toEqual(['north', 'south'])
    expect(world.places(rooms)).toEqual(['north 1', 'north 2', 'south 1', 'south 2'])
    expect(world.places(letters)).toEqual(['self-hosted', 'north 1', 'north 2', 'south 1', 'south 2'])
    world.in(houses, 'north').create({ id: 'north 3' })
    expect(world.places(letters)).toContain('north 3')
    expect(world.seededPlaces(rooms)).toEqual([])
  })

  it('have separate records, which are seeded once, on first access', () => {
    const world = create()
    expect(ids(world, rooms, 'north 1')).toEqual(['north 1 kitchen'])
    world.in(rooms, 'north 1').create({ id: 'attic' })
    expect(world.seededPlaces(rooms)).toEqual(['north 1'])
    expect(ids(world, rooms, 'north 1')).toEqual(['north 1 kitchen', 'attic'])
    expect(ids(world, rooms, 'north 2')).toEqual(['north 2 kitchen'])
  })

  it('are empty within a record that a call created', () => {
    const world = create()
    world.in(houses, 'north').create({ id: 'north 3' })
    expect(ids(world, rooms, 'north 3')).toEqual([])
  })

  it('do not exist for a model that the world does not have', () => {
    expect(() => create([towns, houses]).in(rooms, 'north 1')).toThrow('the world was made without this model')
  })
})

describe('the removal of a record', () => {
  it('removes all records within it, and no others', () => {
    const world = create()
    for (const place of ['north 1', 'north 2', selfHosted]) world.in(letters, place).create({ id: 'letter' })
    world.in(rooms, 'north 1').create({ id: 'attic' })
    world.in(rooms, 'north 2').create({ id: 'attic' })
    expect(world.in(houses, 'north').remove('north 1')).toBe(true)
    expect(world.in(houses, 'north').remove('north 1')).toBe(false)
    expect([world.seededPlaces(rooms), world.seededPlaces(letters)]).toEqual([['north 2'], ['north 2', 'self-hosted']])
    expect(ids(world, rooms, 'north 2')).toEqual(['north 2 kitchen', 'attic'])
  })

  it('removes records at every depth', () => {
    const world = create()
    expect(world.places(rooms)).toContain('north 2')
    world.in(rooms, 'north 1').create({ id: 'attic' })
    world.in(letters, 'north 2').create({ id: 'letter' })
    world.in(rooms, 'south 1').create({ id: 'cellar' })
    world.in(towns).remove('north')
    expect([world.seededPlaces(houses), world.seededPlaces(rooms), world.seededPlaces(letters)]).toEqual([
      ['south'],
      ['south 1'],
      [],
    ])
    expect(world.places(rooms)).toEqual(['south 1', 'south 2'])
  })
})

describe('the revision of a world', () => {
  it('grows with each write only', () => {
    const world = create()
    const grows = (act: () => unknown) => {
      const before = world.revision
      act()
      return world.revision > before
    }
    const town = world.in(towns)
    expect(grows(() => world.save())).toBe(false)
    expect(grows(() => world.in(rooms, 'north 1').list())).toBe(false)
    expect(grows(() => world.applyTime(50))).toBe(false)
    expect(grows(() => town.remove('nowhere'))).toBe(false)
    expect(grows(() => town.touch({ id: 'north', rings: 1 }))).toBe(false)
    expect(grows(() => town.create({ id: 'west' }))).toBe(true)
    expect(grows(() => town.replace({ id: 'west', rings: 1 }))).toBe(true)
    expect(grows(() => town.remove('west'))).toBe(true)
    world.in(bells).create({ id: 'bell', rings: 60 })
    expect(grows(() => world.applyTime(59))).toBe(false)
    expect(grows(() => world.applyTime(60))).toBe(true)
  })
})

describe('the passing of time', () => {
  it('applies the due changes of all models in order of time', () => {
    const world = create()
    world.in(bells).create({ id: 'bell', rings: 10 })
    world.in(gongs).create({ id: 'gong', rings: 15 })
    world.applyTime(9)
    expect(ids(world, letters, selfHosted)).toEqual([])
    world.applyTime(50)
    const until50 = ['bell at 10', 'gong at 15', 'bell at 30', 'gong at 45', 'bell at 50']
    expect(ids(world, letters, selfHosted)).toEqual(until50)
    expect([world.in(bells).get('bell')?.rings, world.in(gongs).get('gong')?.rings]).toEqual([70, 75])
    world.applyTime(1000)
    expect(ids(world, letters, selfHosted)).toEqual([...until50, 'bell at 70', 'gong at 75', 'bell at 90'])
    expect([world.in(bells).size, world.in(gongs).size]).toEqual([0, 0])
  })

  it('has the same result in one step as in many', () => {
    const [leap, steps] = [create(), create()]
    for (const world of [leap, steps]) {
      world.in(bells).create({ id: 'bell', rings: 10 })
      world.in(gongs).create({ id: 'gong', rings: 15 })
    }
    leap.applyTime(80)
    for (let now = 0; now <= 80; now++) steps.applyTime(now)
    expect(leap.save()).toEqual(steps.save())
  })

  it('applies changes to records that were created, replaced or loaded after the last step', () => {
    const world = create()
    world.applyTime(5)
    world.in(bells).create({ id: 'bell', rings: 80 })
    world.applyTime(6)
    world.in(bells).replace({ id: 'bell', rings: 90 })
    world.in(gongs).create({ id: 'gong', rings: 8 })
    world.applyTime(10)
    expect(ids(world, letters, selfHosted)).toEqual(['gong at 8'])
    const loaded = create()
    loaded.applyTime(5)
    loaded.load(world.save())
    loaded.applyTime(90)
    expect(ids(loaded, letters, selfHosted)).toEqual(['gong at 8', 'gong at 38', 'gong at 68', 'bell at 90'])
  })

  it('fails at a record that would change for ever at the same time', () => {
    const still: Model<Thing> = { ...bells, name: 'still', applyChange: bell => bell }
    const world = create([towns, houses, still])
    world.in(still).create({ id: 'it', rings: 10 })
    expect(() => world.applyTime(10)).toThrow('advance still it: it would change at 10 for ever')
  })
})

describe('a saved world', () => {
  it('is loaded with its records, its next ids and its empty places', () => {
    const world = create()
    world.in(letters, 'north 1').create({ id: world.newObjectId() })
    world.in(rooms, 'north 2').remove('north 2 kitchen')
    world.in(houses, 'south').remove('south 1')
    world.in(houses, 'south').create({ id: world.newUuid() })
    const saved = JSON.parse(JSON.stringify(world.save()))
    const loaded = create()
    loaded.load(saved)
    expect(loaded.save()).toEqual(saved)
    expect(ids(loaded, rooms, 'north 2')).toEqual([])
    expect([loaded.newObjectId(), loaded.newUuid()]).toEqual([world.newObjectId(), world.newUuid()])
  })

  it('is refused if it has records with ids that it does not count', () => {
    const world = create()
    const ids = [world.newUuid(), world.newObjectId()]
    for (const id of ids) world.in(towns).create({ id } as never)
    const saved = JSON.parse(JSON.stringify(world.save()))
    expect(() => create().load({ ...saved, ids: 0 })).toThrow(
      `ids: Expected at least 1, because ${ids[0]} is the id with this number`,
    )
    expect(() => create().load({ ...saved, ids: 1 })).toThrow('ids: Expected at least 2')
    create().load(saved)
  })

  it.each([
    [undefined, 'records: Expected an object of records by model and place'],
    [{ ids: 0, records: [] }, 'records: Expected an object of records by model and place'],
    [{ ids: -1, records: {} }, 'ids: Expected a whole number from 0'],
    [{ ids: 0, records: { tower: {} } }, 'records.tower: Expected one of town, bell, gong, house, room, letter'],
    [{ ids: 0, records: { town: [] } }, 'records.town: Expected an object of lists by place'],
    [{ ids: 0, records: { town: { '': {} } } }, 'records.town: Expected a list of records'],
    [{ ids: 0, records: { room: { 'north 1': 1 } } }, 'records.room.north 1: Expected a list of records'],
    [{ ids: 0, records: { town: { '': [{ id: 'a' }, null] } } }, 'records.town.1: Expected object, received null'],
    [
      { ids: 0, records: { room: { x: [{ id: 'a' }, { id: 1 }, 2] }, town: { '': [3] } } },
      'records.room.x.1.id: Expected string, received number',
    ],
    [
      { ids: 0, records: { room: { x: [{ id: 'a' }, { id: 'a' }] } } },
      'records.room.x: Expected a key of its own for every record',
    ],
  ])('that is invalid is refused with the path of the first error, and changes nothing: %j', (saved, sentence) => {
    const world = create()
    const before = world.save()
    let message = ''
    try {
      world.load(saved)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message.slice(0, `load a state: ${sentence}`.length)).toBe(`load a state: ${sentence}`)
    expect(world.save()).toEqual(before)
  })
})

describe('the world of the contract', () => {
  it('has backups and a stack for each service, which are removed with the service', () => {
    const now = Date.UTC(2026, 5, 1)
    const { world } = createDeployment({
      core,
      seed: 1,
      ordinal: 0,
      size: readSize('', {}),
      start: now,
      now: () => now,
    })
    const [organization] = world.in(organizations).list()
    const [first, second] = world.in(services, organization!.id).list()
    for (const { id } of [first!, second!]) {
      for (const model of [backups, dashboards, alerts] as AnyModel[]) {
        expect(world.in(model, id).size, model.name).toBeGreaterThan(0)
      }
    }
    world.in(services, organization!.id).remove(first!.id)
    for (const model of [backups, dashboards, alerts] as AnyModel[]) {
      expect(world.seededPlaces(model)).not.toContain(first!.id)
      expect(world.seededPlaces(model)).toContain(second!.id)
      expect(world.places(model)).not.toContain(first!.id)
    }
  })
})
