import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { Mock } from '../core/mock.ts'
import { leastOfState, mostOfState } from '../core/state.ts'
import { parseJson } from '../words/json-break.ts'

/** A world cannot be kept in the file that was named, or not be taken from it; the message says why, and what to do. */
export class StateRefused extends Error {}

export interface KeptState {
  /** Saves what has changed since the last time, and saves no more; false when the file is not what the world is. */
  close(): Promise<boolean>
}

/**
 * Takes the world from a file when there is one, and from then on keeps it there: at most once a second when something has
 * changed, and at the end. The file is replaced as a whole, so that it is never half a world.
 */
export function keepState(mock: Mock, file: string, complain: (sentence: string) => void): KeptState {
  let saved: number | undefined
  if (load(mock, file)) saved = mock.revision()
  else tryToWrite(file)
  let saving: Promise<void> = Promise.resolve()
  /** Since the last time that it was saved. */
  let hasFailed = false
  /** What could not be saved for its size: to find that out takes seconds, and it only shrinks by becoming another world. */
  let tooLarge: ReturnType<Mock['look']> | undefined

  async function save(isLast: boolean) {
    const revision = mock.revision()
    if (revision === saved && !(isLast && hasFailed)) return
    // Also when it fails: it is tried again when something else has changed.
    saved = revision
    if (tooLarge === mock.look() && !isLast) return
    try {
      await replace(file, write(mock, file))
      hasFailed = false
      tooLarge = undefined
    } catch (error) {
      const wasTooLarge = tooLarge !== undefined
      hasFailed = true
      tooLarge = error instanceof StateRefused ? mock.look() : undefined
      // What grows on is too large all the time, and said once.
      if (!(wasTooLarge && tooLarge)) complain(explain(file, error))
    }
  }
  const saveNext = (isLast = false) => {
    saving = saving.then(() => save(isLast))
    return saving
  }
  const timer = setInterval(saveNext, 1000)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await saveNext(true)
      return !hasFailed
    },
  }
}

/** False when there is no file yet. */
function load(mock: Mock, file: string): boolean {
  let text: string
  try {
    const { size } = statSync(file)
    if (size > mostOfState) throw new StateRefused(sayTooLarge(file, size))
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error instanceof StateRefused ? error : new StateRefused(explain(file, error))
  }
  try {
    mock.load(parseJson(text))
  } catch (error) {
    const advice = 'It is left as it is: mend it, or name another file.'
    throw new StateRefused(`--state ${file}: the file holds no world: ${(error as Error).message}. ${advice}`)
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

function write(mock: Mock, file: string): string {
  const least = leastOfState(mock.look())
  if (least > mostOfState) throw new StateRefused(sayTooLarge(file, least))
  const text = `${JSON.stringify(mock.state())}\n`
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
const besides = (file: string) => `${file}.${process.pid}.tmp`

function sayTooLarge(file: string, size: number): string {
  const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  return `--state ${file}: a world of ${mebibytes(size)} MiB is larger than the ${mebibytes(mostOfState)} MiB that are kept. Take a smaller world, or load fewer rows.`
}

function explain(file: string, error: unknown): string {
  if (error instanceof StateRefused) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  const reason = reasons[code ?? ''] ?? message
  return `--state ${file}: ${reason}. Name another file.`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EISDIR: 'it is a folder',
  EROFS: 'it lies on a file system that is only read',
  ENOSPC: 'there is no space left for it',
}
