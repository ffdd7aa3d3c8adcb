import type { Collection } from './collection.ts'
import { createCollection } from './stored.ts'

/** Free-form documents, in one map that keeps the order of creation. */
export function createDocuments<T>(name: string, keyOf: (record: T) => string): Collection<T> {
  const records = new Map<string, T>()
  const set = (key: string, record: T) => void records.set(key, record)
  return createCollection(name, keyOf, {
    get size() {
      return records.size
    },
    get: key => records.get(key),
    all: () => [...records.values()],
    add: set,
    replace: set,
    remove: key => void records.delete(key),
  })
}
