import { callerNamesIn } from '../words/authorization.ts'
import { hash } from '../words/hash.ts'
import type { Deployment } from './deployment.ts'

/** A world cannot be opened, or cannot have certain credentials, because of the other worlds. */
export class WorldConflict extends Error {}

interface IndexedWorld {
  readonly id: string
  readonly world: { deployment(): Deployment; revision(): number }
}

/** An index from credentials to the ids of the worlds besides the first. `isOpen` tells whether a world still exists. */
export function createCredentialIndex(isOpen: (id: string) => boolean) {
  const idByName = new Map<string, string>()
  const namesById = new Map<string, readonly string[]>()
  /** The revision of a world at which its keys were indexed. */
  const indexedRevision = new Map<string, number>()
  let first: Deployment | undefined

  const ownerOf = (name: string): string | undefined => {
    const id = idByName.get(name)
    return id !== undefined && isOpen(id) ? id : undefined
  }
  const forget = (id: string) => {
    for (const name of namesById.get(id) ?? []) if (idByName.get(name) === id) idByName.delete(name)
    namesById.delete(id)
    indexedRevision.delete(id)
  }
  /** Refuses credentials that another world has; `id` is the world that asks for them, undefined for the first. */
  const refuseTaken = (names: readonly string[], id?: string) => {
    const other = names.map(ownerOf).find(owner => owner !== undefined && owner !== id)
    const isTaken = id !== undefined && first && names.some(name => isNameOf(name, first!))
    if (!other && !isTaken) return
    // A loaded state, or an arranged record, may contain credentials.
    throw new WorldConflict(`take credentials: they are those of ${other ?? 'the first world'}, which is open`)
  }
  /** Indexes the keys that were created since the last time, also by calls. */
  const readNewKeys = (worlds: Iterable<IndexedWorld>) => {
    for (const { id, world } of worlds) {
      const revision = world.revision()
      if (indexedRevision.get(id) === revision) continue
      indexedRevision.set(id, revision)
      const names = namesOf(world.deployment())
      for (const name of names) if (!ownerOf(name)) idByName.set(name, id)
      namesById.set(id, [...new Set([...(namesById.get(id) ?? []), ...names])])
    }
  }

  return {
    forget,
    indexFirst(deployment: Deployment) {
      if (idByName.size > 0) refuseTaken(namesOf(deployment))
      first = deployment
    },
    index(id: string, deployment: Deployment) {
      const names = namesOf(deployment)
      refuseTaken(names, id)
      forget(id)
      for (const name of names) idByName.set(name, id)
      namesById.set(id, names)
    },
    /** The id of the world of an Authorization header; undefined for credentials of the first world and for unknown ones. */
    find(authorization: string, worlds: Iterable<IndexedWorld>): string | undefined {
      const names = callerNamesIn(authorization)
      for (const name of names) {
        const id = ownerOf(name) ?? ownerOf(name.toLowerCase())
        if (id !== undefined) return id
      }
      if (first && names.some(name => isNameOf(name, first!))) return undefined
      readNewKeys(worlds)
      return names
        .flatMap(name => [name, hash(name)])
        .map(ownerOf)
        .find(id => id !== undefined)
    },
  }
}

/** What identifies a caller of a deployment, also in lower case, because some choices ignore letter case. */
function namesOf({ core, world }: Deployment): readonly string[] {
  const names = Object.values(core.credentials).flatMap(one => one.names(world))
  return [...new Set([...names, ...names.map(name => name.toLowerCase())])]
}

const isNameOf = (name: string, { core, world }: Deployment): boolean =>
  Object.values(core.credentials).some(one => one.hasName(world, name))
