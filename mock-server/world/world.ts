import type { Contract } from '../../fixtures/built-contract/index.ts'
import { isRecord } from '../words/check-options.ts'
import { createAdministrative } from './administrative.ts'
import { type AnyModel, type Collection, keyOf, type Model, override, type Seeding } from './collection.ts'
import { createRandom, identitySeedOf, objectIdByIndex, seedOf } from './random.ts'
import type { Size } from './size.ts'
import { createDocuments } from './stored.ts'

/** The place of records that belong to the whole deployment. */
export const deployment = ''
/** The place of the self-hosted observability stack; that of a managed stack is the key of its service. */
export const selfHosted = 'self-hosted'

/** Which records are saved: all, or only those of seeded places; this release can generate the others from the seed. */
export type Extent = 'whole' | 'opened'

/** Records by model name and place, and the number of generated ids. */
export interface Saved {
  readonly ids: number
  /** If only seeded places are saved: the keys of records that calls created, by which `isNew` is known. */
  readonly created?: readonly string[]
  readonly records: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>
}

/** All records of one world, by model and place, and their changes over time. */
export interface World {
  readonly contract: Contract
  readonly seed: number
  /** The index of the world in its mock: 0 for the first. */
  readonly ordinal: number
  readonly size: Size
  /** The time at which the world started, in epoch milliseconds. */
  readonly start: number
  /** Incremented by every write; seeding a place is not a write. */
  readonly revision: number
  readonly models: readonly AnyModel[]
  /** The collection of a model in a place: the deployment, a stack, or the key of the containing record. */
  in<T extends object>(model: Model<T>, place?: string): Collection<T>
  /** Short for `in(model, place).list()`. */
  list<T extends object>(model: Model<T>, place?: string): readonly T[]
  /** All places of a model, seeded or not. */
  places(model: AnyModel): readonly string[]
  /** The places of a model that have been seeded. */
  seededPlaces(model: AnyModel): readonly string[]
  /** Seeds all places, one with each step. */
  seedAll(): Iterable<unknown>
  /** A record like those that are seeded in a place, with a new key. If the model has no `seed`: only its defaults. */
  sample<T extends object>(model: Model<T>, place: string, at: number): Partial<T>
  /** Computes a value once per world, such as a plan from which several models are seeded. */
  once<T>(name: string, make: () => T): T
  /** A new id of 24 lower-case hexadecimal digits. */
  newObjectId(): string
  /** A new UUIDv4. */
  newUuid(): string
  /** Applies all due changes up to a time, in chronological order over all models. */
  applyTime(now: number): void
  save(extent?: Extent): Saved
  /** Loads saved records, or throws an Error that names the first invalid field. */
  load(saved: unknown): void
}

export interface Origin {
  readonly contract: Contract
  readonly seed: number
  /** The index of the world in its mock: 0 for the first. */
  readonly ordinal: number
  readonly size: Size
  readonly start: number
  readonly models: readonly AnyModel[]
  /** Filters the seeded records of a model in a place. Without it, all are kept. */
  readonly select?: (model: AnyModel, place: string, records: Iterable<object>) => Iterable<object>
}

