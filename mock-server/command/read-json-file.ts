import { readFileSync } from 'node:fs'
import { parseJson } from '../words/json-break.ts'
import { nearest } from '../words/nearest.ts'
import { OptionRefused } from './read-options.ts'

/** The values that an option takes instead of a file. */
interface Shipped {
  readonly noun: string
  readonly names: readonly string[]
}

/** The JSON of a file that an option names, or an `OptionRefused`, which suggests a name for a misspelled one. */
export function readJsonFile(option: string, file: string, shipped: Shipped): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OptionRefused(`${option} ${file}: ${explain(error as NodeJS.ErrnoException, file, shipped)}`)
  }
}

function explain({ code, message }: NodeJS.ErrnoException, file: string, { noun, names }: Shipped): string {
  if (code === undefined) return `${message}.`
  if (code !== 'ENOENT') return `the file cannot be read (${code}).`
  const meant = nearest(file, names)
  const advice = meant ? `Did you mean ${meant}?` : `The package ships ${names.join(', ')}.`
  return `there is no such file, and no ${noun} of this name. ${advice}`
}
