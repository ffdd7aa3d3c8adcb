import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { WorldConflict } from '../mock/callers.ts'
import type { Mock } from '../mock/mock.ts'
import { realPathOf } from './replace-file.ts'
import {
  clearLeftovers,
  createStateFile,
  explain,
  openStateFile,
  StateBroken,
  type StateFile,
  StateRefused,
} from './state-file.ts'
import { refuseHeldLock, type StateLock, StateLocked, takeStateLock } from './state-lock.ts'

export { StateRefused } from './state-file.ts'

export interface KeptState {
  /** Whether the first world was loaded from its file. */
  readonly isLoaded: boolean
  /** Why a file is not up to date, without its path; undefined if all are. */
  problem(): string | undefined
  /** Saves the last changes and stops saving; false if a file is not up to date. */
  close(): Promise<boolean>
  /** Stops saving, and releases the lock. */
  release(): void
}

export interface KeepOptions {
  readonly warn: (sentence: string) => void
  /** Whether an invalid file in a folder is refused instead of being set aside. */
  readonly isStrict?: boolean
  /** Aborts waiting for another mock that may hold the file or folder. */
  readonly signal?: AbortSignal
}

type StateSaver = Pick<StateFile, 'isLoaded' | 'save' | 'problem'>

/**
 * Loads the world from a file if it exists, and saves it there from then on: at most once a second after changes, and
 * at the end. A file is replaced atomically. A path that is a folder, or ends with a slash, keeps the first world and
 * all named ones, each in a file of its own. Locks keep other mocks away, by whichever path they reach the files.
 */
