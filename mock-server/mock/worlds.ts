import type { Answer, Call, Listener } from '../words/call.ts'
import { checkedLater, checkOptions, namesOf, writeValue } from '../words/check-options.ts'
import { seedOf } from '../world/random.ts'
import { readGivenSize, type Size, sizeBounds } from '../world/size.ts'
import { readScenario, type Scenario } from './arrange/scenario.ts'
import { createCredentialIndex, WorldConflict } from './callers.ts'
import { createMockWorld, type MockSettings, type MockWorld } from './mock-world.ts'

export interface WorldOptions {
  /**
   * Its id: opening the same name again returns the open world. Its credentials follow from name and seed, so that they
   * are the same in every mock. 1 to 100 letters, digits, dots, hyphens and underscores.
   */
  readonly name?: string
  /** The same seed gives the same people, dashboards and rows. Default: that of the mock. */
  readonly seed?: number
  /** Its size. Default: that of the mock's first world. */
  readonly size?: Partial<Size>
  /** Its initial content. Default: that of the mock's first world. */
  readonly scenario?: Scenario
  /** Closes it after this many real milliseconds; opening a named world again with this option restarts the time. */
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

/** Worlds besides the first one, on the same listeners: the credentials of a call select its world. */
export interface Worlds {
  readonly size: number
  /**
   * Opens a world, or finds the one of this name. Throws an Error: a `WorldConflict` if as many are open as the limits
   * allow, or if the named one has another seed, size or scenario than requested.
   */
  open(options?: WorldOptions): OpenedWorld
  get(id: string): MockWorld | undefined
  /** Closes a world; false when there is none with this id. */
  close(id: string): boolean
  all(): readonly MockWorld[]
  /** The open worlds in order of opening. Listing does not count as use. */
  list(): readonly ListedWorld[]
}

interface OpenWorld extends ListedWorld {
  expiresAt: number
  /** When it was last called, opened or looked up. */
  usedAt: number
  lastCallAt?: number
  calls: number
  /** Telemetry rows in memory after its last call. */
  rows: number
}

/** Limit of the rows of all worlds besides the first: about 300 MiB, the logs of two weeks in two worlds, or of a day in 35. */
const maxRows = 1_000_000

/** The worlds besides the first. `find` returns that of an Authorization header; undefined for other credentials. */
export function createWorlds(setting: MockSettings, defaultSeed: number) {
  const byId = new Map<string, OpenWorld>()
  let unnamed = 0

  const close = (id: string) => {
    credentialIndex.forget(id)
    byId.delete(id)
  }
  const isExpired = ({ expiresAt, usedAt }: OpenWorld, now: number) =>
    now >= Math.min(expiresAt, usedAt + setting.worldIdleMs)
  const findOpen = (id: string | undefined): OpenWorld | undefined => {
    const one = id === undefined ? undefined : byId.get(id)
    if (!one || !isExpired(one, Date.now())) return one
    close(one.id)
    return undefined
  }
  const markUsed = (one: OpenWorld | undefined) => {
    if (one) one.usedAt = Date.now()
    return one
  }
  /** Frees the rows of the least recently used worlds if all worlds together have too many. */
  const freeRows = (used: OpenWorld) => {
    used.rows = used.world.deployment().rowsInMemory()
    let total = 0
    for (const { rows } of byId.values()) total += rows
    if (total <= maxRows) return
    for (const one of [...byId.values()].sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxRows || one === used) continue
      total -= one.rows
      one.rows = 0
      one.world.deployment().freeRows()
    }
  }
  const closeExpired = () => {
    for (const id of byId.keys()) findOpen(id)
  }
  const credentialIndex = createCredentialIndex(id => findOpen(id) !== undefined)

