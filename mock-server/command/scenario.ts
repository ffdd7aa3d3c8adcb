import { readScenario, type Scenario, scenarios } from '../core/arrange/scenario.ts'
import { readJsonFile } from './read-json-file.ts'
import { OptionRefused } from './read-options.ts'

/** The scenario of `--scenario`: one that the mock knows by name, or the records of a file. */
export function readScenarioOption(told: string | undefined): Scenario | undefined {
  if (told === undefined) return undefined
  const names = Object.keys(scenarios)
  try {
    return readScenario(
      'read a scenario',
      names.includes(told) ? told : readJsonFile('--scenario', told, { noun: 'scenario', names }),
    )
  } catch (error) {
    throw error instanceof OptionRefused ? error : new OptionRefused(`--scenario ${told}: ${(error as Error).message}.`)
  }
}
