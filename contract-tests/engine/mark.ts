import { type Created, created } from './created.ts'
import { isObject, type JsonObject } from './recognise.ts'

/**
 * The mark of a run is a random word in the name of everything that it creates. Nobody else knows it, and it survives
 * trimming, prefixes, suffixes and changes of letter case. Each resource has its own mark, and updates send a different
 * one: an update that hits someone else's object must not make it look as if the run had created it.
 */

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 16

/** A new mark: 16 letters and digits, which is more than 80 bits. */
export function createRunMark(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...bytes].map(byte => alphabet[byte % alphabet.length]).join('')
}

/** The mark in the names of what a run creates. */
export const creationMark = (run: string, resource: Created): string => `${run}${letters.get(resource)}`

/** The letter of each resource: its first one that no other has; `u` is for updates. */
const letters = new Map<Created, string>()
for (const resource of [...created].sort()) {
  const taken = ['u', ...letters.values()]
  letters.set(resource, [...resource.toLowerCase(), ...alphabet].find(letter => !taken.includes(letter))!)
}

/** The mark in the names that a run gives by updates; it proves nothing. */
export const updateMark = (run: string): string => `${run}u`

/** True when one of the object's own strings contains the mark. A short mark, which could be guessed, never counts. */
export const carries = (object: JsonObject | undefined, mark: string): boolean =>
  mark.length > LENGTH &&
  object !== undefined &&
  Object.values(object).some(value => typeof value === 'string' && value.toLowerCase().includes(mark))

/** The object in an answer that has the mark in one of its own texts, at most three wrappings deep. */
export function findMarked(json: unknown, mark: string, depth = 3): JsonObject | undefined {
  if (!isObject(json)) return undefined
  if (carries(json, mark)) return json
  if (depth === 0) return undefined
  for (const value of Object.values(json)) {
    const found = findMarked(value, mark, depth - 1)
    if (found) return found
  }
  return undefined
}
