import { factory, primaryKey } from '@mswjs/data'
import type { Collection } from './collection.ts'
import { createCollection } from './stored.ts'

/** `held` is a list of one item, the record. */
const model = { key: primaryKey(String), held: Array }

/**
 * Administrative records, stored in one @mswjs/data database per place. The library loses changes inside objects, so
 * each record is stored whole, in a list. The library also scans all records for each query, so an index maps keys to
 * its entities: a get takes 0.2 µs instead of 17 among ten records, or 316 among a thousand.
 */
export function createAdministrative<T extends object>(name: string, keyOf: (record: T) => string): Collection<T> {
  const { records } = withoutBroadcast(() => factory({ records: model }))
  type Entity = ReturnType<typeof records.create>
  const index = new Map<string, Entity>()
  const recordIn = (entity: Entity | undefined) => entity?.held[0] as T
  const withKey = (key: string) => ({ where: { key: { equals: key } } })
  return createCollection(name, keyOf, {
    get size() {
      return index.size
    },
    get: key => recordIn(index.get(key)),
    all: () => records.getAll().map(recordIn),
    add: (key, record) => void index.set(key, records.create({ key, held: [record] })),
    replace: (key, record) => void index.set(key, records.update({ ...withKey(key), data: { held: [record] } })!),
    // Writes into the list of the entity: an update through the library would scan all records.
    touch(key, record) {
      index.get(key)!.held[0] = record
    },
    remove(key) {
      index.delete(key)
      records.delete(withKey(key))
    },
  })
}

/**
 * Hides the constructor BroadcastChannel and the stack traces of errors while a database is created. Where `window` exists,
 * the library would open a channel for each database, which copies records into other tabs and keeps jsdom from exiting.
 * It hashes a stack trace into the name of that channel, which in a test with source maps takes longer than all the rest.
 */
function withoutBroadcast<T>(make: () => T): T {
  const scope = globalThis as { BroadcastChannel?: unknown }
  const { BroadcastChannel } = scope
  const { stackTraceLimit } = Error
  const hasChannel = typeof window !== 'undefined' && BroadcastChannel !== undefined
  if (hasChannel) scope.BroadcastChannel = undefined
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    if (hasChannel) scope.BroadcastChannel = BroadcastChannel
    Error.stackTraceLimit = stackTraceLimit
  }
}
