/**
 * Caches a function by its argument. Clears the whole cache when it has `max` entries: LRU bookkeeping would slow every
 * read.
 */
export function memoize<K, V>(make: (key: K) => V, maxEntries: number): (key: K) => V {
  const known = new Map<K, V>()
  return key => {
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as V
    const value = make(key)
    if (known.size >= maxEntries) known.clear()
    known.set(key, value)
    return value
  }
}
