import { createRandom } from './random.ts'

/** Ids of 24 lower-case hexadecimal digits as a database deals them: each is larger than the one before. */
export function dealObjectIds(seed: number, prefix: string, from = 1): () => string {
  const process = prefix + createRandom(seed).hex(18 - prefix.length)
  let counter = from
  return () => process + (counter++).toString(16).padStart(6, '0')
}
