import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { MockWorld } from '../mock/mock.ts'
import { maxStateBytes, minStateBytes, stateVersion } from '../mock/state.ts'
import { isRecord } from '../words/check-options.ts'
import { parseJson } from '../words/json-break.ts'

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
  readonly file: string
  readonly isLoaded: boolean
  /** Saves changes since the last time; false if the file is not up to date. It never throws. */
  save(isLast: boolean): Promise<boolean>
}

interface SaveOptions {
  readonly warn: (sentence: string) => void
  /** The part of the world that is saved. */
  readonly extent?: 'whole' | 'opened'
}

/** Loads the world from its file if it exists, or checks that the file can be written. */
export function openStateFile(world: MockWorld, file: string, saveOptions: SaveOptions): StateFile {
  if (load(world, file)) return createStateFile(world, file, saveOptions, world.revision())
  tryToWrite(file)
  return createStateFile(world, file, saveOptions)
}

/** Saves a world in a file; `loaded` is the revision of a world that was loaded from it. */
export function createStateFile(
  world: MockWorld,
  file: string,
  { warn, extent }: SaveOptions,
  loaded?: number,
): StateFile {
  /** The revision of the last attempt. */
  let attempted = loaded
  let hasFailed = false
  /** The deployment that was too large. Each attempt takes seconds, and only replacing the world makes it smaller. */
  let tooLargeDeployment: ReturnType<MockWorld['deployment']> | undefined
  return {
    world,
    file,
    isLoaded: loaded !== undefined,
    async save(isLast) {
      const revision = world.revision()
      if (revision === attempted && !(isLast && hasFailed)) return !hasFailed
      attempted = revision
      if (tooLargeDeployment === world.deployment() && !isLast) return false
      try {
        await replace(file, write(world, file, extent))
        hasFailed = false
        tooLargeDeployment = undefined
      } catch (error) {
        const wasTooLarge = tooLargeDeployment !== undefined
        hasFailed = true
        tooLargeDeployment = error instanceof StateRefused ? world.deployment() : undefined
        // Reported once, even if the world keeps growing.
        if (!(wasTooLarge && tooLargeDeployment)) warn(explain(file, error))
      }
      return !hasFailed
    },
  }
}

/** Loads the world from its file; false if there is no file yet. */
function load(world: MockWorld, file: string): boolean {
  let text: string
  try {
    const { size } = statSync(file)
    if (size > maxStateBytes) throw new StateRefused(describeTooLarge(file, size))
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
    const problem = `--state ${file}: the file holds no world: ${(error as Error).message}.`
    // A file of another release is intact, and readable by that release.
    const isOfOtherRelease =
      isRecord(document) && typeof document.version === 'number' && document.version !== stateVersion
    throw isOfOtherRelease ? new StateRefused(`${problem} ${advice}`) : new StateBroken(problem)
  }
  return true
}

/** Refuses an unwritable file now, before there are changes to lose. */
function tryToWrite(file: string) {
  const temporary = temporaryOf(file)
  try {
    writeFileSync(temporary, '')
    rmSync(temporary)
  } catch (error) {
    throw new StateRefused(explain(file, error))
  }
}

/** Removes temporary files of processes that were killed while writing. */
export function clearLeftovers(folder: string, isOurs: (file: string) => boolean): void {
  for (const entry of readdirSync(folder)) {
    const [, file] = /^(.+)\.\d+\.tmp$/.exec(entry) ?? []
    if (file !== undefined && isOurs(file)) rmSync(join(folder, entry), { force: true })
  }
}

function write(world: MockWorld, file: string, extent: SaveOptions['extent']): string {
  const min = minStateBytes(world.deployment())
  if (min > maxStateBytes) throw new StateRefused(describeTooLarge(file, min))
  const text = `${JSON.stringify(world.state(extent))}\n`
  const size = Buffer.byteLength(text)
  if (size > maxStateBytes) throw new StateRefused(describeTooLarge(file, size))
  return text
}

async function replace(file: string, text: string) {
  const temporary = temporaryOf(file)
  try {
    const handle = await open(temporary, 'w')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** In the same folder, because rename is atomic only within a file system. */
const temporaryOf = (file: string) => join(dirname(file), `${basename(file)}.${process.pid}.tmp`)

function describeTooLarge(file: string, size: number): string {
  const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  return `--state ${file}: a world of ${mebibytes(size)} MiB is larger than the limit of ${mebibytes(maxStateBytes)} MiB. Take a smaller world, or load fewer rows.`
}

export function explain(file: string, error: unknown): string {
  if (error instanceof StateRefused) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  return `--state ${file}: ${reasons[code ?? ''] ?? message}. Name another.`
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
}
