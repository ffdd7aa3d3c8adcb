import { nearest } from '../words/nearest.ts'
import type { Option } from './option.ts'
import { options, type Told, variableOf } from './options.ts'

/** The command line cannot be obeyed; the message says why, and what would do. */
export class UsageError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the options of `stack-parity mock`: from its arguments and, where these are silent, from the environment. */
export function readOptions(args: readonly string[], env: Environment = {}): Told {
  const told = readEnvironment(env)
  const given = new Set<string>()
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = '', inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? []
    const option = table[name]
    if (!option) throw new UsageError(sayUnknown(arg))
    if (given.has(name) && !option.repeatable) throw new UsageError(`--${name} is given twice.`)
    const word = inline ?? (option.takes ? rest.shift() : 'true')
    if (word === undefined) throw new UsageError(`--${name} needs a value: --${name} ${option.takes}`)
    const value = read(option, word, `--${name}`)
    told[name] = given.has(name) ? (told[name] as unknown[]).concat(value) : value
    given.add(name)
  }
  return told
}

function readEnvironment(env: Environment): Record<string, unknown> {
  const told: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const word = env[variableOf(name)]
    if (word) told[name] = read(option, word, variableOf(name))
  }
  return told
}

function read(option: Option<unknown>, word: string, spelled: string): unknown {
  if (option.repeatable) return word.split(',').flatMap(part => readOne(option, part.trim(), spelled))
  return readOne(option, word, spelled)
}

function readOne(option: Option<unknown>, word: string, spelled: string): unknown {
  const value = option.read(word)
  if (value !== undefined) return value
  const advice = option.advise ? ` ${option.advise(word)}` : ''
  throw new UsageError(`${spelled} takes ${option.wants}, not "${word}".${advice}`)
}

function sayUnknown(arg: string): string {
  if (!arg.startsWith('--')) return `"${arg}" is no option: options begin with two dashes.`
  const name = arg.slice(2).split('=')[0]!
  const meant = nearest(name, Object.keys(options))
  return `mock has no option --${name}. ${meant ? `Did you mean --${meant}?` : 'stack-parity mock --help lists them.'}`
}

// Without a prototype, so that `--constructor` is unknown like any other word.
const table: Readonly<Record<string, Option<unknown> | undefined>> = Object.assign(Object.create(null), options)
