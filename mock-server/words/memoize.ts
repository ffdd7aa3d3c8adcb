/**
 * Caches a function by its argument. Clears the whole cache when it has `maxEntries`: LRU bookkeeping would slow every
 * read.
 */
export function memoize<K, V>(make: (key: K) => V, maxEntries: number): (key: K) => V {
  const cache = new Map<K, V>()
  return key => {
    const cached = cache.get(key)
    if (cached !== undefined || cache.has(key)) return cached as V
    const value = make(key)
    if (cache.size >= maxEntries) cache.clear()
    cache.set(key, value)
    return value
  }
}

/** Computes a value once for each object, such as what follows from a contract. */
export function onceFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>()
  return key => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const value = make(key)
    cache.set(key, value)
    return value
  }
}
