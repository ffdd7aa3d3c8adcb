import { readFileSync } from 'node:fs'
import type { Core } from '../core/core.ts'
import { baselineNames, readBaseline } from '../gaps/baselines.ts'
import { type Choices, resolveChoices } from '../gaps/choices.ts'
import { readScenario, type Scenario, scenarios } from '../mock/arrange/scenario.ts'
import { readDocumentedCore } from '../mock/document.ts'
import { decodeText } from '../words/decode-text.ts'
import { parseJson } from '../words/json-break.ts'
import { nearest } from '../words/nearest.ts'
import { OptionRefused } from './read-options.ts'

export const readBaselineOption = ({ contract }: Core, text: string): Choices =>
  readShipped('--as', text, { noun: 'baseline', names: baselineNames }, baseline => {
    const choices = readBaseline('read a baseline', baseline)
    resolveChoices(contract, choices)
    return choices
  })

export const readScenarioOption = (core: Core, text: string): Scenario =>
  readShipped('--scenario', text, { noun: 'scenario', names: Object.keys(scenarios) }, scenario =>
    readScenario(core, 'read a scenario', scenario),
  )

/** Reads an OpenAPI document, in JSON or YAML, and makes of it what the mock is made of. */
export async function readDocumentOption(file: string): Promise<{ readonly document: object; readonly core: Core }> {
  try {
    const { readDocumentFile } = await import('../faces/create-mock-in-node.ts')
    const document = readDocumentFile(file)
    return { document, core: readDocumentedCore(document).core }
  } catch (error) {
    throw new OptionRefused(`--document ${file}: ${(error as Error).message}.`)
  }
}

interface Shipped {
  readonly noun: string
  readonly names: readonly string[]
}

/** Reads the name of a value that the package ships, or a JSON file. Suggests a name for a misspelled one. */
function readShipped<T>(option: string, text: string, { noun, names }: Shipped, read: (value: unknown) => T): T {
  try {
    return read(names.includes(text) ? text : parseJson(decodeText(readFileSync(text))))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const suggestion = nearest(text, names)
    const advice = suggestion ? `Did you mean ${suggestion}?` : `The package ships ${names.join(', ')}.`
    const missing = `there is no such file, and no ${noun} of this name. ${advice}`
    const unreadable = code === 'ENOENT' ? missing : `the file cannot be read (${code}).`
    throw new OptionRefused(`${option} ${text}: ${code === undefined ? `${message}.` : unreadable}`)
  }
}
