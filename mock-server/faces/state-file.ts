import { accessSync, constants, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MockWorld } from '../mock/mock.ts'
import { maxStateBytes, minStateBytes, stateVersion } from '../mock/state.ts'
import { isRecord } from '../words/check-options.ts'
import { decodeText } from '../words/decode-text.ts'
import { parseJson } from '../words/json-break.ts'
import { copyOf, isMounted, keepEdited, markOf, realPathOf, replaceFile, temporaryOf } from './replace-file.ts'

/** A world cannot be saved to, or loaded from, a file; the message has the reason and the remedy. */
export class StateRefused extends Error {}

/** The content of a file is not a world. */
export class StateBroken extends StateRefused {
  constructor(readonly problem: string) {
    super(`${problem} ${advice}`)
  }
}

const advice = 'It is not changed: repair it, move it away, or name another.'

export interface StateFile {
  readonly world: MockWorld
  readonly isLoaded: boolean
  /** Saves changes since the last time; false if the file is not up to date. It never throws. */
  save(isLast: boolean): Promise<boolean>
  /** Why the last save failed, without the path; undefined if it did not. */
  problem(): string | undefined
  /** Removes the file of a world that was closed. */
  remove(): void
}

export interface SaveOptions {
  readonly warn: (sentence: string) => void
  /** The part of the world that is saved. */
  readonly extent?: 'whole' | 'opened'
}

/** Loads the world from its file if it exists, or checks that the file can be written. */
export function openStateFile(world: MockWorld, path: string, options: SaveOptions): StateFile {
  const file = refuseErrors(path, () => realPathOf(path))
  const isMount = isMounted(file)
  const loadedFrom = load(world, path, file, isMount, options)
  if (!loadedFrom || (isMount && isWritable(file))) refuseErrors(path, () => tryToWrite(file))
  if (isMount) {
    options.warn(
      `--state ${path}: it is mounted by itself, so that it cannot be replaced: it is written in place, after a whole copy beside it. A mock in another container that mounts it is not kept away: mount its folder instead, whose lock both see.`,
    )
  }
  const saved = loadedFrom === 'file' ? world.revision() : undefined
  return { ...createStateFile(world, path, options, saved), isLoaded: loadedFrom !== undefined }
}

function refuseErrors<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof StateRefused ? error : new StateRefused(explain(path, error))
  }
}

/** Longest wait between two attempts to save, in calls of `save`, one of which comes each second. */
const maxWait = 30

/** Saves a world in a file; `saved` is the revision that the file has. */
export function createStateFile(
  world: MockWorld,
  path: string,
  { warn, extent }: SaveOptions,
  saved?: number,
): StateFile {
  const file = realPathOf(path)
  let problem: string | undefined
  let failures = 0
  let wait = 0
  /** The deployment that was too large. Each attempt takes seconds, and only replacing the world makes it smaller. */
  let tooLargeDeployment: ReturnType<MockWorld['deployment']> | undefined
  /** The file as it was loaded or saved: an edit by somebody else changes it. */
  let mark = markOf(file)

  function keepEdit() {
    const edited = keepEdited(file, mark)
    if (edited === undefined) return
    warn(
      `--state ${path}: somebody changed it while this mock runs. The change is kept as ${edited}; load it with PUT /control/state, or stop the mock first.`,
    )
  }

  async function attempt() {
    const revision = world.revision()
    try {
      const min = minStateBytes(world.deployment())
      if (min > maxStateBytes) throw new StateRefused(describeTooLarge(path, min))
      mark = await replaceFile(file, limit(path, world.writeState(extent)), keepEdit)
      if (failures > 0) warn(`--state ${path}: it is saved again.`)
      saved = revision
      problem = undefined
      failures = 0
      tooLargeDeployment = undefined
    } catch (error) {
      const isTooLarge = error instanceof StateRefused
      const reason = isTooLarge ? error.message.split(': ')[1]! : reasonOf(error)
      // Reported once, even if it persists and the world keeps growing.
      if (reason !== problem && !(isTooLarge && tooLargeDeployment))
        warn(isTooLarge ? error.message : `--state ${path}: ${reason}. Saving is tried again.`)
      tooLargeDeployment = isTooLarge ? world.deployment() : undefined
      problem = reason
      wait = Math.min(2 ** failures++, maxWait)
    }
  }

  return {
    world,
    isLoaded: false,
    async save(isLast) {
      if (world.revision() === saved && problem === undefined) return true
      wait--
      if (isLast || (tooLargeDeployment !== world.deployment() && wait <= 0)) await attempt()
      return problem === undefined
    },
    problem: () => problem,
    remove() {
      try {
        keepEdit()
        rmSync(path, { force: true })
      } catch (error) {
        warn(explain(path, error))
      }
    },
  }
}

