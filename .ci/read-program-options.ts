import { readArguments } from '../mock-server/command/read-arguments.ts'

/** An option of a development tool: a number, one or more texts (any, or of a list of words), or a switch. */
export type ProgramOption = { readonly description: string } & (
  | { readonly number: number | undefined }
  | { readonly words: readonly string[]; readonly isRepeatable?: boolean }
  | { readonly isSwitch: true }
)

type Value<O> = O extends { number: infer N } ? number | N : O extends { isSwitch: true } ? boolean : readonly string[]
type Values<T> = { readonly [K in keyof T]: Value<T[K]> }
type Options = Readonly<Record<string, ProgramOption>>

/** Reads the options of `npm run NAME -- …`. For `--help` or a wrong option, prints a text and ends the program. */
export function readProgramOptions<const T extends Options>(name: string, options: T): Values<T> {
  const read = tryToRead(name, options, process.argv.slice(2))
  if (typeof read === 'object') return read
  if (read === undefined) process.stdout.write(renderHelp(name, options))
  else process.stderr.write(`npm run ${name}: ${read}\n`)
  process.exit(read === undefined ? 0 : 2)
}

/** The values, an error message, or undefined for `--help`. */
export function tryToRead<const T extends Options>(
  name: string,
  options: T,
  args: readonly string[],
): Values<T> | string | undefined {
  const table = Object.entries<ProgramOption>(options).map(([option, row]) => [option, syntaxOf(row)] as const)
  const given = readArguments(`npm run ${name} --`, args, Object.fromEntries(table))
  if (typeof given === 'string') return given
  if (given.help) return undefined
  const values: Record<string, unknown> = {}
  for (const [option, row] of Object.entries<ProgramOption>(options)) {
    const texts = given[option] ?? []
    if ('isSwitch' in row) values[option] = texts.length > 0
    else if ('number' in row) {
      values[option] = texts.length === 0 ? row.number : Number(texts[0])
      if (texts.length > 0 && !(Number(texts[0]) >= 0)) return `--${option} takes a number, not "${texts[0]}".`
    } else {
      values[option] = texts
      const odd = row.words.length > 0 ? texts.find(word => !row.words.includes(word)) : undefined
      if (odd !== undefined) return `--${option} takes one of ${row.words.join(', ')}, not "${odd}".`
    }
  }
  return values as Values<T>
}

function syntaxOf(row: ProgramOption) {
  if ('isSwitch' in row) return {}
  if ('number' in row) return { placeholder: 'NUMBER' }
  return row.isRepeatable ? ({ placeholder: 'WORD', repeatable: true } as const) : { placeholder: 'WORD' }
}

function renderHelp(name: string, options: Options): string {
  const lines = Object.entries(options).map(([option, row]) => {
    const placeholder = syntaxOf(row).placeholder ? ` ${syntaxOf(row).placeholder}` : ''
    const words = 'words' in row && row.words.length > 0 ? `: ${row.words.join(', ')}` : ''
    const defaultText = 'number' in row && row.number !== undefined ? ` (default ${row.number})` : ''
    return [`  --${option}${placeholder}`, `${row.description}${words}${defaultText}`] as const
  })
  const width = Math.max(0, ...lines.map(([left]) => left.length)) + 2
  return `npm run ${name} -- [options]\n\n${lines.map(([left, right]) => `${left.padEnd(width)}${right}\n`).join('')}`
}
