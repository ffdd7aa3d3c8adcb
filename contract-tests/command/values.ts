import { existsSync, readdirSync } from 'node:fs'
import type { Contract, Effect, Form } from '../../fixtures/built-contract/index.ts'
import { everyForm, formsOf } from '../engine/target/forms-of.ts'
import { nearest } from '../engine/target/nearest.ts'
import { type TargetFile, UsageError } from '../engine/target/target.ts'
import type { Gates } from '../report/exit-status.ts'
import { countOf } from '../report/outline.ts'
import { type FailOn, failLevels, type Report } from '../report/report.ts'
import { onOneLine } from '../report/visible.ts'
import { rules as everyRule, type ListedRule, type Selection, select } from '../rules/select.ts'
import { type Baseline, parseBaseline } from '../run/baseline.ts'
import type { CommandContext } from './command.ts'
import { readText, readWith, refuseMissingFolder, writeText } from './files.ts'
import type { OptionValues } from './options.ts'

/** Reads the values of options, and refuses bad ones with a sentence. */

/** The longest delay of a timer. A timer with a longer delay ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

const port = {
  fits: (value: number) => Number.isInteger(value) && value >= 0 && value <= 65_535,
  wants: 'a port from 0 to 65535',
}

const numbers = {
  rate: { fits: (value: number) => value >= 1e-6, wants: 'a number above 0, at least 0.000001' },
  'max-requests': {
    fits: (value: number) => Number.isSafeInteger(value) && value > 0,
    wants: 'a whole number above 0',
  },
  retries: { fits: (value: number) => Number.isSafeInteger(value) && value >= 0, wants: 'a whole number' },
  timeout: {
    fits: (value: number) => value > 0 && value <= MAX_TIMER_MS,
    wants: `a number of milliseconds above 0, up to ${MAX_TIMER_MS}`,
  },
  'cloud-port': port,
  'self-hosted-port': port,
  'console-port': port,
}

type NumberOption = keyof typeof numbers

export function readNumber(values: OptionValues<NumberOption>, name: NumberOption): number | undefined {
  const [text] = values[name] ?? []
  if (text === undefined) return undefined
  const { fits, wants } = numbers[name]
  const value = Number(text.trim() || Number.NaN)
  if (Number.isFinite(value) && fits(value)) return value
  throw new UsageError(`--${name} takes ${wants}, not ${JSON.stringify(text)}.`)
}

function readOneOf<Value extends string>(option: string, allowed: readonly Value[], value: string): Value {
  const known = allowed.find(one => one === value)
  if (known !== undefined) return known
  const suggestion = nearest(value, allowed)
  const advice = suggestion ? ` Did you mean ${suggestion}?` : ''
  throw new UsageError(`--${option} takes ${allowed.join(', ')}, not ${JSON.stringify(value)}.${advice}`)
}

/** The level of `--fail-on` or `--strict`; undefined for the default. */
export function readFailOn(values: Pick<OptionValues, 'fail-on' | 'strict'>): FailOn | undefined {
  const [level] = values['fail-on'] ?? []
  const failOn = level === undefined ? undefined : readOneOf('fail-on', failLevels, level)
  if (values.strict && (failOn ?? 'documented') !== 'documented')
    throw new UsageError(`--strict is --fail-on documented, and excludes --fail-on ${level}.`)
  return values.strict ? 'documented' : failOn
}

export const readDrift = ({ drift: [level = 'warn'] = [] }: Pick<OptionValues, 'drift'>): Gates['drift'] =>
  readOneOf('drift', ['warn', 'error', 'strict'] as const, level)

export const readEffects = (values: OptionValues): readonly Effect[] | undefined =>
  values['allow-effects']?.map(kind => readOneOf('allow-effects', ['disrupts', 'costs', 'notifies', 'grants'], kind))

export const readForms = (values: OptionValues): readonly Form[] | undefined =>
  values.forms?.map(form => readOneOf('forms', everyForm, form))

/** Refuses forms that the target does not have: no rule of theirs could be judged. */
export function refuseAbsentForms({ forms = [] }: Selection, target: TargetFile): void {
  const targetForms = formsOf(target)
  const absent = forms.find(form => !targetForms.includes(form))
  if (absent) throw new UsageError(`--forms ${absent}: the target has no such form, only ${targetForms.join(', ')}.`)
}

const ruleIds: readonly string[] = everyRule.map(rule => rule.id)
const listHint = 'stack-parity verify --list prints them all.'