export async function keepState(mock: Mock, path: string, options: KeepOptions): Promise<KeptState> {
  const files = isFolder(path) ? listFiles(path) : undefined
  const real = findRealPath(path, files !== undefined)
  const lock = await takeLock(files ? join(real, folderLock) : `${real}.lock`, path, options)
  try {
    // A file belongs to its folder, too. Both kinds of owner first take their own lock, and then look for the other.
    const others = files ? readdirSync(real).filter(file => file.endsWith('.json.lock')) : [`../${folderLock}`]
    for (const other of others) await refuseOtherOwner(join(real, other), path, options)
    if (files) return saveRepeatedly(await keepFolder(mock, path, files, options), lock)
    const stateFile = openStateFile(mock, path, options)
    clearLeftovers(dirname(real), file => file === basename(real))
    return saveRepeatedly(stateFile, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

export const isFolder = (path: string): boolean =>
  /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory())

const folderLock = '_lock'

function findRealPath(path: string, isFolder: boolean): string {
  try {
    return isFolder ? realpathSync(path) : realPathOf(path)
  } catch (error) {
    throw new StateRefused(explain(path, error))
  }
}

function saveRepeatedly({ isLoaded, save, problem }: StateSaver, lock: StateLock): KeptState {
  let saving: Promise<boolean> | undefined
  const saveNext = (isLast = false) => {
    const next = (saving ?? Promise.resolve(true))
      .then(() => lock.isHeld() && save(isLast))
      .finally(() => {
        if (saving === next) saving = undefined
      })
    saving = next
    return next
  }
  const timer = setInterval(() => void (saving ?? saveNext()), 1000)
  timer.unref()
  const release = () => {
    clearInterval(timer)
    lock.release()
  }
  return {
    isLoaded,
    problem,
    close() {
      clearInterval(timer)
      return saveNext(true).finally(release)
    },
    release,
  }
}

async function takeLock(file: string, path: string, options: KeepOptions): Promise<StateLock> {
  try {
    return await takeStateLock(file, { path, ...options })
  } catch (error) {
    if (options.signal?.aborted) throw error
    if (error instanceof StateLocked) throw new StateRefused(error.message)
    // A world on a read-only file system can be loaded without a lock.
    const isReadOnly = ['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (isReadOnly && existsSync(path)) return { isHeld: () => true, release: () => {} }
    throw new StateRefused(explain(path, error))
  }
}

async function refuseOtherOwner(file: string, path: string, options: KeepOptions): Promise<void> {
  try {
    await refuseHeldLock(file, { path, ...options })
  } catch (error) {
    throw error instanceof StateLocked ? new StateRefused(error.message) : error
  }
}

/** The file of the first world. No named world has this file, because a name begins with a letter or digit. */
const firstName = '_first.json'
/** Writes `J` as `%j`, since some file systems ignore letter case. 100 capitals fit the 255 bytes that most allow. */
const fileOf = (name: string) => `${name.replace(/[A-Z]/g, letter => `%${letter.toLowerCase()}`)}.json`
const nameOf = (file: string) =>
  file.slice(0, -'.json'.length).replace(/%([a-z])/g, (_, letter: string) => letter.toUpperCase())

async function keepFolder(
  mock: Mock,
  folder: string,
  files: readonly string[],
  { warn, isStrict = false }: KeepOptions,
): Promise<StateSaver> {
  const openOrSetAside = (file: string, open: () => StateFile) => {
    try {
      return open()
    } catch (error) {
      if (isStrict || !(error instanceof StateBroken)) throw error
      warn(`${error.problem} It is set aside as ${setAside(folder, file)}; --strict-state refuses it instead.`)
      return undefined
    }
  }
  const openFirst = () => openStateFile(mock, join(folder, firstName), { warn })
  const firstFile = openOrSetAside(firstName, openFirst) ?? openFirst()
  const filesByName = new Map<string, StateFile>()
  // There may be many named worlds: only their places in use are saved.
  const saveOptions = { warn, extent: 'opened' } as const
  for (const file of files) {
    if (file === firstName) continue
    // Loading thousands of worlds takes seconds, in which the lock needs its heartbeat.
    await setImmediate()
    const opened = openOrSetAside(file, () => openNamed(mock, join(folder, file), saveOptions))
    if (opened) filesByName.set(nameOf(file), opened)
  }
  clearLeftovers(folder, file => file.endsWith('.json'))

  return {
    isLoaded: firstFile.isLoaded,
    async save(isLast) {
      const named = new Map(
        mock.worlds.list().flatMap(({ name, world }) => (name === undefined ? [] : [[name, world]])),
      )
      for (const [name, file] of filesByName) {
        const current = named.get(name)
        if (current === file.world) continue
        filesByName.delete(name)
        if (!current) file.remove()
      }
      for (const [name, world] of named) {
        if (!filesByName.has(name))
          filesByName.set(name, createStateFile(world, join(folder, fileOf(name)), saveOptions))
      }
      let isUpToDate = await firstFile.save(isLast)
      for (const file of [...filesByName.values()]) isUpToDate = (await file.save(isLast)) && isUpToDate
      return isUpToDate
    },
    problem: () => [firstFile, ...filesByName.values()].map(file => file.problem()).find(one => one !== undefined),
  }
}

function openNamed(mock: Mock, path: string, saveOptions: Parameters<typeof openStateFile>[2]): StateFile {
  const file = basename(path)
  const name = nameOf(file)
  if (fileOf(name) !== file) throw new StateBroken(`--state ${path}: no world has a file of this name.`)
  let opened: ReturnType<Mock['worlds']['open']>
  try {
    opened = mock.worlds.open({ name })
  } catch (error) {
    const problem = `--state ${path}: ${(error as Error).message}.`
    throw error instanceof WorldConflict ? new StateRefused(problem) : new StateBroken(problem)
  }
  try {
    return openStateFile(opened.world, path, saveOptions)
  } catch (error) {
    mock.worlds.close(name)
    throw error
  }
}

/** Renames a file, so that its world can be saved again; returns its new name. */
function setAside(folder: string, file: string): string {
  const aside = `${file}.${new Date().toISOString().replaceAll(':', '')}.broken`
  try {
    renameSync(join(folder, file), join(folder, aside))
  } catch (error) {
    throw new StateRefused(explain(join(folder, file), error))
  }
  return aside
}

function listFiles(folder: string): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true })
    return readdirSync(folder).filter(file => file.endsWith('.json'))
  } catch (error) {
    throw new StateRefused(explain(folder, error))
  }
}
