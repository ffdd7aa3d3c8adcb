import { type CreatableResource, creatableResourcesOf } from './creatable-resources.ts'
import { isObject, type JsonObject } from './recognise.ts'

/**
 * A run's mark is a random word in the name of everything that it creates. It survives trimming, prefixes, suffixes and
 * changes of letter case. Each resource has a mark of its own, and so have updates: an update of somebody else's object must
 * not make that object look like the run's.
 */

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const MARK_LENGTH = 16

/** 16 letters and digits: more than 80 bits. */
export function createRunMark(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(MARK_LENGTH))
  return [...bytes].map(byte => alphabet[byte % alphabet.length]).join('')
}

/** Resources that only a document has share a digit: they are told apart by their paths. */
export const creationMark = (run: string, resource: CreatableResource): string =>
  `${run}${letters.get(resource) ?? '9'}`

/** Gives each resource its first letter that no other has; `u` is for updates. */
function assignLetters(): ReadonlyMap<CreatableResource, string> {
  const assigned = new Map<CreatableResource, string>()
  for (const resource of [...creatableResourcesOf()].sort()) {
    const taken = ['u', ...assigned.values()]
    assigned.set(resource, [...resource.toLowerCase(), ...alphabet].find(letter => !taken.includes(letter))!)
  }
  return assigned
}
const letters = assignLetters()

/** The mark of updates, which alone proves nothing. */
export const updateMark = (run: string): string => `${run}u`

/** True when a text field of the object contains the mark. A short mark could be guessed, and never counts. */
export const hasMark = (object: JsonObject | undefined, mark: string): boolean =>
  mark.length > MARK_LENGTH &&
  object !== undefined &&
  Object.values(object).some(value => typeof value === 'string' && value.toLowerCase().includes(mark))

/** The first object with the mark, at most three levels deep. */
export function findMarked(json: unknown, mark: string, depth = 3): JsonObject | undefined {
  if (!isObject(json)) return undefined
  if (hasMark(json, mark)) return json
  if (depth === 0) return undefined
  for (const value of Object.values(json)) {
    const found = findMarked(value, mark, depth - 1)
    if (found) return found
  }
  return undefined
}