/** Loads the world from its file, or from the whole copy of one that was being written; undefined if there is no world yet. */
function load(
  world: MockWorld,
  path: string,
  file: string,
  isMount: boolean,
  { warn }: SaveOptions,
): 'file' | 'copy' | undefined {
  const text = read(path, file)
  // A file must exist to be mounted, so a new one is empty.
  if (text === undefined || (isMount && text === '')) return undefined
  try {
    loadText(world, path, text)
    return 'file'
  } catch (error) {
    const copy = error instanceof StateBroken ? read(path, copyOf(file)) : undefined
    if (copy === undefined) throw error
    loadText(world, copyOf(path), copy)
    warn(`${(error as StateBroken).problem} The world is loaded from ${copyOf(path)}, the copy of an interrupted save.`)
    return 'copy'
  }
}

function loadText(world: MockWorld, path: string, text: string): void {
  let document: unknown
  try {
    document = parseJson(text)
    world.load(document)
  } catch (error) {
    const problem = `--state ${path}: the file holds no world: ${(error as Error).message}.`
    // A file of another release is intact, and readable by that release.
    const isOfOtherRelease =
      isRecord(document) && typeof document.version === 'number' && document.version !== stateVersion
    throw isOfOtherRelease ? new StateRefused(`${problem} ${advice}`) : new StateBroken(problem)
  }
}

/** The text of a file; undefined if there is none. */
function read(path: string, file: string): string | undefined {
  return refuseErrors(path, () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && found.size > maxStateBytes) throw new StateRefused(describeTooLarge(path, found.size))
    return found && decodeText(readFileSync(file))
  })
}

/** Fails for an unwritable file now, before there are changes to lose. */
function tryToWrite(file: string) {
  const temporary = temporaryOf(file)
  writeFileSync(temporary, '', { mode: 0o600 })
  rmSync(temporary)
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Removes temporary files of processes that were killed while writing. */
export function clearLeftovers(folder: string, isOurs: (file: string) => boolean): void {
  for (const entry of readdirSync(folder)) {
    const [, file] = /^(.+)\.\d+\.tmp$/.exec(entry) ?? []
    if (file !== undefined && isOurs(file)) rmSync(join(folder, entry), { force: true })
  }
}

/** Throws once the pieces are larger than a state may be. */
function* limit(path: string, pieces: Iterable<string>): Generator<string> {
  let size = 0
  for (const piece of pieces) {
    size += Buffer.byteLength(piece)
    if (size > maxStateBytes) throw new StateRefused(describeTooLarge(path, size))
    yield piece
  }
}

function describeTooLarge(path: string, size: number): string {
  const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  return `--state ${path}: a world of ${mebibytes(size)} MiB is larger than the limit of ${mebibytes(maxStateBytes)} MiB. Take a smaller world, or load fewer rows.`
}

export const explain = (path: string, error: unknown): string =>
  error instanceof StateRefused ? error.message : `--state ${path}: ${reasonOf(error)}. Name another.`

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return reasons[code ?? ''] ?? message
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is no folder',
  EEXIST: 'it is no folder',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EISDIR: 'it is a folder',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'there is no space left for it',
  EDQUOT: 'there is no space left for it',
  ELOOP: 'it is a link that leads to itself',
}
