import type { Collection } from './collection.ts'

/** The storage of a collection, in order of creation. add() expects a new key; the other writes expect a known one. */
export interface Store<T> {
  readonly size: number
  get(key: string): T | undefined
  all(): readonly T[]
  add(key: string, record: T): void
  replace(key: string, record: T): void
  /** A faster `replace`, for stores whose `replace` costs more the more records there are. */
  touch?(key: string, record: T): void
  remove(key: string): void
}

/** Cache size: values that are derived from a collection between two writes, such as serialised records. */
const maxDerived = 1000

/** A collection over a store: the part that all kinds of records have in common. */
export function createCollection<T>(name: string, keyOf: (record: T) => string, store: Store<T>): Collection<T> {
  let version = 0
  let listed: readonly T[] | undefined
  const derived = new Map<string, unknown>()
  const forget = () => {
    listed = undefined
    derived.clear()
  }
  const countWrite = () => {
    version++
    forget()
  }
  const keyOfExisting = (task: string, record: T) => {
    const key = keyOf(record)
    if (store.get(key) === undefined) throw new Error(`${task} a record of ${name}: there is none with the key ${key}`)
    return key
  }
  const list = () => {
    listed ??= store.all()
    return listed
  }
  return {
    get size() {
      return store.size
    },
    get version() {
      return version
    },
    get: store.get,
    list,
    derive<Derived>(name: string, make: (list: readonly T[]) => Derived) {
      const known = derived.get(name) as Derived | undefined
      if (known !== undefined) return known
      if (derived.size >= maxDerived) derived.clear()
      const made = make(list())
      derived.set(name, made)
      return made
    },
    create(record) {
      const key = keyOf(record)
      if (store.get(key) !== undefined) throw new Error(`create a record of ${name}: the key ${key} is taken`)
      store.add(key, record)
      countWrite()
    },
    replace(record) {
      store.replace(keyOfExisting('replace', record), record)
      countWrite()
    },
    touch(record) {
      const touch = store.touch ?? store.replace
      touch(keyOfExisting('touch', record), record)
      forget()
    },
    remove(key) {
      if (store.get(key) === undefined) return false
      store.remove(key)
      countWrite()
      return true
    },
  }
}

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
