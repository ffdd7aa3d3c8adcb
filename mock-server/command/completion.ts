import { nearest } from '../words/nearest.ts'
import type { CommandContext } from './run.ts'

/** A command, as shell completion needs it. */
export interface CommandSyntax {
  readonly description: string
  /** Its positional arguments. */
  readonly words?: readonly string[]
  readonly options: Readonly<Record<string, OptionSyntax>>
}

export interface OptionSyntax {
  readonly description: string
  /** The placeholder of its value; for `FILE`, file names are completed. */
  readonly placeholder?: string
  /** The values that are completed. */
  readonly values?: readonly string[]
}

type Commands = Readonly<Record<string, CommandSyntax>>

/** The supported shells, each with the line for its start-up file. */
export const shells: Readonly<Record<string, { render(commands: Commands): string; readonly use: string }>> = {
  bash: { render: renderBash, use: 'source <(stack-parity completion bash)' },
  zsh: { render: renderZsh, use: 'source <(stack-parity completion zsh)' },
  fish: { render: renderFish, use: 'stack-parity completion fish | source' },
}

const help = `stack-parity completion SHELL

Prints a script with which a shell completes commands, options and values of stack-parity.
The line for the start-up file of the shell:

${Object.entries(shells)
  .map(([name, { use }]) => `  ${name.padEnd(6)}${use}\n`)
  .join('')}`

/** Runs `stack-parity completion`; returns the exit status. */
export function run(args: readonly string[], { stdout, stderr }: CommandContext, commands: Commands): number {
  const [name, ...more] = args
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(help)
    return 0
  }
  if (name !== undefined && more.length === 0 && Object.hasOwn(shells, name)) {
    stdout.write(shells[name]!.render(commands))
    return 0
  }
  const known = Object.keys(shells)
  const suggestion = name === undefined || more.length > 0 ? undefined : nearest(name, known)
  const received = name === undefined ? '' : `, not "${args.join(' ')}"`
  const advice = suggestion ? ` Did you mean ${suggestion}?` : ''
  stderr.write(`stack-parity completion takes one shell of ${known.join(', ')}${received}.${advice}\n`)
  return 2
}

function renderBash(commands: Commands): string {
  const names = Object.keys(commands)
  const withValue = names.flatMap(command =>
    Object.entries(commands[command]!.options)
      .filter(([, { placeholder }]) => placeholder !== undefined)
      .map(([name, option]) => ({ place: `${command}:--${name}`, ...option })),
  )
  const places = (options: typeof withValue) => options.map(({ place }) => place).join('|')
  const listed = withValue.filter(({ values }) => values)
  const files = withValue.filter(({ values, placeholder }) => !values && placeholder === 'FILE')
  const free = withValue.filter(({ values, placeholder }) => !values && placeholder !== 'FILE')
  const describeCommand = ([command, { options, words = [] }]: [string, CommandSyntax]) =>
    `    ${command}:*) ${offer([...words, ...Object.keys(options).map(name => `--${name}`), '--help'])} ;;`
  return `_stack_parity() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # bash takes --name=value for three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD == 1 )); then ${offer([...names, '--help', '--version'])}; return; fi
  case \${COMP_WORDS[1]}:$prev in
${listed.map(({ place, values }) => `    ${place}) ${offer(values!)} ;;`).join('\n')}
    ${places(files)}) compopt -o default ;;
    ${places(free)}) ;;
${Object.entries(commands).map(describeCommand).join('\n')}
  esac
}
complete -F _stack_parity stack-parity
`
}

const offer = (words: readonly string[]) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`

function renderZsh(commands: Commands): string {
  const cases = Object.entries(commands).map(([command, { options, words }]) => {
    const specs = Object.entries(options).map(([name, { description, placeholder, values }]) => {
      const action = values ? `(${values.join(' ')})` : placeholder === 'FILE' ? '_files' : ' '
      const value = placeholder === undefined ? '' : `:${placeholder}:${action}`
      // An asterisk: the option may be repeated.
      return quote(
        `*--${name}${placeholder === undefined ? '' : '='}[${description.replace(/[[\]]/g, '\\$&')}]${value}`,
      )
    })
    const first = words ? [quote(`1:argument:(${words.join(' ')})`)] : []
    return `    ${command}) _arguments ${[...first, ...specs, quote('--help[print the options]')].join(' \\\n      ')} ;;`
  })
  const described = Object.entries(commands).map(([name, { description }]) => quote(`${name}:${description}`))
  return `#compdef stack-parity
_stack_parity() {
  local -a subcommands=(
    ${described.join('\n    ')}
  )
  if (( CURRENT == 2 )); then _describe command subcommands; return; fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _stack_parity stack-parity
`
}

function renderFish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([command, { description, words = [], options }]) => {
    const here = `-n '__fish_seen_subcommand_from ${command}'`
    return [
      `complete -c stack-parity -n __fish_use_subcommand -a ${command} -d ${quote(description)}`,
      ...(words.length > 0 ? [`complete -c stack-parity ${here} -a ${quote(words.join(' '))}`] : []),
      ...Object.entries(options).map(([name, option]) => {
        const value = option.placeholder === undefined ? '' : option.placeholder === 'FILE' ? ' -rF' : ' -x'
        const values = option.values ? ` -a ${quote(option.values.join(' '))}` : ''
        return `complete -c stack-parity ${here} -l ${name}${value}${values} -d ${quote(option.description)}`
      }),
    ]
  })
  return `complete -c stack-parity -f\n${lines.join('\n')}\n`
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
