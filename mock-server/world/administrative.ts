import { factory, primaryKey } from '@mswjs/data'
import type { Collection } from './collection.ts'
import { createCollection } from './stored.ts'

const model = { key: primaryKey(String), held: Array }

/**
 * Administrative records, stored in one @mswjs/data database per place. The library scans all records for each query
 * and loses changes inside objects, so that a record is stored whole in a list, and an index leads from its key to the
 * library's entity (0.2 µs instead of 17 for one of ten records, 316 for one of a thousand).
 */
export function createAdministrative<T extends object>(name: string, keyOf: (record: T) => string): Collection<T> {
  const { records } = withoutBroadcast(() => factory({ records: model }))
  type Entity = ReturnType<typeof records.create>
  const index = new Map<string, Entity>()
  const held = (entity: Entity | undefined) => entity?.held[0] as T
  const at = (key: string) => ({ where: { key: { equals: key } } })
  return createCollection(name, keyOf, {
    get size() {
      return index.size
    },
    get: key => held(index.get(key)),
    all: () => records.getAll().map(held),
    add: (key, record) => void index.set(key, records.create({ key, held: [record] })),
    replace: (key, record) => void index.set(key, records.update({ ...at(key), data: { held: [record] } })!),
    // Writes into the list of the entity: an update through the library would scan all records.
    touch(key, record) {
      index.get(key)!.held[0] = record
    },
    remove(key) {
      index.delete(key)
      records.delete(at(key))
    },
  })
}

/**
 * Where there is a `window`, the library opens a BroadcastChannel for each database, which copies records into other
 * tabs and keeps jsdom from exiting. Hides the constructor while a database is created.
 */
function withoutBroadcast<T>(make: () => T): T {
  const scope = globalThis as { BroadcastChannel?: unknown }
  const { BroadcastChannel } = scope
  if (typeof window === 'undefined' || BroadcastChannel === undefined) return make()
  scope.BroadcastChannel = undefined
  try {
    return make()
  } finally {
    scope.BroadcastChannel = BroadcastChannel
  }
}
