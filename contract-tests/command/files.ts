import { readFileSync, writeFileSync } from 'node:fs'
import { parseTarget, type TargetFile, UsageError } from '../harness/target.ts'

/** Files of the command line: whatever is wrong with one is said with its name, and nothing is half done. */

type Environment = Readonly<Record<string, string | undefined>>

export function readText(what: string, file: string | URL): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `the ${what} ${file} cannot be read${code === 'ENOENT' ? ': there is no such file' : ` (${code})`}.`,
    )
  }
}

export function writeText(what: string, file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`the ${what} ${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Reads a file with a parser that throws UsageError, and puts the name of the file before its sentence. */
export function readWith<T>(what: string, file: string | URL, parse: (text: string) => T): T {
  const text = readText(what, file)
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`the ${what} ${file} cannot be used: ${error.message}`)
    throw error
  }
}

export const readTarget = (file: string, env: Environment): TargetFile =>
  readWith('target file', file, text => parseTarget(text, env))

/** Reads a file of JSON with what reads its value. */
export const readJson = <T>(what: string, file: string, read: (value: unknown) => T): T =>
  readWith(what, file, text => {
    let value: unknown
    try {
      // A byte order mark is how some recorders begin.
      value = JSON.parse(text.replace(/^\uFEFF/, ''))
    } catch (error) {
      throw new UsageError(`it is not JSON (${(error as Error).message}).`)
    }
    return read(value)
  })