/** The rules of `--section`, `--rule` and `--forms`; each option on its own must select some. */
export function readSelection(selection: Selection, contract?: Contract): readonly ListedRule[] {
  const { sections = [], rules: ids = [], forms } = selection
  const section = sections.find(one => select({ sections: [one] }, contract).length === 0)
  if (section !== undefined) {
    const known = [...new Set(everyRule.map(rule => rule.section))]
    throw new UsageError(`--section ${section}: there is no rule of this section, only of ${known.join(', ')}.`)
  }
  const id = ids.find(one => select({ rules: [one] }, contract).length === 0)
  if (id !== undefined) {
    const suggestion = nearest(id, ruleIds)
    throw new UsageError(`--rule ${id}: no such id or prefix. ${suggestion ? `Did you mean ${suggestion}?` : listHint}`)
  }
  const selected = select(selection, contract)
  if (selected.length > 0) return selected
  const filters = Object.entries({ section: sections, rule: ids, forms: forms ?? [] })
    .filter(([, values]) => values.length > 0)
    .map(([option, values]) => `--${option} ${values.join(', ')}`)
  throw new UsageError(`${filters.join(' and ')} have no rule in common: ${listHint}`)
}

/** The rule ids of a file, or of a list that the package ships; also of rules that only a document has. */
export const readKnownBroken = (
  values: OptionValues,
  { baselines }: CommandContext,
  contract?: Contract,
): readonly string[] =>
  readLines('known-broken', findShipped('known-broken', '.known-broken.txt', values, baselines), id => {
    if (ruleIds.includes(id) || (contract && id in contract.rules)) return undefined
    const suggestion = nearest(id, ruleIds)
    return `names ${JSON.stringify(id)}, which is no rule${suggestion ? `; did you mean ${suggestion}?` : `: ${listHint}`}`
  })

/** The fingerprints in the files of `--known-drift` and, if it exists, `--update-known-drift`. */
export const readKnownDrift = (values: OptionValues): ReadonlySet<string> => {
  const [updated] = values['update-known-drift'] ?? []
  if (updated) refuseMissingFolder('--update-known-drift', updated)
  const findProblem = (text: string) =>
    /^[0-9a-f]{12}$/.test(text) ? undefined : 'is no fingerprint of 12 hexadecimal digits: reports show those.'
  return new Set([
    ...readLines('known-drift', values['known-drift']?.[0], findProblem),
    ...readLines('update-known-drift', updated && existsSync(updated) ? updated : undefined, findProblem),
  ])
}

/** Adds the differences of a report to the list of `--update-known-drift`, whose lines stay. Returns what was done. */
export function updateKnownDrift(values: OptionValues, { drift, startedAt }: Report): string {
  const option = '--update-known-drift'
  const [file] = values['update-known-drift'] ?? []
  if (!file) return ''
  const known = existsSync(file) ? readText(option, file).trimEnd() : ''
  const added = drift.map(
    ({ fingerprint, kind, id }) => `${fingerprint} # accepted on ${startedAt.slice(0, 10)}: ${kind}, ${onOneLine(id)}`,
  )
  writeText(
    option,
    file,
    [known, ...added]
      .filter(Boolean)
      .map(line => `${line}\n`)
      .join(''),
  )
  return `${file}: ${countOf(drift.length, 'difference')} added.\n`
}

/** The lines of a file without their remarks; `findProblem` returns what is wrong with a line. */
function readLines(option: string, file: string | URL | undefined, findProblem: (line: string) => string | undefined) {
  if (!file) return []
  return readWith(`--${option}`, file, text =>
    text.split('\n').flatMap((line, index) => {
      const content = line.replace(/#.*$/, '').trim()
      const problem = content === '' ? undefined : findProblem(content)
      if (problem) throw new UsageError(`line ${index + 1} ${problem}`)
      return content === '' ? [] : [content]
    }),
  )
}

export function readBaseline(values: OptionValues, { baselines }: CommandContext): Baseline | undefined {
  const file = findShipped('baseline', '.json', values, baselines)
  return file ? readWith('--baseline', file, parseBaseline) : undefined
}

/** The file that an option names: one that exists, else one that the package ships under this name. */
function findShipped(option: 'baseline' | 'known-broken', ending: string, values: OptionValues, baselines: URL) {
  const [name] = values[option] ?? []
  if (!name || existsSync(name)) return name
  const shipped = readdirSync(baselines).flatMap(file => (file.endsWith(ending) ? file.slice(0, -ending.length) : []))
  if (shipped.includes(name)) return new URL(`${name}${ending}`, baselines)
  const suggestion = nearest(name, shipped)
  const advice = suggestion ? `Did you mean ${suggestion}?` : `The package ships ${shipped.join(', ')}.`
  const kind = option === 'baseline' ? 'baseline' : 'list'
  throw new UsageError(`--${option} ${name}: there is no such file, and no ${kind} of this name. ${advice}`)
}
