import type { Option } from './option.ts'
import { chapters, environmentVariableOf, options } from './options.ts'

export function renderHelp(): string {
  return `stack-parity mock [options]

Serves a world of organizations, services, dashboards and alerts that can be read and
changed, in the cloud, managed and self-hosted form of the API. Ctrl-C stops it.

${Object.entries(chapters).map(renderChapter).join('\n')}
Each option can also be set by the environment variable below it; the command line overrides it.
A value is given as --name value or --name=value; commas separate the values of a repeatable option.

Exit status
  0  stopped by Ctrl-C or SIGTERM
  1  stopped, but the world could not be saved in --state
  2  invalid options, or a port that cannot be listened on

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

const synopsisOf = (name: string, { placeholder }: Option<unknown>) =>
  `--${name}${placeholder ? ` ${placeholder}` : ''}`

/** Two spaces after the longest option. */
const width = 2 + Math.max(...Object.entries(options).map(([name, option]) => synopsisOf(name, option).length))

function renderOption([name, option]: [string, Option<unknown>]): string {
  const { description, defaultValue, repeatable } = option
  const notes = repeatable ? ' (repeatable)' : ''
  const synopsis = synopsisOf(name, option).padEnd(width)
  return `  ${synopsis}${description}${notes}\n    ${' '.repeat(width)}default: ${defaultValue}; ${environmentVariableOf(name)}\n`
}
