import { keyOf, keys } from '../families/key/model.ts'
import { teams } from '../families/team/model.ts'
import { checkOptions, written } from '../words/check-options.ts'
import { seedOf } from '../world/random.ts'
import { readSize, type Size } from '../world/size.ts'
import { selfHosted } from '../world/world.ts'
import { namesIn } from './authenticate.ts'
import type { Deployment } from './deployment.ts'
import { createMockWorld, type MockSettings, type MockWorld } from './mock-world.ts'

export interface WorldOptions {
  /**
   * Its id, by which it is opened once: whoever opens it again gets the world that is there. Its credentials follow from
   * name and seed, so that they are the same in every mock. 1 to 100 letters, digits, dots, hyphens and underscores.
   */
  readonly name?: string
  /** The same seed gives the same people, dashboards and rows. Default: that of the mock. */
  readonly seed?: number
  /** How large it is. Default: as the mock's first world. */
  readonly size?: Partial<Size>
  /** After this many milliseconds of real time it is closed by itself; to open a named world again puts that off. */
  readonly expiresInMs?: number
}

export interface OpenedWorld {
  readonly id: string
  readonly world: MockWorld
  /** False for a named world that was open before. */
  readonly isNew: boolean
}

/** An open world, and how it is used. Times are epoch milliseconds of real time. */
export interface ListedWorld {
  readonly id: string
  readonly world: MockWorld
  readonly name?: string
  readonly openedAt: number
  readonly lastCallAt?: number
  readonly calls: number
}

/** Worlds beside the first one, on the same listeners: a caller is in the one whose credentials it sends. */
export interface Worlds {
  /** The number of open worlds. */
  readonly size: number
  /**
   * Opens a world of its own, or finds the one of this name. Throws a sentence, as a `WorldConflict` when as many are open
   * as the limits allow, or when the named one has another seed or size than is asked for.
   */
  open(options?: WorldOptions): OpenedWorld
  get(id: string): MockWorld | undefined
  /** Closes a world; false when there is none with this id. */
  close(id: string): boolean
  all(): readonly MockWorld[]
  /** The open worlds in order of opening. To be listed is no use of a world. */
  list(): readonly ListedWorld[]
}

/** A world cannot be opened, or not take credentials, as the worlds now are. */
export class WorldConflict extends Error {}

