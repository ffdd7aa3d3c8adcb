import { keyOf, type Model } from './collection.ts'
import { seedOf } from './random.ts'
import type { Size } from './size.ts'
import type { World } from './world.ts'

interface Origin {
  readonly world: World
  readonly identitySeed: number
  readonly place: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The input of a sample. */
const smallest: Size = { organizations: 1, services: 1, members: 1, backups: 1, logs: 0 }

/**
 * The first record that a model would generate in a place, with a seed of its own and a new key; else the default
 * values.
 */
export function sampleOf<T extends object>(model: Model<T>, { world, identitySeed, place, at }: Origin): Partial<T> {
  const newKey = world.newUuid()
  const seeding = {
    seed: seedOf(world.seed, newKey),
    identitySeed: seedOf(identitySeed, newKey),
    size: smallest,
    start: at,
    world,
    isNew: false,
    isSample: true,
  } as const
  const [seeded] = model.seed?.(place, seeding) ?? []
  const record = { ...model.defaults?.(place, at, world), ...seeded }
  return seeded && !model.isSingleton ? renew(record, keyOf(model, seeded), newKey, world.newObjectId) : record
}

/** Replaces the key of a record by a new one of the same kind: a UUID, an object id, or a generated key. */
function renew<T extends object>(record: T, key: string, uuid: string, newObjectId: () => string): T {
  const next = /^[0-9a-f-]{36}$/.test(key) ? uuid : /^[0-9a-f]{24}$/.test(key) ? newObjectId() : key
  const fields = Object.entries(record).map(([name, value]) => [name, value === key ? next : value])
  return Object.fromEntries(fields) as T
}
