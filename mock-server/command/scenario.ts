import { readScenario, type Scenario, scenarios } from '../mock/arrange/scenario.ts'
import { readJsonFile } from './read-json-file.ts'
import { OptionRefused } from './read-options.ts'

/** The scenario of `--scenario`: one that the mock knows by name, or the records of a file. */
export function readScenarioOption(text: string | undefined): Scenario | undefined {
  if (text === undefined) return undefined
  const names = Object.keys(scenarios)
  try {
    return readScenario(
      'read a scenario',
      names.includes(text) ? text : readJsonFile('--scenario', text, { noun: 'scenario', names }),
    )
  } catch (error) {
    throw error instanceof OptionRefused ? error : new OptionRefused(`--scenario ${text}: ${(error as Error).message}.`)
  }
}
