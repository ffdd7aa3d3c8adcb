import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Mock } from '../core/mock.ts'
import { clearLeftovers, createStateFile, explain, openStateFile, type StateFile, StateRefused } from './state-file.ts'

export { StateRefused } from './state-file.ts'

export interface KeptState {
  /** Saves what has changed since the last time, and saves no more; false when a file is not what its world is. */
  close(): Promise<boolean>
}

type Complain = (sentence: string) => void
type Save = (isLast: boolean) => Promise<boolean>

/**
 * Takes the world from a file when there is one, and from then on keeps it there: at most once a second when something has
 * changed, and at the end. A file is replaced as a whole, so that it is never half a world. A path that is a folder, or ends
 * with a slash, keeps the first world and all that have a name, each in a file of its own.
 */
export function keepState(mock: Mock, path: string, complain: Complain): KeptState {
  const isFolder = /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory())
  const save = isFolder ? keepFolder(mock, path, complain) : keepFile(mock, path, complain)
  let saving: Promise<boolean> | undefined
  const saveNext = (isLast = false) => {
    const next = (saving ?? Promise.resolve(true))
      .then(() => save(isLast))
      .finally(() => {
        if (saving === next) saving = undefined
      })
    saving = next
    return next
  }
  const timer = setInterval(() => void (saving ?? saveNext()), 1000)
  timer.unref()
  return {
    close() {
      clearInterval(timer)
      return saveNext(true)
    },
  }
}

function keepFile(mock: Mock, file: string, complain: Complain): Save {
  const kept = openStateFile(mock, file, { complain })
  clearLeftovers(dirname(file), one => one === basename(file))
  return kept.save
}

/** No world has a name that begins so. */
const first = '_first.json'
/** Some file systems do not tell letter cases apart; a name of 100 capitals has to fit the 255 bytes that most allow. */
const fileOf = (name: string) => `${name.replace(/[A-Z]/g, letter => `%${letter.toLowerCase()}`)}.json`
const nameOf = (file: string) =>
  file.slice(0, -'.json'.length).replace(/%([a-z])/g, (_, letter: string) => letter.toUpperCase())

function keepFolder(mock: Mock, folder: string, complain: Complain): Save {
  const files = listFiles(folder)
  const kept = new Map<string, StateFile>()
  const ofFirst = openStateFile(mock, join(folder, first), { complain })
  // The others are many, and save only what was looked at.
  const keeping = { complain, extent: 'opened' } as const
  for (const file of files) {
    if (file === first) continue
    const name = nameOf(file)
    if (fileOf(name) !== file) throw new StateRefused(`--state ${join(folder, file)}: ${sayForeign}`)
    try {
      kept.set(name, openStateFile(mock.worlds.open({ name }).world, join(folder, file), keeping))
    } catch (error) {
      throw error instanceof StateRefused ? error : new StateRefused(`--state ${join(folder, file)}: ${sayWhy(error)}`)
    }
  }
  clearLeftovers(folder, file => file.endsWith('.json'))

  return async isLast => {
    const named = new Map(mock.worlds.list().flatMap(({ name, world }) => (name === undefined ? [] : [[name, world]])))
    for (const [name, { world, file }] of kept) {
      const now = named.get(name)
      if (now === world) continue
      kept.delete(name)
      if (!now) remove(file, complain)
    }
    for (const [name, world] of named) {
      if (!kept.has(name)) kept.set(name, createStateFile(world, join(folder, fileOf(name)), keeping))
    }
    let isAsItIs = await ofFirst.save(isLast)
    for (const one of [...kept.values()]) isAsItIs = (await one.save(isLast)) && isAsItIs
    return isAsItIs
  }
}

const sayForeign = 'no world is kept in a file that is called so. Move it away, or name another folder.'
const sayWhy = (error: unknown) => (error instanceof Error ? error.message : String(error))

function listFiles(folder: string): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true })
    return readdirSync(folder).filter(file => file.endsWith('.json'))
  } catch (error) {
    throw new StateRefused(explain(folder, error))
  }
}

function remove(file: string, complain: Complain): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    complain(explain(file, error))
  }
}
