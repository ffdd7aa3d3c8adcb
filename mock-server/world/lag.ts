import { type Collection, override } from './collection.ts'
import type { World } from './world.ts'

/** A write that reads do not show between `from` and `until`. They show `before`; it is undefined for a new record. */
interface PendingWrite {
  readonly before: object | undefined
  readonly from: number
  readonly until: number
}

/** The writes that reads may not show yet, by collection and key. A restored state has no lag. */
const pendingWrites = (world: World) =>
  world.once('writes that reads do not show yet', () => new WeakMap<object, Map<string, PendingWrite>>())

/**
 * A collection as lagging reads see it: lists omit recent creations, and lists and gets show the value before a change.
 * Gets of new records and removals are immediate.
 */
export function readWithLag<T extends object>(
  world: World,
  collection: Collection<T>,
  keyOf: (record: T) => string,
  now: number,
): Collection<T> {
  const writes = pendingWrites(world).get(collection)
  if (!writes) return collection
  const pendingAt = (key: string) => {
    const write = writes.get(key)
    return write && write.from <= now && now < write.until ? write : undefined
  }
  const list = () =>
    collection.list().flatMap(record => {
      const write = pendingAt(keyOf(record))
      return write ? ((write.before as T | undefined) ?? []) : record
    })
  return override(collection, {
    get size() {
      return list().length
    },
    get(key) {
      const record = collection.get(key)
      return record && ((pendingAt(key)?.before as T | undefined) ?? record)
    },
    list,
    derive: (_, make) => make(list()),
  })
}

/** The same collection for writes, which readWithLag() does not show before `until`. */
export function writeWithLag<T extends object>(
  world: World,
  collection: Collection<T>,
  keyOf: (record: T) => string,
  { now, until }: { readonly now: number; readonly until: number },
): Collection<T> {
  const all = pendingWrites(world)
  const writes = all.get(collection) ?? new Map<string, PendingWrite>()
  all.set(collection, writes)
  const remember = (key: string) => {
    for (const [other, write] of writes) if (write.until <= now) writes.delete(other)
    // A second change within the lag keeps the former value.
    if (!writes.has(key)) writes.set(key, { before: collection.get(key), from: now, until })
  }
  return override(collection, {
    create(record) {
      remember(keyOf(record))
      collection.create(record)
    },
    replace(record) {
      remember(keyOf(record))
      collection.replace(record)
    },
  })
}
