import { readFileSync } from 'node:fs'
import { baselineNames, readBaseline } from '../gaps/baselines.ts'
import { type Choices, resolveChoices } from '../gaps/choices.ts'
import { readScenario, type Scenario, scenarios } from '../mock/arrange/scenario.ts'
import { readDocumentedCore } from '../mock/document.ts'
import { core } from '../mock/made-of.ts'
import { decodeText } from '../words/decode-text.ts'
import { parseJson } from '../words/json-break.ts'
import { nearest } from '../words/nearest.ts'
import { OptionRefused } from './read-options.ts'

export const readBaselineOption = (text: string): Choices =>
  readShipped('--as', text, { noun: 'baseline', names: baselineNames }, baseline => {
    const choices = readBaseline('read a baseline', baseline)
    resolveChoices(core.contract, choices)
    return choices
  })

export const readScenarioOption = (text: string): Scenario =>
  readShipped('--scenario', text, { noun: 'scenario', names: Object.keys(scenarios) }, scenario =>
    readScenario(core.models, 'read a scenario', scenario),
  )

/** Reads an OpenAPI document, in JSON or YAML, and checks that a mock can be made of it. */
export async function readDocumentOption(file: string): Promise<object> {
  try {
    const document = await parseDocument(decodeText(readFileSync(file)))
    readDocumentedCore(document)
    return document
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === undefined ? message.split('\n')[0] : code === 'ENOENT' ? 'there is no such file' : code
    throw new OptionRefused(`--document ${file}: ${reason}.`)
  }
}

async function parseDocument(text: string): Promise<object> {
  if (/^\s*\{/.test(text)) return parseJson(text) as object
  const { parse } = await import('yaml')
  // The bound against documents whose aliases multiply.
  return parse(text, { maxAliasCount: 1000 })
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