export function createWorld(origin: Origin): World {
  const { contract, seed, ordinal, size, start, models: unordered, select } = origin
  const stacks = unordered.find(({ hasStack }) => hasStack)
  /** The model whose records contain those of the given one. */
  const parentOf = ({ within }: AnyModel) =>
    within === 'stack' ? stacks : within === 'deployment' ? undefined : within
  const depthOf = (model: AnyModel | undefined): number => (model ? 1 + depthOf(parentOf(model)) : 0)
  const models = unordered.toSorted((a, b) => depthOf(a) - depthOf(b))
  const identitySeed = identitySeedOf(seed, ordinal)
  /**
   * The collections of each model, by place. Models go by their names: families name their own ones, and a world may have
   * been given others in their place, whose records have more fields.
   */
  const collections = new Map(models.map(({ name }) => [name, new Map<string, Collection<object>>()]))
  const timed = models.filter(({ nextChangeAt: next }) => next)
  /** The keys of records that calls created. Places within these are seeded with `isNew`. */
  const created = new Set<string>()
  const computed = new Map<string, unknown>()
  let revision = 0
  let ids = 0
  const objectIdOf = objectIdByIndex(seedOf(identitySeed, 'created'), '68')
  const createdUuid = (index: number) => createRandom(seedOf(identitySeed, 'created', index)).uuid()
  /** No record changes by itself before this time. */
  let earliestChange = Number.NEGATIVE_INFINITY
  let isApplyingTime = false
  /** The time of the change that is being applied, else that of the last applyTime(). */
  let moment = start

  const childrenOf = (model: AnyModel) => models.filter(one => parentOf(one)?.name === model.name)

  function open<T extends object>(model: Model<T>, place: string): Collection<T> {
    const collection = (model.isNumerous ? createDocuments<T> : createAdministrative<T>)(model.name, record =>
      keyOf(model, record),
    )
    collectionsOf(model).set(place, watch(model, place, collection) as unknown as Collection<object>)
    return collection
  }

  /** Counts writes, calls reactions, keeps the time of the next change, and removes children with their parent. */
  function watch<T extends object>(model: Model<T>, place: string, collection: Collection<T>): Collection<T> {
    const children = childrenOf(model)
    const reactions = models.flatMap(({ reactions = [] }) => reactions.filter(one => one.model.name === model.name))
    const notify = (key: string, after?: T) => {
      for (const { beforeWrite } of reactions)
        beforeWrite({ place, at: moment, before: collection.get(key), after }, world)
    }
    const countWrite = (record?: T) => {
      revision++
      if (record && model.nextChangeAt)
        earliestChange = Math.min(earliestChange, model.nextChangeAt(record) ?? Number.POSITIVE_INFINITY)
    }
    return override(collection, {
      create(record) {
        notify(keyOf(model, record), record)
        collection.create(record)
        if (children.length > 0) created.add(keyOf(model, record))
        countWrite(record)
      },
      replace(record) {
        notify(keyOf(model, record), record)
        collection.replace(record)
        countWrite(record)
      },
      remove(key) {
        if (!collection.get(key)) return false
        notify(key)
        collection.remove(key)
        for (const child of children) drop(child, key)
        countWrite()
        return true
      },
    })
  }

  function drop(model: AnyModel, place: string): void {
    const collection = collectionsOf(model).get(place)
    if (!collection) return
    collectionsOf(model).delete(place)
    for (const child of childrenOf(model)) for (const record of collection.list()) drop(child, keyOf(model, record))
  }

  const collectionsOf = (model: AnyModel): Map<string, Collection<object>> => {
    const byPlace = collections.get(model.name)
    if (!byPlace) throw new Error(`open the records of ${model.name}: the world was made without this model`)
    return byPlace
  }

  const placesOf = (model: AnyModel): readonly string[] => {
    const parent = parentOf(model)
    if (model.within === 'deployment') return [deployment]
    const keys = parent ? keysOf(parent) : []
    return model.within === 'stack' ? [selfHosted, ...keys] : keys
  }
  const keysOf = (model: AnyModel) =>
    placesOf(model).flatMap(place => world.list(model, place).map(record => keyOf(model, record)))

  /** The record that changes next by itself, of all models. */
  function findDue() {
    let first: { model: AnyModel; place: string; record: object; at: number } | undefined
    for (const model of timed) {
      for (const [place, collection] of collectionsOf(model)) {
        for (const record of collection.list()) {
          const at = model.nextChangeAt!(record)
          if (at !== undefined && (!first || at < first.at)) first = { model, place, record, at }
        }
      }
    }
    return first
  }

  /** Refuses records whose ids would be generated once more, because they are not among the `counted` ones. */
  function refuseUncountedIds(records: ReturnType<typeof readSaved>['records'], counted: number): void {
    const keys = new Set(records.flatMap(({ model, list }) => list.map(record => keyOf(model, record))))
    for (let next = counted + 1; next <= counted + maxUncounted; next++) {
      const key = [objectIdOf(next), createdUuid(next)].find(one => keys.has(one))
      if (key === undefined) continue
      throw new Error(`load a state: ids: Expected at least ${next}, because ${key} is the id with this number`)
    }
  }

  const world: World = {
    contract,
    seed,
    ordinal,
    size,
    start,
    models,
    get revision() {
      return revision
    },
    list: (model, place) => world.in(model, place).list(),
    in<T extends object>(model: Model<T>, place = deployment) {
      const known = collectionsOf(model).get(place) as Collection<T> | undefined
      if (known) return known
      const collection = open(model, place)
      const from: Seeding = { seed, identitySeed, start, size, world, isNew: created.has(place) }
      const seeded = model.seed?.(place, from) ?? []
      const records = select ? (select(model, place, seeded) as Iterable<T>) : seeded
      for (const record of records) collection.create(record)
      if (model.nextChangeAt) earliestChange = Number.NEGATIVE_INFINITY
      return collectionsOf(model).get(place) as unknown as Collection<T>
    },
    places: placesOf,
    sample<T extends object>(model: Model<T>, place: string, at: number) {
      const newKey = world.newUuid()
      const seeds = { seed: seedOf(seed, newKey), identitySeed: seedOf(identitySeed, newKey) }
      const from: Seeding = { ...seeds, size: sizeOfSample, start: at, world, isNew: false, isSample: true }
      const [seeded] = model.seed?.(place, from) ?? []
      const record = { ...model.defaults?.(place, at, world), ...seeded }
      return seeded && !model.isSingleton ? renew(record, keyOf(model, seeded), newKey, world.newObjectId) : record
    },
    *seedAll() {
      for (const model of models) for (const place of placesOf(model)) yield world.in(model, place)
    },
    seededPlaces: model => [...collectionsOf(model).keys()],
    once<T>(name: string, make: () => T) {
      if (!computed.has(name)) computed.set(name, make())
      return computed.get(name) as T
    },
    newObjectId: () => objectIdOf(++ids),
    newUuid: () => createdUuid(++ids),
    applyTime(now) {
      if (isApplyingTime) return
      moment = now
      if (now < earliestChange) return
      isApplyingTime = true
      try {
        let next = findDue()
        for (; next && next.at <= now; next = findDue()) {
          const { model, place, record, at } = next
          moment = at
          const changed = model.applyChange?.(record, at, world, place, now)
          if (changed && (model.nextChangeAt?.(changed) ?? Number.POSITIVE_INFINITY) <= at)
            throw new Error(`advance ${model.name} ${keyOf(model, record)}: it would change at ${at} for ever`)
          if (changed) world.in(model, place).replace(changed)
          else world.in(model, place).remove(keyOf(model, record))
        }
        earliestChange = next?.at ?? Number.POSITIVE_INFINITY
      } finally {
        moment = now
        isApplyingTime = false
      }
    },
    save(extent = 'whole') {
      const listOf = (model: AnyModel) => {
        const places = extent === 'whole' ? placesOf(model) : world.seededPlaces(model)
        return Object.fromEntries(places.map(place => [place, world.list(model, place)]))
      }
      const records = Object.fromEntries(models.map(model => [model.name, listOf(model)]))
      return { ids, ...(extent === 'opened' && { created: [...created] }), records }
    },
    load(saved) {
      const { ids: given, created: keys = [], records } = readSaved(saved, models)
      refuseUncountedIds(records, given)
      ids = given
      for (const key of keys) created.add(key)
      for (const { model, place, list } of records) {
        const collection = open(model, place)
        for (const record of list) collection.create(record)
      }
      earliestChange = Number.NEGATIVE_INFINITY
    },
  }
  return world
}

