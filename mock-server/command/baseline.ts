import { readdirSync, readFileSync } from 'node:fs'
import { type Choices, takeChoices } from '../core/choices.ts'
import { parseJson } from '../core/json-break.ts'
import { nearest } from '../core/nearest.ts'
import { UsageError } from './read-options.ts'

/** The choices of a baseline: of a file, or of one in the folder of those that the package ships. */
export function readChoices(baseline: string, shipped: URL): Choices {
  const names = readdirSync(shipped)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
  const file = names.includes(baseline) ? new URL(`${baseline}.json`, shipped) : baseline
  let written: unknown
  try {
    written = parseJson(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, baseline, names))
  }
  const { choices, segment } = (written ?? {}) as { choices?: Choices; segment?: string }
  if (typeof choices !== 'object' || choices === null)
    throw new UsageError(`--as ${baseline}: the file has no "choices".`)
  const all = segment === undefined ? choices : { ...choices, segment }
  try {
    takeChoices(all)
  } catch (error) {
    throw new UsageError(`--as ${baseline}: ${(error as Error).message}.`)
  }
  return all
}

function explain({ code, message }: NodeJS.ErrnoException, baseline: string, names: readonly string[]): string {
  if (code === undefined) return `--as ${baseline}: ${message}.`
  if (code !== 'ENOENT') return `--as ${baseline}: the file cannot be read (${code}).`
  const meant = nearest(baseline, names)
  const advice = meant ? `Did you mean ${meant}?` : `The package ships ${names.join(', ')}.`
  return `--as ${baseline}: there is no such file, and no baseline of this name. ${advice}`
}
