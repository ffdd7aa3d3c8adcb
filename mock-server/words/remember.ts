/**
 * Caches a function by its argument. Clears the whole cache when the sizes of its values exceed `most`: LRU bookkeeping
 * would slow every read. A value larger than `most` is not cached.
 */
export function remember<K, V>(make: (key: K) => V, most: number, sizeOf: (value: V, key: K) => number = one) {
  const known = new Map<K, V>()
  let held = 0
  return (key: K): V => {
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as V
    const value = make(key)
    const size = sizeOf(value, key)
    if (size > most) return value
    held += size
    if (held > most) {
      known.clear()
      held = size
    }
    known.set(key, value)
    return value
  }
}

const one = () => 1
