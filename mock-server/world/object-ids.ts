import { createRandom } from './random.ts'

/** Ids of 24 lower-case hexadecimal digits, ascending as a database generates them. */
export function createObjectIds(seed: number, prefix: string): () => string {
  const idOf = objectIdByIndex(seed, prefix)
  let counter = 0
  return () => idOf(++counter)
}

/** The same ids by their position, from 1. */
export function objectIdByIndex(seed: number, prefix: string): (number: number) => string {
  const process = prefix + createRandom(seed).hex(18 - prefix.length)
  return number => process + number.toString(16).padStart(6, '0')
}
