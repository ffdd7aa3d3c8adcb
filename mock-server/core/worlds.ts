import { keyOf, keys } from '../families/key/model.ts'
import { teams } from '../families/team/model.ts'
import { checkOptions } from '../words/check-options.ts'
import { selfHosted } from '../world/world.ts'
import { namesIn } from './authenticate.ts'
import type { Deployment } from './deployment.ts'
import { createMockWorld, type MockSettings, type MockWorld } from './mock-world.ts'

export interface WorldOptions {
  /** The same seed gives the same people, dashboards and rows. Default: that of the mock. */
  readonly seed?: number
  /** After this many milliseconds of real time it is closed by itself. */
  readonly expiresInMs?: number
}

/** Worlds beside the first one, on the same listeners: a caller is in the one whose credentials it sends. */
export interface Worlds {
  /** The number of open worlds. */
  readonly size: number
  /** Opens a world of its own, or throws a sentence when as many are open as the limits allow. */
  open(options?: WorldOptions): { readonly id: string; readonly world: MockWorld }
  get(id: string): MockWorld | undefined
  /** Closes a world; false when there is none with this id. */
  close(id: string): boolean
  all(): readonly MockWorld[]
}

interface Open {
  readonly id: string
  readonly world: MockWorld
  readonly expiresAt: number
}

/** `find` tells whose world an Authorization header belongs to; undefined for the first one's and for unknown ones. */
export function createWorlds(setting: MockSettings, usualSeed: number) {
  const byId = new Map<string, Open>()
  const namesById = new Map<string, readonly string[]>()
  const idByName = new Map<string, string>()
  let opened = 0
  let first: Deployment | undefined

  const close = (id: string) => {
    for (const name of namesById.get(id) ?? []) idByName.delete(name)
    namesById.delete(id)
    byId.delete(id)
  }
  const living = (id: string | undefined): Open | undefined => {
    const one = id === undefined ? undefined : byId.get(id)
    if (!one || one.expiresAt > Date.now()) return one
    close(one.id)
    return undefined
  }
  const closeExpired = () => {
    for (const id of byId.keys()) living(id)
  }
  /** Refuses credentials that another world has; `id` is the world that asks for these. */
  const refuseTaken = (names: readonly string[], id?: string) => {
    const other = names.map(name => idByName.get(name)).find(owner => owner !== id && living(owner))
    const isTaken = id !== undefined && first && names.some(name => isNameOf(name, first!))
    if (!other && !isTaken) return
    throw new Error(`${sayTaken} ${other ?? 'the first world'}, which is open`)
  }
  const admitTo = (id: string) => (deployment: Deployment) => {
    const names = namesOf(deployment)
    refuseTaken(names, id)
    for (const name of namesById.get(id) ?? []) idByName.delete(name)
    for (const name of names) idByName.set(name, id)
    namesById.set(id, names)
  }

  const worlds: Worlds = {
    get size() {
      closeExpired()
      return byId.size
    },
    open(options = {}) {
      checkOptions('open a world', { seed: true, expiresInMs: true }, options)
      const { seed = usualSeed, expiresInMs = Number.POSITIVE_INFINITY } = options
      if (!(expiresInMs > 0)) {
        throw new Error(`open a world: expiresInMs: Expected a number above 0, received ${expiresInMs}`)
      }
      closeExpired()
      if (byId.size >= setting.limits.worlds) {
        throw new Error(`open a world: ${byId.size} are open, and more would fill the memory: ${advice}`)
      }
      const ordinal = ++opened
      const id = `world-${ordinal}`
      const world = createMockWorld(setting, { seed, ordinal, admit: admitTo(id) })
      byId.set(id, { id, world, expiresAt: Date.now() + expiresInMs })
      return { id, world }
    },
    get: id => living(id)?.world,
    close(id) {
      const isOpen = living(id) !== undefined
      close(id)
      return isOpen
    },
    all() {
      closeExpired()
      return [...byId.values()].map(({ world }) => world)
    },
  }

  return {
    worlds,
    find(authorization: string | undefined): MockWorld | undefined {
      if (byId.size === 0 || authorization === undefined) return undefined
      for (const name of namesIn(authorization)) {
        const one = living(idByName.get(name) ?? idByName.get(name.toLowerCase()))
        if (one) return one.world
      }
      // Keys that were created after a world was opened are found in the world.
      if (first && namesIn(authorization).some(name => isNameOf(name, first!))) return undefined
      return worlds.all().find(world => world.recognises(authorization, 'cloud'))
    },
    admit(deployment: Deployment) {
      if (byId.size > 0) refuseTaken(namesOf(deployment))
      first = deployment
    },
  }
}

/** A loaded state, or an arranged record, may contain credentials. */
const sayTaken = 'take credentials: they are those of'
const advice =
  'close some (worlds.close(id), DELETE /control/worlds/{id}), or open them with expiresInMs, so that they close by themselves'

/**
 * The words by which a caller of a deployment is known: key ids, and the two keys of its self-hosted team; in small letters
 * too, since some choices accept them in any letter case.
 */
function namesOf({ world }: Deployment): readonly string[] {
  const { accessKey = '', ingestionKey = '' } = world.in(teams, selfHosted).get('team') ?? {}
  const keyIds = world
    .in(keys)
    .list()
    .flatMap(({ keyId = [] }) => keyId)
  const names = [...keyIds, accessKey, ingestionKey]
  return [...new Set([...names, ...names.map(name => name.toLowerCase())])]
}

function isNameOf(name: string, { world }: Deployment): boolean {
  const { accessKey, ingestionKey } = world.in(teams, selfHosted).get('team') ?? {}
  return name === accessKey || name === ingestionKey || keyOf(world, name) !== undefined
}
