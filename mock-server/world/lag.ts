import type { Collection } from './collection.ts'
import type { World } from './world.ts'

/** What reads show of a record from one moment to another: what it was before, or nothing of a new one. */
interface Unseen {
  readonly before: object | undefined
  readonly from: number
  readonly until: number
}

/** The writes to each collection that reads may not show yet, by the keys of the records. A saved state has caught up. */
const unseenIn = (world: World) =>
  world.once('writes that reads do not show yet', () => new WeakMap<object, Map<string, Unseen>>())

/**
 * A collection as reads see it that lag behind: a list misses what was created just now, and lists and gets show what was
 * there before a change. What was created is got at once, and what was removed is gone.
 */
export function readLate<T extends object>(
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
  return over(collection, {
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

/** The same collection for whoever writes: reads will not show it before `until`. */
export function writeAhead<T extends object>(
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
    // What is still unseen shows with what was written first.
    if (!unseen.has(key)) unseen.set(key, { before: collection.get(key), from: now, until })
  }
  return over(collection, {
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

/** A collection of which some things are otherwise. */
const over = <T>(collection: Collection<T>, own: Partial<Collection<T>>): Collection<T> =>
  Object.create(collection, Object.getOwnPropertyDescriptors(own))