interface Open {
  readonly id: string
  readonly name?: string
  readonly world: MockWorld
  readonly openedAt: number
  expiresAt: number
  /** When it was last called, opened or asked for. */
  usedAt: number
  lastCallAt?: number
  calls: number
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
  const isOver = ({ expiresAt, usedAt }: Open, now: number) => now >= Math.min(expiresAt, usedAt + setting.worldIdleMs)
  const living = (id: string | undefined): Open | undefined => {
    const one = id === undefined ? undefined : byId.get(id)
    if (!one || !isOver(one, Date.now())) return one
    close(one.id)
    return undefined
  }
  const use = (one: Open | undefined) => {
    if (one) one.usedAt = Date.now()
    return one
  }
  const closeExpired = () => {
    for (const id of byId.keys()) living(id)
  }
  /** Refuses credentials that another world has; `id` is the world that asks for these. */
  const refuseTaken = (names: readonly string[], id?: string) => {
    const other = names.map(name => idByName.get(name)).find(owner => owner !== id && living(owner))
    const isTaken = id !== undefined && first && names.some(name => isNameOf(name, first!))
    if (!other && !isTaken) return
    throw new WorldConflict(`${sayTaken} ${other ?? 'the first world'}, which is open`)
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
      const { name, seed = usualSeed, size, expiresInMs = Number.POSITIVE_INFINITY } = readOptions(options)
      closeExpired()
      const known = name === undefined ? undefined : byId.get(name)
      if (known) {
        refuseOther(known, options)
        if (options.expiresInMs !== undefined) known.expiresAt = Date.now() + expiresInMs
        return { id: known.id, world: use(known)!.world, isNew: false }
      }
      if (byId.size >= setting.limits.worlds) {
        throw new WorldConflict(`open a world: ${byId.size} are open, and more would fill the memory: ${advice}`)
      }
      const ordinal = name === undefined ? ++opened : ordinalOf(name)
      const id = name ?? `world-${ordinal}`
      const sized = { ...setting, size: readSize('open a world: size', { ...setting.size, ...size }) }
      const world = createMockWorld(sized, { seed, ordinal, admit: admitTo(id) })
      const now = Date.now()
      byId.set(id, { id, name, world, openedAt: now, usedAt: now, expiresAt: now + expiresInMs, calls: 0 })
      return { id, world, isNew: true }
    },
    get: id => use(living(id))?.world,
    close(id) {
      const isOpen = living(id) !== undefined
      close(id)
      return isOpen
    },
    all() {
      closeExpired()
      return [...byId.values()].map(({ world }) => world)
    },
    list() {
      closeExpired()
      return [...byId.values()].map(({ expiresAt, usedAt, ...listed }) => listed)
    },
  }

  const find = (authorization: string | undefined): Open | undefined => {
    if (byId.size === 0 || authorization === undefined) return undefined
    for (const name of namesIn(authorization)) {
      const one = living(idByName.get(name) ?? idByName.get(name.toLowerCase()))
      if (one) return one
    }
    // Keys that were created after a world was opened are found in the world.
    if (first && namesIn(authorization).some(name => isNameOf(name, first!))) return undefined
    closeExpired()
    return [...byId.values()].find(({ world }) => world.recognises(authorization, 'cloud'))
  }

  return {
    worlds,
    find: (authorization: string | undefined) => find(authorization)?.world,
    /** The same for a call, which is counted. */
    enter(authorization: string | undefined): MockWorld | undefined {
      const one = use(find(authorization))
      if (!one) return undefined
      one.lastCallAt = one.usedAt
      one.calls++
      return one.world
    },
    admit(deployment: Deployment) {
      if (byId.size > 0) refuseTaken(namesOf(deployment))
      first = deployment
    },
  }
}

function readOptions(options: WorldOptions): WorldOptions {
  const task = 'open a world'
  checkOptions(task, { name: [isName, wantedName], seed: true, size: true, expiresInMs: true }, options)
  const { name, size = {}, expiresInMs = 1 } = options
  if (name !== undefined && /^world-\d+$/.test(name)) {
    throw new Error(`${task}: name: worlds without a name are called so: take another than ${name}`)
  }
  checkOptions(`${task}: size`, { organizations: true, services: true, members: true, backups: true, logs: true }, size)
  if (!(expiresInMs > 0)) {
    throw new Error(`${task}: expiresInMs: Expected a number above 0, received ${written(expiresInMs)}`)
  }
  return options
}

const isName = (value: unknown) => typeof value === 'string' && /^[A-Za-z0-9][\w.-]{0,99}$/.test(value)
const wantedName = '1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit'

/** Beyond those of worlds that are counted. */
const ordinalOf = (name: string) => 2 ** 32 + seedOf(0, 'name', name)

/** A named world is what it was opened as; silently to give another would be worse than a refusal. */
function refuseOther({ id, world }: Open, { seed, size = {} }: WorldOptions): void {
  const is = { seed: world.look().world.seed, ...world.look().world.size }
  const asked = { seed, ...size }
  for (const part of Object.keys(asked) as (keyof typeof asked)[]) {
    if (asked[part] === undefined || asked[part] === is[part]) continue
    throw new WorldConflict(
      `open a world: ${id} is open with ${part} ${is[part]}, not ${asked[part]}: leave it out, or close the world first`,
    )
  }
}

/** A loaded state, or an arranged record, may contain credentials. */
const sayTaken = 'take credentials: they are those of'
const advice =
  'close some (worlds.close(id), DELETE /control/worlds/{id}), or let them close by themselves (expiresInMs, --world-idle)'

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