/** The ids after the counted ones among which the records of a state are looked for. */
const maxUncounted = 200

const sizeOfSample: Size = { organizations: 1, services: 1, members: 1, backups: 1, logs: 0 }

/** Replaces a key that is a UUID or an object id by a new one, in all fields that have it. Other keys stay. */
function renew<T extends object>(record: T, key: string, uuid: string, newObjectId: () => string): T {
  const newId = /^[0-9a-f]{24}$/.test(key) ? newObjectId() : key
  const next = /^[0-9a-f-]{36}$/.test(key) ? uuid : newId
  const fields = Object.entries(record).map(([name, value]) => [name, value === key ? next : value])
  return Object.fromEntries(fields) as T
}

/** Reads saved records and judges each by the schema of its model. Throws an Error that names the first invalid field. */
function readSaved(saved: unknown, models: readonly AnyModel[]) {
  const refuse = (place: string, expected: string) => new Error(`load a state: ${place}: Expected ${expected}`)
  if (!isRecord(saved) || !isRecord(saved.records)) throw refuse('records', 'an object of records by model and place')
  const ids = saved.ids
  if (typeof ids !== 'number' || !Number.isSafeInteger(ids) || ids < 0) throw refuse('ids', 'a whole number from 0')
  const { created } = saved
  if (created !== undefined && !(Array.isArray(created) && created.every(key => typeof key === 'string')))
    throw refuse('created', 'a list of keys')
  const records = Object.entries(saved.records).flatMap(([name, places]) => {
    const model = models.find(one => one.name === name)
    if (!model) throw refuse(`records.${name}`, `one of ${models.map(model => model.name).join(', ')}`)
    if (!isRecord(places)) throw refuse(`records.${name}`, 'an object of lists by place')
    return Object.entries(places).map(([place, list]) => {
      const at = `records.${name}${place && `.${place}`}`
      if (!Array.isArray(list)) throw refuse(at, 'a list of records')
      const checked = list.map((record: unknown, index) => {
        const result = model.record.safeParse(record)
        if (result.success) return record as object
        const [issue] = result.error.issues
        const where = [at, index, ...(issue?.path ?? [])].join('.')
        throw new Error(`load a state: ${where}: ${issue?.message ?? 'It is not a record of this model'}`)
      })
      const keys = new Set(checked.map(record => keyOf(model, record)))
      if (keys.size < checked.length) throw refuse(at, 'a key of its own for every record')
      return { model, place, list: checked }
    })
  })
  return { ids, created: created as readonly string[] | undefined, records }
}
