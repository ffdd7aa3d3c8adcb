import { decode } from '../../engine/paths.ts'
import { isObject } from '../../engine/recognise.ts'

/** Follows references inside of one document; one that leads out of it, or nowhere, is noted and left alone. */
export interface References {
  follow(reference: string): unknown
  /** The thing itself when it is no reference. */
  resolve(thing: unknown): unknown
  /** Notes a reference that leads back to where it stands. */
  giveUp(reference: string): void
  /** Those that could not be followed. */
  readonly unread: ReadonlySet<string>
}

export function createReferences(document: unknown): References {
  const unread = new Set<string>()
  function follow(reference: string): unknown {
    let place: unknown = reference.startsWith('#/') ? document : undefined
    for (const part of reference.slice(2).split('/')) {
      const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
      place = (isObject(place) || Array.isArray(place)) && Object.hasOwn(place, key) ? place[key as never] : undefined
    }
    if (place === undefined) unread.add(reference)
    return place
  }
  function resolve(thing: unknown): unknown {
    const seen = new Set<string>()
    let place = thing
    while (isObject(place) && typeof place.$ref === 'string') {
      if (seen.has(place.$ref)) {
        unread.add(place.$ref)
        return undefined
      }
      seen.add(place.$ref)
      place = follow(place.$ref)
    }
    return place
  }
  return { follow, resolve, giveUp: reference => void unread.add(reference), unread }
}
