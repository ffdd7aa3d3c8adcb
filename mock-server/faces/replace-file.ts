import { copyFileSync, existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Other work waits at most for this time, in milliseconds, while a file is written. */
const sliceMs = 4
const chunkLength = 64 * 1024

/**
 * Writes a file of mode 0600, or of the mode and owner of the existing one, and puts it in its place at once, so that the
 * path always holds a whole file. `beforeReplacing` is called just before that. A file that cannot be replaced, because
 * it is a mount, is written in place, while the whole copy stands beside it. Returns the mark of the written file.
 */
export async function replaceFile(
  file: string,
  pieces: Iterable<string>,
  beforeReplacing: () => void,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<string | undefined> {
  const temporary = temporaryOf(file)
  try {
    const existing = statSync(file, { throwIfNoEntry: false })
    const handle = await open(temporary, 'w', 0o600)
    try {
      if (existing) await handle.chmod(existing.mode & 0o777)
      // Only root may give a file away.
      if (existing && existing.uid !== process.getuid?.())
        await handle.chown(existing.uid, existing.gid).catch(() => {})
      await writeFile(handle, inSlices(pieces))
      await handle.sync()
    } finally {
      await handle.close()
    }
    beforeReplacing()
    await move(temporary, file).catch(error => {
      if (error.code !== 'EBUSY') throw error
      return writeInPlace(file, temporary)
    })
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return markOf(file)
}

async function writeInPlace(file: string, temporary: string) {
  const copy = copyOf(file)
  await rename(temporary, copy)
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(await readFile(copy))
    await handle.sync()
  } finally {
    await handle.close()
  }
  rmSync(copy, { force: true })
}

/** Joins pieces to chunks, and pauses when it has worked for a slice of time. */
async function* inSlices(pieces: Iterable<string>): AsyncGenerator<string> {
  let chunk = ''
  let until = performance.now() + sliceMs
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length >= chunkLength) {
      yield chunk
      chunk = ''
    }
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + sliceMs
  }
  yield chunk
}

/** In the same folder, because rename is atomic only within a file system. */
export const temporaryOf = (file: string) => join(dirname(file), `${basename(file)}.${process.pid}.tmp`)
/** The whole copy of a file that is being written in place. */
export const copyOf = (file: string) => `${file}.copy`

/** A text that changes when somebody writes the file; undefined if there is none. */
export function markOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`
}

/** Copies a file that is not as `mark` says, and returns the name of the copy. */
export function keepEdited(file: string, mark: string | undefined): string | undefined {
  const current = markOf(file)
  if (current === undefined || current === mark) return undefined
  let copy = `${file}.edited`
  for (let count = 2; existsSync(copy); count++) copy = `${file}.edited.${count}`
  copyFileSync(file, copy)
  return copy
}

/** The path of a file without links. The file need not exist, but its folder must. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const link = readLink(path)
  return link === undefined
    ? join(realpathSync(dirname(path)), basename(path))
    : realPathOf(resolve(realpathSync(dirname(path)), link))
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Whether a file is a mount of its own, such as a single file in a container. Only Linux has such mounts. */
export function isMounted(file: string): boolean {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    return lines.some(line => line.split(' ')[4]?.replace(/\\(\d{3})/g, unescapeOctal) === file)
  } catch {
    return false
  }
}

const unescapeOctal = (_: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))
