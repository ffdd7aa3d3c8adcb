import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { MockWorld } from '../core/mock.ts'
import { leastOfState, mostOfState, stateVersion } from '../core/state.ts'
import { isRecord } from '../words/check-options.ts'
import { parseJson } from '../words/json-break.ts'

/** A world cannot be kept in the file that was named, or not be taken from it; the message says why, and what to do. */
export class StateRefused extends Error {}

/** The content of a file is no world. */
export class StateBroken extends StateRefused {
  constructor(
    /** The message without what to do. */
    readonly what: string,
  ) {
    super(`${what} ${advice}`)
  }
}

const advice = 'It is left as it is: mend it, move it away, or name another.'

/** A world, and the file in which it is kept. */
export interface StateFile {
  readonly world: MockWorld
  readonly file: string
  /** Whether the world was taken from the file. */
  readonly isLoaded: boolean
  /** Saves what has changed since the last time; false when the file is not what the world is. It never throws. */
  save(isLast: boolean): Promise<boolean>
}

interface Keeping {
  readonly complain: (sentence: string) => void
  /** What is saved of the world. */
  readonly extent?: 'whole' | 'opened'
}

/** Takes the world from its file when there is one, or finds out whether the file can be written. */
export function openStateFile(world: MockWorld, file: string, keeping: Keeping): StateFile {
  if (load(world, file)) return keepIn(world, file, keeping, world.revision())
  tryToWrite(file)
  return createStateFile(world, file, keeping)
}

/** A file for a world that is not there yet. */
export const createStateFile = (world: MockWorld, file: string, keeping: Keeping): StateFile =>
  keepIn(world, file, keeping)

function keepIn(world: MockWorld, file: string, { complain, extent }: Keeping, loaded?: number): StateFile {
  let saved = loaded
  /** Since the last time that it was saved. */
  let hasFailed = false
  /** What could not be saved for its size: to find that out takes seconds, and it only shrinks by becoming another world. */
  let tooLarge: ReturnType<MockWorld['look']> | undefined
  return {
    world,
    file,
    isLoaded: loaded !== undefined,
    async save(isLast) {
      const revision = world.revision()
      if (revision === saved && !(isLast && hasFailed)) return !hasFailed
      // Also when it fails: it is tried again when something else has changed.
      saved = revision
      if (tooLarge === world.look() && !isLast) return false
      try {
        await replace(file, write(world, file, extent))
        hasFailed = false
        tooLarge = undefined
      } catch (error) {
        const wasTooLarge = tooLarge !== undefined
        hasFailed = true
        tooLarge = error instanceof StateRefused ? world.look() : undefined
        // What grows on is too large all the time, and said once.
        if (!(wasTooLarge && tooLarge)) complain(explain(file, error))
      }
      return !hasFailed
    },
  }
}

/** False when there is no file yet. */
function load(world: MockWorld, file: string): boolean {
  let text: string
  try {
    const { size } = statSync(file)
    if (size > mostOfState) throw new StateRefused(sayTooLarge(file, size))
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error instanceof StateRefused ? error : new StateRefused(explain(file, error))
  }
  let document: unknown
  try {
    document = parseJson(text)
    world.load(document)
  } catch (error) {
    const what = `--state ${file}: the file holds no world: ${(error as Error).message}.`
    // A file of another release is whole, and that release reads it.
    const isOfOtherRelease =
      isRecord(document) && typeof document.version === 'number' && document.version !== stateVersion
    throw isOfOtherRelease ? new StateRefused(`${what} ${advice}`) : new StateBroken(what)
  }
  return true
}

/** A file that cannot be written is refused at the start, not when there is something to lose. */
function tryToWrite(file: string) {
  const beside = besides(file)
  try {
    writeFileSync(beside, '')
    rmSync(beside)
  } catch (error) {
    throw new StateRefused(explain(file, error))
  }
}

/** Removes what processes left behind that were killed while they wrote these files. */
export function clearLeftovers(folder: string, isOurs: (file: string) => boolean): void {
  for (const entry of readdirSync(folder)) {
    const [, file] = /^(.+)\.\d+\.tmp$/.exec(entry) ?? []
    if (file !== undefined && isOurs(file)) rmSync(join(folder, entry), { force: true })
  }
}

function write(world: MockWorld, file: string, extent: Keeping['extent']): string {
  const least = leastOfState(world.look())
  if (least > mostOfState) throw new StateRefused(sayTooLarge(file, least))
  const text = `${JSON.stringify(world.state(extent))}\n`
  const size = Buffer.byteLength(text)
  if (size > mostOfState) throw new StateRefused(sayTooLarge(file, size))
  return text
}

async function replace(file: string, text: string) {
  const beside = besides(file)
  try {
    const handle = await open(beside, 'w')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** In the same folder, because only there a file can be put in the place of another at one stroke. */
const besides = (file: string) => join(dirname(file), `${basename(file)}.${process.pid}.tmp`)

function sayTooLarge(file: string, size: number): string {
  const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  return `--state ${file}: a world of ${mebibytes(size)} MiB is larger than the ${mebibytes(mostOfState)} MiB that are kept. Take a smaller world, or load fewer rows.`
}

/** Why a file or folder cannot be used. */
export function explain(file: string, error: unknown): string {
  if (error instanceof StateRefused) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  const reason = reasons[code ?? ''] ?? message
  return `--state ${file}: ${reason}. Name another.`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is no folder',
  EEXIST: 'it is no folder',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EISDIR: 'it is a folder',
  EROFS: 'it lies on a file system that is only read',
  ENOSPC: 'there is no space left for it',
}
