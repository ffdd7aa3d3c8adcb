import type { Collection } from './collection.ts'

/** Free-form documents: one map, which keeps the order of creation. */
export function createDocuments<T>(name: string, keyOf: (record: T) => string): Collection<T> {
  const records = new Map<string, T>()
  let version = 0
  let listed: readonly T[] | undefined
  const derived = new Map<string, unknown>()
  const changed = () => {
    version++
    listed = undefined
    derived.clear()
  }
  return {
    get size() {
      return records.size
    },
    get version() {
      return version
    },
    get: key => records.get(key),
    list() {
      listed ??= [...records.values()]
      return listed
    },
    derive<Derived>(name: string, make: (list: readonly T[]) => Derived) {
      if (!derived.has(name)) derived.set(name, make(this.list()))
      return derived.get(name) as Derived
    },
    create(record) {
      const key = keyOf(record)
      if (records.has(key)) throw new Error(`create a record of ${name}: the key ${key} is taken`)
      records.set(key, record)
      changed()
    },
    replace(record) {
      const key = keyOf(record)
      if (!records.has(key)) throw new Error(`replace a record of ${name}: there is none with the key ${key}`)
      records.set(key, record)
      changed()
    },
    touch(record) {
      const key = keyOf(record)
      if (!records.has(key)) throw new Error(`touch a record of ${name}: there is none with the key ${key}`)
      records.set(key, record)
      listed = undefined
      derived.clear()
    },
    remove(key) {
      const isGone = records.delete(key)
      if (isGone) changed()
      return isGone
    },
  }
}
