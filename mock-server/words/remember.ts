/**
 * Remembers what was made of each key. When what is remembered is larger than `most`, by the size of each, all of it is
 * forgotten: to know which was used last would cost every read something. What is larger by itself is made each time.
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
