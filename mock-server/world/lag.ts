import { type Collection, override } from './collection.ts'
import type { World } from './world.ts'

/** What reads show of a record during a lag: its former value, or nothing if it is new. */
interface Unseen {
  readonly before: object | undefined
  readonly from: number
  readonly until: number
}

/** The writes to each collection that reads may not show yet, by key. A restored state has no lag. */
const unseenIn = (world: World) =>
  world.once('writes that reads do not show yet', () => new WeakMap<object, Map<string, Unseen>>())

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
  const unseen = unseenIn(world).get(collection)
  if (!unseen) return collection
  const pending = (key: string) => {
    const found = unseen.get(key)
    return found && found.from <= now && now < found.until ? found : undefined
  }
  const list = () =>
    collection.list().flatMap(record => {
      const late = pending(keyOf(record))
      return late ? ((late.before as T | undefined) ?? []) : record
    })
  return override(collection, {
    get size() {
      return list().length
    },
    get(key) {
      const record = collection.get(key)
      return record && ((pending(key)?.before as T | undefined) ?? record)
    },
    list,
    derive: (_, make) => make(list()),
  })
}

/** The same collection for writes, which reads do not show before `until`. */
export function writeWithLag<T extends object>(
  world: World,
  collection: Collection<T>,
  keyOf: (record: T) => string,
  { now, until }: { readonly now: number; readonly until: number },
): Collection<T> {
  const all = unseenIn(world)
  const unseen = all.get(collection) ?? new Map<string, Unseen>()
  all.set(collection, unseen)
  const note = (key: string) => {
    for (const [other, late] of unseen) if (late.until <= now) unseen.delete(other)
    // A second change within the lag keeps the former value.
    if (!unseen.has(key)) unseen.set(key, { before: collection.get(key), from: now, until })
  }
  return override(collection, {
    create(record) {
      note(keyOf(record))
      collection.create(record)
    },
    replace(record) {
      note(keyOf(record))
      collection.replace(record)
    },
  })
}
