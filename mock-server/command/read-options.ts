import type { Option } from './option.ts'
import { type GivenOptions, options, variableOf } from './options.ts'
import { readArguments } from './read-arguments.ts'

/** An option of `stack-parity mock` that was refused; the message says why, and what to do. */
export class OptionRefused extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the options of `stack-parity mock` from its arguments, else from the environment; undefined for --help. */
export function readOptions(args: readonly string[], env: Environment = {}): GivenOptions | undefined {
  const given = readArguments('stack-parity mock', args, options)
  if (typeof given === 'string') throw new OptionRefused(given)
  if (given.help) return undefined
  const told: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const texts = given[name as keyof typeof options]
    const variable = variableOf(name)
    if (texts) told[name] = readAll(option, texts, `--${name}`)
    else if (env[variable]) told[name] = readAll(option, [env[variable]], variable)
  }
  return told
}

function readAll(option: Option<unknown>, texts: readonly string[], spelled: string): unknown {
  if (!option.repeatable) return read(option, texts[0]!, spelled)
  return texts.flatMap(text => text.split(',')).flatMap(text => read(option, text.trim(), spelled))
}

function read(option: Option<unknown>, text: string, spelled: string): unknown {
  const value = option.read(text)
  if (value !== undefined) return value
  const advice = option.advise ? ` ${option.advise(text)}` : ''
  throw new OptionRefused(`${spelled} takes ${option.wants}, not "${text}".${advice}`)
}
