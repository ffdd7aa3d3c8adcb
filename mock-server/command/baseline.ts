import { readFileSync } from 'node:fs'
import { baselineNames, readBaseline } from '../gaps/baselines.ts'
import { type Choices, resolveChoices } from '../gaps/choices.ts'
import { parseJson } from '../words/json-break.ts'
import { nearest } from '../words/nearest.ts'
import { OptionRefused } from './read-options.ts'

/** The choices of a baseline: of a file, or of one that the package ships. */
export function readChoices(baseline: string): Choices {
  const name = baselineNames.find(shipped => shipped === baseline)
  try {
    const choices = readBaseline('read a baseline', name ?? readFile(baseline))
    resolveChoices(choices)
    return choices
  } catch (error) {
    throw error instanceof OptionRefused ? error : new OptionRefused(`--as ${baseline}: ${(error as Error).message}.`)
  }
}

function readFile(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OptionRefused(explain(error as NodeJS.ErrnoException, file, baselineNames))
  }
}

function explain({ code, message }: NodeJS.ErrnoException, baseline: string, names: readonly string[]): string {
  if (code === undefined) return `--as ${baseline}: ${message}.`
  if (code !== 'ENOENT') return `--as ${baseline}: the file cannot be read (${code}).`
  const meant = nearest(baseline, names)
  const advice = meant ? `Did you mean ${meant}?` : `The package ships ${names.join(', ')}.`
  return `--as ${baseline}: there is no such file, and no baseline of this name. ${advice}`
}
