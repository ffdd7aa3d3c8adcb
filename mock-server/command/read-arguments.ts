import { parseArgs } from 'node:util'
import { nearest } from '../words/nearest.ts'

/** An option, as the parser of the command line sees it. */
export interface Syntax {
  /** The placeholder of its value in the help, such as `FILE`; absent for a switch. */
  readonly placeholder?: string
  readonly repeatable?: true
  /** Reads the value. A switch that has no `read` takes no value. */
  readonly read?: unknown
}

/** The values of each option as they were written: `true` for a switch, several for a repeatable option. */
export type Arguments<Name extends string = string> = Readonly<Partial<Record<Name | 'help', readonly string[]>>>

/**
 * Reads the options of one command; all commands and development tools use it, and cli.ts passes it to the suite. Returns
 * a sentence about the first argument that is unknown, given twice, or lacks its value. With --help, nothing else is read.
 */
export function readArguments<Name extends string>(
  command: string,
  args: readonly string[],
  table: Readonly<Record<Name, Syntax>>,
): Arguments<Name> | string {
  const syntaxes: Readonly<Record<string, Syntax>> = table
  const types = Object.entries(syntaxes).map(
    ([name, { placeholder }]) => [name, { type: placeholder ? 'string' : 'boolean' }] as const,
  )
  const help = { help: { type: 'boolean', short: 'h' } } as const
  const options = { ...Object.fromEntries(types), ...help }
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  if (tokens.some(token => token.kind === 'option' && token.name === 'help'))
    return { help: ['true'] } as Arguments<Name>
  const values: Record<string, readonly string[]> = {}
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') return `"${token.value}" is no option: options begin with two dashes.`
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(syntaxes, name)) {
      const suggestion = nearest(name, Object.keys(syntaxes))
      return `there is no option ${rawName}. ${suggestion ? `Did you mean --${suggestion}?` : `${command} --help lists them.`}`
    }
    const { placeholder, repeatable, read } = syntaxes[name]!
    const earlier = values[name]
    if (earlier && !repeatable) return `--${name} is given twice.`
    if (!placeholder && inlineValue && !read) return `--${name} takes no value.`
    const isMissing = placeholder && (!value || (!inlineValue && value.startsWith('--')))
    if (isMissing) return `--${name} needs a value: --${name} ${placeholder}.`
    values[name] = [...(earlier ?? []), value ?? 'true']
  }
  return values as Arguments<Name>
}
