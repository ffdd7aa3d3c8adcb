/** Seeded random numbers, equal in a browser and in Node. */
export type Random = ReturnType<typeof createRandom>

const hexadecimal = '0123456789abcdef'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createRandom(seed: number) {
  let state = seed >>> 0
  // Mulberry32 has a state of one 32-bit word and needs no warm-up: a world draws many short sequences.
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const next = () => word() / 0x1_0000_0000
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const hexWord = () => word().toString(16).padStart(8, '0')
  return {
    /** The current state, which is the seed of a generator that continues from here. */
    get state() {
      return state
    },
    /** A number from 0 up to, not including, 1. */
    next,
    /** An integer from `from` to `to`, both included. */
    int,
    pick: <T>(values: readonly T[]): T => values[int(0, values.length - 1)]!,
    hex(length: number): string {
      let drawn = ''
      while (drawn.length < length) drawn += hexWord()
      return drawn.slice(0, length)
    },
    alphanumeric(length: number): string {
      let drawn = ''
      while (drawn.length < length) {
        // One 32-bit word yields five characters.
        for (let rest = word(), i = 0; i < 5; i++, rest = Math.floor(rest / letters.length)) {
          drawn += letters[rest % letters.length]
        }
      }
      return drawn.slice(0, length)
    },
    /** A UUIDv4. */
    uuid(): string {
      const [a, b, c, d] = [hexWord(), hexWord(), hexWord(), hexWord()]
      const variant = hexadecimal[8 + (Number.parseInt(c[0]!, 16) & 3)]
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
  }
}

/** The seed of ids and credentials, which differ between the worlds of one mock, because they identify callers. */
export const identitySeedOf = (seed: number, ordinal: number): number =>
  ordinal === 0 ? seed : seedOf(seed, 'world', ordinal)

/** Derives a seed for one part of a world, so that it does not depend on the order in which parts are used. */
export function seedOf(seed: number, ...parts: readonly (string | number)[]): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (const part of parts) {
    const text = `${part}/`
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Ids of 24 lower-case hexadecimal digits, ascending as a database generates them. */
export function createObjectIds(seed: number, prefix: string): () => string {
  const idOf = objectIdByIndex(seed, prefix)
  let counter = 0
  return () => idOf(++counter)
}

/** Returns a function that makes the nth of these ids, counted from 1. */
export function objectIdByIndex(seed: number, prefix: string): (number: number) => string {
  const process = prefix + createRandom(seed).hex(18 - prefix.length)
  return number => process + number.toString(16).padStart(6, '0')
}
