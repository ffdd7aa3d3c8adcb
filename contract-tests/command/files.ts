import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import {
  parseTarget,
  readJsonText,
  refuseUnencryptedUrl,
  type TargetFile,
  type Tls,
  UsageError,
} from '../engine/target/target.ts'

/** Reads and writes files that the command line names. Every error names the option and the file. */

type Environment = Readonly<Record<string, string | undefined>>

export function readText(option: string, file: string | URL): string {
  try {
    return decodeText(readFileSync(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${code})`
    throw new UsageError(`${option} ${file}: ${reason}.`)
  }
}

/**
 * The text of a file that a person, an editor or a shell wrote: in UTF-8 or UTF-16, with or without a byte order mark. Its
 * lines end with a line feed.
 */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  // JSON, YAML and lists begin with ASCII: a zero beside it means UTF-16.
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  const isLittleEndian = (first === 0xff && second === 0xfe) || (second === 0 && first !== 0)
  const encoding = isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n')
}

/** Reads files in the folder of another file. */
export function readBeside(file: string): (name: string) => Uint8Array | undefined {
  const folder = dirname(resolve(file))
  return name => {
    const path = resolve(folder, name)
    return path.startsWith(folder + sep) && existsSync(path) ? readFileSync(path) : undefined
  }
}

export function writeText(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`${option} ${file}: the file cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Refuses a file whose folder does not exist, before anything is sent. */
export function refuseMissingFolder(option: string, file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder)) throw new UsageError(`${option} ${file}: there is no folder ${folder}.`)
}

/** Reads a file with a parser. If the parser throws a UsageError, puts the option and the file before its sentence. */
export function readWith<T>(option: string, file: string | URL, parse: (text: string) => T): T {
  const text = readText(option, file)
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${option} ${file}: ${error.message}`)
    throw error
  }
}

/** Reads a target file for a command that sends credentials there; `insecure` allows them over http: beyond loopback. */
export function readTarget(file: string, env: Environment, insecure: boolean): TargetFile {
  const target = readWith('--target', file, text => {
    const parsed = parseTarget(text, env)
    return parsed.tls ? { ...parsed, tls: resolveFiles(parsed.tls, dirname(file)) } : parsed
  })
  if (!insecure) refuseUnencryptedUrl(target, '--insecure')
  return target
}

/** The paths of certificates, which are relative to the target file. */
function resolveFiles(tls: Tls, folder: string): Tls {
  const paths = Object.entries(tls).map(([name, path]) => [name, resolve(folder, path)] as const)
  for (const [name, path] of paths) readText(`\`tls.${name}\``, path)
  return Object.fromEntries(paths)
}

export const readJson = <T>(option: string, file: string, read: (value: unknown) => T): T =>
  readWith(option, file, text => read(readJsonText(text)))
