import type { Option } from './option.ts'
import { chapters, options, variableOf } from './options.ts'

/** The text of `stack-parity mock --help`. */
export function renderHelp(): string {
  return `stack-parity mock [options]

Serves a world of organizations, services, dashboards and alerts that can be read and
changed, in the cloud, managed and self-hosted form of the API. It stops on Ctrl-C.

${Object.entries(chapters).map(renderChapter).join('\n')}
Each option can also be told by the environment variable below it; the command line wins.
A value is given as --name value or --name=value, several values in a variable by commas.

Exit status
  0  it was asked to stop, by Ctrl-C or SIGTERM
  1  it was, and its world could not be kept in the file of --state
  2  wrong use, or a port that cannot be listened on

Examples
  stack-parity mock --seed 7 --organizations 3
  stack-parity mock --as self-hosted-2.24 --self-hosted-port 9000
  stack-parity mock --fault envelope/request-id-is-uuid-v4
  stack-parity mock --json --console-port 0 > target.json
`
}

function renderChapter([title, options]: [string, Record<string, Option<unknown>>]): string {
  return `${title}\n${Object.entries(options).map(renderOption).join('')}`
}

const synopsisOf = (name: string, { takes }: Option<unknown>) => `--${name}${takes ? ` ${takes}` : ''}`

/** The column in which the descriptions begin: two spaces after the longest option. */
const width = 2 + Math.max(...Object.entries(options).map(([name, option]) => synopsisOf(name, option).length))

function renderOption([name, option]: [string, Option<unknown>]): string {
  const { description, usual, repeatable } = option
  const notes = repeatable ? ' (repeatable)' : ''
  const synopsis = synopsisOf(name, option).padEnd(width)
  return `  ${synopsis}${description}${notes}\n  ${' '.repeat(width)}default: ${usual}; ${variableOf(name)}\n`
}
