import { type Contract, contract as ownContract } from '../../fixtures/built-contract/index.ts'
import { nearest } from '../words/nearest.ts'
import type { Option } from './option.ts'
import { environmentVariableOf, type OptionValues, options } from './options.ts'
import { readArguments } from './read-arguments.ts'

/** An option of `stack-parity mock` that was refused; the message says why, and what to do. */
export class OptionRefused extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** The file of --document, which is read before the other options: they are judged by the contract with it. */
export function fileOfDocument(args: readonly string[], env: Environment): string | undefined {
  const texts = readArguments('stack-parity mock', args, options)
  if (typeof texts === 'string' || texts.help) return undefined
  return texts.document?.[0] ?? env[environmentVariableOf('document')]
}

/** Reads the options of `stack-parity mock` from its arguments, else from the environment; undefined for --help. */
export function readOptions(
  args: readonly string[],
  env: Environment = {},
  contract: Contract = ownContract,
): OptionValues | undefined {
  const texts = readArguments('stack-parity mock', args, options)
  if (typeof texts === 'string') throw new OptionRefused(texts)
  if (texts.help) return undefined
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const textsOfOption = texts[name as keyof typeof options]
    const variable = environmentVariableOf(name)
    if (textsOfOption) values[name] = readAll(option, textsOfOption, `--${name}`, contract)
    else if (env[variable] && !isFromKubernetes(variable, env[variable]))
      values[name] = readAll(option, [env[variable]], variable, contract)
  }
  return values
}

/** Variables of test runs, which may start a mock: `STACK_PARITY_USAGE`. */
const variablesOfTests = ['usage']

/** A sentence for each variable that has the prefix of the options, but is none of them. */
export function listUnknownVariables(env: Environment): readonly string[] {
  const prefix = environmentVariableOf('')
  const known = [...Object.keys(options), ...variablesOfTests].map(name =>
    environmentVariableOf(name).slice(prefix.length),
  )
  return Object.entries(env).flatMap(([name, value = '']) => {
    const suffix = name.slice(prefix.length)
    if (!name.startsWith(prefix) || known.includes(suffix) || isFromKubernetes(name, value)) return []
    const suggestion = nearest(suffix, known)
    const advice = suggestion ? `Did you mean ${prefix}${suggestion}?` : 'stack-parity mock --help lists them.'
    return [`the environment variable ${name} is no option and has no effect. ${advice}`]
  })
}

/** Whether Kubernetes set a variable for a service named `stack-parity…`: its ports have addresses, not numbers. */
const isFromKubernetes = (name: string, value: string) =>
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value))

function readAll(option: Option<unknown>, texts: readonly string[], source: string, contract: Contract): unknown {
  if (!option.repeatable) return read(option, texts[0]!, source, contract)
  return texts.flatMap(text => text.split(',')).flatMap(text => read(option, text.trim(), source, contract))
}

function read(option: Option<unknown>, text: string, source: string, contract: Contract): unknown {
  const value = option.read(text, contract)
  if (value !== undefined) return value
  const advice = option.advise ? ` ${option.advise(text, contract)}` : ''
  throw new OptionRefused(`${source} takes ${option.expected}, not "${text}".${advice}`)
}
