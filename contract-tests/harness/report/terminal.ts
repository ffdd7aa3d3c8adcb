import type { Form } from '../../../fixtures/contract/index.ts'
import type { Outcome } from '../check.ts'
import { curlLine } from './curl.ts'
import type { Report, RuleReport } from './report.ts'
import { sayLeft } from './say-left.ts'
import { sayRecording } from './say-recording.ts'
import { onOneLine } from './visible.ts'

/** More would scroll away what is above. */
const MOST_DRIFT = 40
/** A reason that more verdicts share is said once, below them. */
const MOST_ALIKE = 5

/** The titles of the specification's sections. */
const titles: Record<string, string> = {
  '1': 'What the service does',
  '2.1': 'Response envelope',
  '2.2': 'Member',
  '2.3': 'Backup',
  '2.4': 'Alert',
  '2.5': 'Chart series query',
  '2.6': 'Other resources',
  '3': 'States and transitions',
  '4.1': 'Cloud management API',
  '4.2': 'Managed observability endpoints',
  '4.3': 'Self-hosted observability endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

export interface Paint {
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
}

const wrap = (on: boolean, code: number) => (text: string) => (on ? `\u001b[${code}m${text}\u001b[0m` : text)
export const createPaint = (on: boolean): Paint => ({
  red: wrap(on, 31),
  green: wrap(on, 32),
  yellow: wrap(on, 33),
  dim: wrap(on, 2),
  bold: wrap(on, 1),
})

const marks: Record<Outcome, (paint: Paint) => string> = {
  held: paint => paint.green('✓'),
  broken: paint => paint.red('✗'),
  observed: paint => paint.dim('·'),
  'not-applicable': paint => paint.dim('–'),
  'known-broken': paint => paint.yellow('~'),
  errored: paint => paint.yellow('!'),
}

const shortForm: Record<Form, string> = { cloud: 'cloud', managed: 'managed', selfHosted: 'self-hosted' }
export const titleOf = (section: string) => `§${section} ${titles[section] ?? ''}`.trim()

/** The report as a person reads it on a terminal: by section, each rule with its forms, a broken one with its evidence. */
export function renderTerminal(report: Report, paint: Paint): string {
  const lines: string[] = []
  const asked = report.rules.filter(({ form }) => !report.ended?.some(one => one.form === form))
  const shared = sharedReasons(asked)
  const sections = [...new Set(asked.map(({ section }) => section))]
  for (const section of sections) {
    const rules = asked.filter(rule => rule.section === section)
    lines.push('', paint.bold(titleOf(section)))
    for (const id of new Set(rules.map(rule => rule.id)))
      lines.push(
        ...renderRule(
          rules.filter(rule => rule.id === id),
          shared,
          paint,
        ),
      )
  }
  if (shared.size > 0) lines.push('', paint.bold('Not judged'))
  for (const [reason, count] of shared) lines.push(`  ${count} ×  ${paint.dim(onOneLine(reason))}`)
  if (report.drift.length > 0) {
    lines.push('', paint.bold('Drift from the baseline'))
    for (const { kind, part, id, was, is } of report.drift.slice(0, MOST_DRIFT)) {
      const colour = kind === 'breaking' ? paint.red : kind === 'additive' ? paint.yellow : paint.dim
      lines.push(`  ${colour(kind.padEnd(9))} ${onOneLine(id)} ${paint.dim(`(${part})`)}  ${plain(was)} → ${plain(is)}`)
    }
    const more = report.drift.length - MOST_DRIFT
    if (more > 0) lines.push(paint.dim(`  and ${more} more: --report json=FILE has them all`))
  }
  for (const left of report.left ?? []) {
    const { what, known } = sayLeft(left)
    lines.push('', paint.yellow(`Left behind in ${shortForm[left.form]}: ${onOneLine(what)}`))
    lines.push(...known.map(one => paint.dim(`  ${onOneLine(one)}`)))
  }
  if (report.target.stale)
    lines.push(
      '',
      paint.yellow('The target file is out of date'),
      ...report.target.stale.map(says => `  ${onOneLine(says)}`),
    )
  const recording = sayRecording(report)
  if (recording) {
    const paintRecording = recording.because.length > 0 ? paint.yellow : paint.dim
    lines.push('', paintRecording(recording.says), ...recording.because.map(why => `  ${why}`))
  }
  if (report.cut) lines.push('', paint.yellow(`The run ended early: ${onOneLine(report.cut)}.`))
  return [...lines, '', ...sayEnded(report, paint), lastLine(report, paint), ''].join('\n')
}

/** A line for each reason why forms were given up after the first look. */
function sayEnded({ ended = [], rules }: Report, paint: Paint): string[] {
  return [...new Set(ended.map(({ why }) => why))].map(reason => {
    const forms = ended.filter(({ why }) => why === reason).map(({ form }) => form)
    const musts = rules.filter(({ form, level }) => forms.includes(form) && level === 'must')
    const count = new Set(musts.map(({ id }) => id)).size
    const names = forms.map(form => shortForm[form]).join(', ')
    return `${paint.yellow(`${names} not judged (${count} must rules):`)} ${onOneLine(reason)}`
  })
}

/** The reasons that a great many verdicts could not be reached for, with how many: an address that does not answer, a wrong key. */
function sharedReasons(rules: readonly RuleReport[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { outcome, detail } of rules) if (outcome === 'errored') counts.set(detail, (counts.get(detail) ?? 0) + 1)
  return new Map([...counts].filter(([, count]) => count > MOST_ALIKE))
}

function renderRule(rules: readonly RuleReport[], shared: ReadonlyMap<string, number>, paint: Paint): string[] {
  const { id, level, says } = rules[0]!
  const isShared = ({ outcome, detail }: RuleReport) => outcome === 'errored' && shared.has(detail)
  if (level === 'observe') {
    const seen = new Map<string, Form[]>()
    for (const rule of rules) {
      const reason = isShared(rule) ? rule.outcome : `${rule.outcome}: ${onOneLine(rule.detail)}`
      const value = rule.outcome === 'observed' ? plain(rule.observed) : reason
      seen.set(value, [...(seen.get(value) ?? []), rule.form])
    }
    const values = [...seen].map(([value, forms]) =>
      seen.size === 1 ? value : `${forms.map(form => shortForm[form]).join(', ')}: ${value}`,
    )
    return [paint.dim(`  · ${id.padEnd(52)} ${values.join(' | ')}`)]
  }
  const forms = rules.map(({ form, outcome }) => `${marks[outcome](paint)} ${paint.dim(shortForm[form])}`).join('  ')
  const lines = [`  ${worst(rules, paint)} ${id.padEnd(52)} ${paint.dim(level.padEnd(6))} ${forms}`]
  for (const rule of rules) {
    if ((rule.outcome === 'held' && rule.detail === '') || isShared(rule)) continue
    if (rule.outcome === 'held' || rule.outcome === 'not-applicable' || rule.outcome === 'errored') {
      lines.push(paint.dim(`      ${shortForm[rule.form]}: ${onOneLine(rule.detail)}`))
      continue
    }
    lines.push(`      ${says}`, `      ${shortForm[rule.form]}: ${onOneLine(rule.detail)}`)
    const [exchange] = rule.exchanges
    if (exchange) lines.push(paint.dim(`      ${onOneLine(curlLine(rule.form, exchange))}`))
  }
  return lines
}

function worst(rules: readonly RuleReport[], paint: Paint): string {
  const order: Outcome[] = ['broken', 'errored', 'known-broken', 'held', 'not-applicable', 'observed']
  return marks[order.find(outcome => rules.some(rule => rule.outcome === outcome)) ?? 'held'](paint)
}

/** A value that came from the target, with nothing in it that a terminal would act upon. */
const plain = (value: unknown) =>
  onOneLine(typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : String(JSON.stringify(value)))

/** All outcome counts, requests and seconds. */
export function lastLine({ summary, requests, durationMs, target }: Report, paint: Paint): string {
  const { held, broken, observed, notApplicable, knownBroken, errored, drifted } = summary
  const counts = [
    paint.green(`${held} held`),
    broken > 0 ? paint.red(`${broken} broken`) : '0 broken',
    `${observed} observed`,
    `${notApplicable} not applicable`,
    `${knownBroken} known broken`,
    errored > 0 ? paint.yellow(`${errored} errored`) : '0 errored',
    `${drifted} drifted`,
  ]
  return `${paint.bold(onOneLine(target.name))}: ${counts.join(', ')} · ${requests} requests in ${(durationMs / 1000).toFixed(2)} s`
}
