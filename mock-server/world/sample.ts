import type { Model } from './collection.ts'
import { seedOf } from './random.ts'
import type { Size } from './size.ts'
import type { World } from './world.ts'

interface Origin {
  readonly world: World
  readonly identity: number
  readonly place: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What a sample is taken from. */
const smallest: Size = { organizations: 1, services: 1, members: 1, backups: 1, logs: 0 }

/** The first record that a model would lay out in a place, by a seed of its own and with a new key; else what is usual. */
export function sampleOf<T extends object>(model: Model<T>, { world, identity, place, at }: Origin): Partial<T> {
  const fresh = world.newUuid()
  const own = {
    seed: seedOf(world.seed, fresh),
    identity: seedOf(identity, fresh),
    size: smallest,
    start: at,
    world,
    isNew: false,
    isSample: true,
  } as const
  const [laidOut] = model.seed?.(place, own) ?? []
  const record = { ...model.usual?.(place, at, world), ...laidOut }
  return laidOut && !model.one ? renew(record, model.key(laidOut), fresh, world.newObjectId) : record
}

/** Gives a record another key of the kind that it has: a UUID, an object id, or what its own seed dealt. */
function renew<T extends object>(record: T, key: string, uuid: string, newObjectId: () => string): T {
  const next = /^[0-9a-f-]{36}$/.test(key) ? uuid : /^[0-9a-f]{24}$/.test(key) ? newObjectId() : key
  const fields = Object.entries(record).map(([name, value]) => [name, value === key ? next : value])
  return Object.fromEntries(fields) as T
}
