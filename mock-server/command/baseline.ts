import { baselineNames, readBaseline } from '../gaps/baselines.ts'
import { type Choices, resolveChoices } from '../gaps/choices.ts'
import { readJsonFile } from './read-json-file.ts'
import { OptionRefused } from './read-options.ts'

/** The choices of a baseline: of a file, or of one that the package ships. */
export function readChoices(baseline: string): Choices {
  const name = baselineNames.find(shipped => shipped === baseline)
  try {
    const choices = readBaseline(
      'read a baseline',
      name ?? readJsonFile('--as', baseline, { noun: 'baseline', names: baselineNames }),
    )
    resolveChoices(choices)
    return choices
  } catch (error) {
    throw error instanceof OptionRefused ? error : new OptionRefused(`--as ${baseline}: ${(error as Error).message}.`)
  }
}