  const worlds: Worlds = {
    get size() {
      closeExpired()
      return byId.size
    },
    open(options = {}) {
      checkWorldOptions(options)
      const { name, seed = defaultSeed, size = {}, scenario, expiresInMs = Number.POSITIVE_INFINITY } = options
      closeExpired()
      const known = name === undefined ? undefined : byId.get(name)
      if (known) {
        refuseDifferentOptions(known, options)
        if (options.expiresInMs !== undefined) known.expiresAt = Date.now() + expiresInMs
        return { id: known.id, world: markUsed(known)!.world, isNew: false }
      }
      if (byId.size >= setting.limits.worlds) {
        throw new WorldConflict(`open a world: ${byId.size} are open, and more would fill the memory: ${advice}`)
      }
      const ordinal = name === undefined ? ++unnamed : ordinalOf(name)
      const id = name ?? `world-${ordinal}`
      const settings = {
        ...setting,
        size: { ...setting.size, ...readGivenSize('open a world: size', size) },
        ...(scenario !== undefined && {
          scenario: readScenario(setting.core, 'open a world: scenario', scenario),
        }),
      }
      const world = createMockWorld(settings, {
        seed,
        ordinal,
        id,
        accept: deployment => credentialIndex.index(id, deployment),
      })
      const now = Date.now()
      byId.set(id, { id, name, world, openedAt: now, usedAt: now, expiresAt: now + expiresInMs, calls: 0, rows: 0 })
      return { id, world, isNew: true }
    },
    get: id => markUsed(findOpen(id))?.world,
    close(id) {
      const isOpen = findOpen(id) !== undefined
      close(id)
      return isOpen
    },
    all() {
      closeExpired()
      return [...byId.values()].map(({ world }) => world)
    },
    list() {
      closeExpired()
      return [...byId.values()].map(({ expiresAt, usedAt, rows, ...listed }) => listed)
    },
  }

  const find = (authorization: string | undefined): OpenWorld | undefined => {
    if (byId.size === 0 || authorization === undefined) return undefined
    return findOpen(credentialIndex.find(authorization, byId.values()))
  }
  const findBy = ({ headers, query }: Call) =>
    find(headers.authorization ?? new URLSearchParams(query).get('credential') ?? undefined)

  return {
    worlds,
    find: (authorization: string | undefined) => find(authorization)?.world,
    /** The world of a call: by its credentials, or by the key that a signed address names in its query. */
    findBy: (call: Call) => findBy(call)?.world,
    /** Answers and counts a call in its world; undefined for the first world's and for unknown credentials. */
    answer(call: Call, listener: Listener): Promise<Answer> | undefined {
      const one = markUsed(findBy(call))
      if (!one) return undefined
      one.lastCallAt = one.usedAt
      one.calls++
      return one.world.answer(call, listener).finally(() => freeRows(one))
    },
    accept: credentialIndex.indexFirst,
  }
}

function checkWorldOptions(options: WorldOptions): void {
  const task = 'open a world'
  checkOptions(
    task,
    {
      name: [isName, nameDescription],
      seed: checkedLater(),
      size: checkedLater(),
      scenario: checkedLater(),
      expiresInMs: checkedLater(),
    },
    options,
  )
  const { name, size = {}, expiresInMs = 1 } = options
  if (name !== undefined && /^world-\d+$/.test(name)) {
    throw new Error(`${task}: name: worlds without a name are called ${name} and so on: choose another name`)
  }
  checkOptions(`${task}: size`, namesOf(sizeBounds), size)
  if (!(expiresInMs > 0)) {
    throw new Error(`${task}: expiresInMs: Expected a number above 0, received ${writeValue(expiresInMs)}`)
  }
}

const isName = (value: unknown) => typeof value === 'string' && /^[A-Za-z0-9][\w.-]{0,99}$/.test(value)
const nameDescription = '1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit'

/** The ordinal of a named world, above those of unnamed worlds, which are numbered. */
const ordinalOf = (name: string) => 2 ** 32 + seedOf(0, 'name', name)

/** Refuses to open a named world with other options than it has. */
function refuseDifferentOptions({ id, world }: OpenWorld, { seed, size = {}, scenario }: WorldOptions): void {
  const actual = {
    seed: world.deployment().world.seed,
    ...world.deployment().world.size,
    scenario: JSON.stringify(world.scenario()),
  }
  const requested = { seed, ...size, scenario: JSON.stringify(scenario) }
  for (const part of Object.keys(requested) as (keyof typeof requested)[]) {
    if (requested[part] === undefined || requested[part] === actual[part]) continue
    throw new WorldConflict(
      `open a world: ${id} is open with ${part} ${actual[part]}, not ${requested[part]}: leave it out, or close the world first`,
    )
  }
}

const advice =
  'close some (worlds.close(id), DELETE /control/worlds/{id}), or let them close by themselves (expiresInMs, --world-idle)'
