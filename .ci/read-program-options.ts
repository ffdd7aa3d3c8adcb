import { parseArgs } from 'node:util'

/** An option of one of the project's own programs: a number, one or some of these words, or a mere mark. */
export type ProgramOption = { readonly says: string } & (
  | { readonly number: number | undefined }
  | { readonly words: readonly string[]; readonly many?: boolean }
  | { readonly mark: true }
)

type Value<O> = O extends { number: infer N } ? number | N : O extends { mark: true } ? boolean : readonly string[]
type Values<T> = { readonly [K in keyof T]: Value<T[K]> }

/**
 * Reads the options of `npm run NAME -- …`. The program ends here when it was asked how it is used, or was told what it
 * does not understand, which it then says in a sentence.
 */
export function readProgramOptions<const T extends Readonly<Record<string, ProgramOption>>>(
  name: string,
  options: T,
  takesWords = false,
) {
  const read = tryToRead(options, process.argv.slice(2), takesWords)
  if (typeof read !== 'string') return read
  const isAsked = read === ''
  const usage = `${isAsked ? '' : `${read}\n\n`}npm run ${name} -- [options]\n\n${tellOptions(options)}`
  process[isAsked ? 'stdout' : 'stderr'].write(usage)
  process.exit(isAsked ? 0 : 2)
}

/** The values, or why there are none: a sentence, and no word when it was asked for help. */
export function tryToRead<const T extends Readonly<Record<string, ProgramOption>>>(
  options: T,
  args: readonly string[],
  takesWords = false,
): { readonly values: Values<T>; readonly words: readonly string[] } | string {
  const all = Object.entries({ ...options, help: { says: 'how it is used', mark: true } as ProgramOption })
  const types = all.map(([name, option]) => {
    const type = 'mark' in option ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: 'words' in option && option.many === true }] as const
  })
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals: takesWords })
  } catch (error) {
    return (error as Error).message.replace(/\. (To specify|This command)[\s\S]*/, '.')
  }
  if (parsed.values.help) return ''
  const values: Record<string, unknown> = {}
  for (const [name, option] of all) {
    const given = parsed.values[name]
    if ('mark' in option) values[name] = given ?? false
    else if ('number' in option) {
      values[name] = given === undefined ? option.number : Number(given)
      if (given !== undefined && !(Number(given) >= 0)) return `--${name} takes a number, not "${given}".`
    } else {
      values[name] = given === undefined ? [] : [given].flat()
      const odd = (values[name] as string[]).find(word => !option.words.includes(word))
      if (odd !== undefined) return `--${name} takes one of ${option.words.join(', ')}, not "${odd}".`
    }
  }
  return { values: values as Values<T>, words: parsed.positionals }
}

function tellOptions(options: Readonly<Record<string, ProgramOption>>): string {
  const lines = Object.entries(options).map(([name, option]) => {
    const takes = 'mark' in option ? '' : 'number' in option ? ' NUMBER' : ' WORD'
    const words = 'words' in option ? `: ${option.words.join(', ')}` : ''
    const usual = 'number' in option && option.number !== undefined ? ` (${option.number})` : ''
    return [`  --${name}${takes}`, `${option.says}${words}${usual}`] as const
  })
  const width = Math.max(...lines.map(([left]) => left.length)) + 2
  return lines.map(([left, right]) => `${left.padEnd(width)}${right}\n`).join('')
}
