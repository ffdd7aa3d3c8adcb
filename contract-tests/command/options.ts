import { UsageError } from '../harness/target.ts'

/** The options of `stack-parity verify`; `takes` is absent for a switch, `later` marks what is not built yet. */
interface Option {
  readonly takes?: string
  readonly says: string
  readonly repeatable?: true
  readonly later?: true
}

export const options = {
  target: { takes: 'FILE', says: 'the deployment; without it, a mock is started for the run' },
  section: { takes: 'S', says: 'only the rules of this section of the specification', repeatable: true },
  rule: { takes: 'ID', says: 'only this rule, or all that begin so', repeatable: true },
  list: { says: 'print the rules, send nothing' },
  'read-only': { says: 'send only GET, HEAD and OPTIONS (default for a target that is not on loopback)' },
  'allow-writes': { says: 'send writes too; what the run creates, it deletes' },
  strict: { says: 'a broken should rule fails the run too' },
  report: { takes: 'KIND=FILE', says: 'write a report; KIND is json, FILE may be - for stdout', repeatable: true },
  timeout: { takes: 'MS', says: 'for each request, default 10000' },
  rate: { takes: 'N', says: 'at most N requests a second (default: 0.9 beyond loopback)', later: true },
  'max-requests': { takes: 'N', says: 'stop cleanly before the N+1st', later: true },
  plan: { says: 'print every request, send nothing', later: true },
  ledger: { takes: 'FILE', says: 'where created ids are written before they are used', later: true },
  baseline: { takes: 'FILE', says: 'compare what was observed with FILE', later: true },
  'update-baseline': { takes: 'FILE', says: 'write what was observed', later: true },
  drift: { takes: 'LEVEL', says: 'warn, error or strict', later: true },
  document: { takes: 'FILE', says: "judge a vendor's OpenAPI document", later: true },
  'known-broken': { takes: 'FILE', says: 'rules that are known to be broken on this target', later: true },
  har: { takes: 'FILE', says: 'judge recorded traffic (HAR 1.2)', later: true },
  insecure: { says: 'allow credentials over http: beyond loopback', later: true },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof options

/** What was given: a list of values for each option; a switch has the value `true`. */
export type Given = Readonly<Partial<Record<OptionName | 'help', readonly string[]>>>

/**
 * Reads `--name value`, `--name=value` and switches.
 * @throws UsageError with a sentence for what is unknown, doubled, or without its value.
 */
export function readOptions(
  args: readonly string[],
  nearest: (word: string, words: readonly string[]) => string | undefined,
): Given {
  const given: Partial<Record<string, string[]>> = {}
  for (let index = 0; index < args.length; index++) {
    const [, name = '', inline] =
      /^--([^=]+)(?:=([\s\S]*))?$/.exec(args[index]!) ?? (args[index] === '-h' ? ['', 'help'] : [])
    if (name === 'help') return { help: ['true'] }
    const option: Option | undefined = Object.hasOwn(options, name) ? options[name as OptionName] : undefined
    if (!option) {
      const near = name && nearest(name, Object.keys(options))
      throw new UsageError(
        `there is no ${JSON.stringify(args[index])}. ${near ? `Did you mean --${near}?` : 'stack-parity verify --help lists the options.'}`,
      )
    }
    if (option.later) throw new UsageError(`--${name} is not there yet in this version.`)
    if (given[name] && !option.repeatable) throw new UsageError(`--${name} is given twice.`)
    if (!option.takes && inline !== undefined) throw new UsageError(`--${name} takes no value.`)
    const value = option.takes ? (inline ?? args[++index]) : 'true'
    if (value === undefined || value === '') throw new UsageError(`--${name} needs a value: --${name} ${option.takes}.`)
    given[name] = [...(given[name] ?? []), value]
  }
  return given as Given
}

export function renderHelp(): string {
  const lines = Object.entries(options).map(([name, option]: [string, Option]) => {
    const synopsis = `--${name}${option.takes ? ` ${option.takes}` : ''}`
    return `  ${synopsis.padEnd(24)}${option.says}${option.repeatable ? ' (repeatable)' : ''}${option.later ? ' (not there yet)' : ''}`
  })
  return `stack-parity verify [options]

Judges a deployment by the rules of the specification, over real sockets. Without
--target it starts a mock of its own and judges that.

${lines.join('\n')}

Exit status
  0  every must rule that applies holds
  1  a must rule is broken (with --strict, a should rule too)
  2  wrong use, or nothing could be judged

Examples
  stack-parity verify
  stack-parity verify --target staging.json --report json=report.json
  stack-parity verify --section 5 --rule auth/ingestion-key
`
}
