import type { Outcome } from '../engine/check.ts'
import { curlLine, exportLine, sayAgain } from './curl.ts'
import {
  findings,
  formNames,
  many,
  marks,
  outline,
  plain,
  type Reason,
  type Rule,
  reasons,
  sayExtent,
  sayReach,
  titleOf,
  underTitles,
  worst,
} from './outline.ts'
import { byRule, type Report, type RuleReport } from './report.ts'
import { sayLeft } from './say-left.ts'
import { sayRecording } from './say-recording.ts'
import { onOneLine } from './visible.ts'

/** More would scroll away what is above. */
const MOST_DRIFT = 40
/** Of so many rules the ids stand under the reason that they share. */
const MOST_NAMED = 6
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

const colourOf = (paint: Paint, outcome: Outcome) =>
  ({
    held: paint.green,
    broken: paint.red,
    observed: paint.dim,
    'not-applicable': paint.dim,
    'known-broken': paint.yellow,
    errored: paint.yellow,
  })[outcome]

export interface TerminalOptions {
  /** Only what is broken, errored or drifted, what is left behind, and the last line. */
  readonly quiet?: boolean
  /** How wide the terminal is: lines of the list are cut there, sentences broken, failures left whole. */
  readonly columns?: number
  /** The command that deletes what the run left behind. */
  readonly sweep?: string
}

/**
 * The report as a person reads it on a terminal: a line for each rule, by section; why the others were not judged, each reason
 * once; and at the end, where it is seen, all of each failure and one line that counts.
 */
export function renderTerminal(
  report: Report,
  paint: Paint,
  { quiet = false, columns = Number.POSITIVE_INFINITY, sweep }: TerminalOptions = {},
): string {
  const asked = { ...report, rules: report.rules.filter(({ form }) => !report.ended?.some(one => one.form === form)) }
  const blocks = [
    ...(quiet
      ? []
      : [
          ...outline(asked)
            .flatMap(({ section, rules }) => underTitles(section, rules))
            .map(([title, rules]) => renderSection(title, rules, paint, columns)),
          renderReasons('Not applicable', reasons(asked, 'not-applicable'), paint.dim, paint, columns),
          renderKnownBroken(report, paint),
          renderRecording(report, paint),
        ]),
    renderDrift(report, paint),
    renderLeft(report, paint, sweep),
    renderStale(report, paint),
    report.cut ? [paint.yellow(`The run ended early: ${onOneLine(report.cut)}.`)] : [],
    renderReasons('Not judged', reasons(asked, 'errored'), paint.yellow, paint, columns),
    renderFailures(report, paint),
    [...sayEnded(report, paint, columns), lastLine(report, paint)],
  ]
  return `${blocks
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')}`
}

/** The rules of a section that something came of, a line each. */
function renderSection(title: string, rules: readonly Rule[], paint: Paint, columns: number): string[] {
  const judged = rules.filter(({ verdicts }) => !['errored', 'not-applicable'].includes(worst(verdicts)))
  const shown = judged.length > 0 ? judged : []
  const width = Math.min(52, Math.max(0, ...shown.map(({ id }) => id.length)))
  return shown.length === 0 ? [] : [paint.bold(title), ...shown.map(rule => renderLine(rule, width, paint, columns))]
}

function renderLine({ id, level, verdicts }: Rule, width: number, paint: Paint, columns: number): string {
  const outcome = worst(verdicts)
  const start = `  ${marks[outcome]} ${id.padEnd(width)}  `
  if (level === 'observe') return paint.dim(cut(`${start}${sayObserved(verdicts)}`, columns))
  const colour = colourOf(paint, outcome)
  const same = verdicts.every(verdict => verdict.outcome === outcome)
  const forms = verdicts
    .map(verdict => `${same ? '' : `${marks[verdict.outcome]} `}${formNames[verdict.form]}`)
    .join(', ')
  const rest = cut(`${level.padEnd(6)}  ${forms}`, columns - start.length)
  return `  ${colour(marks[outcome])} ${id.padEnd(width)}  ${paint.dim(rest)}`
}

/** What was observed; by form, when the forms differ. */
function sayObserved(verdicts: readonly RuleReport[]): string {
  const seen = new Map<string, string[]>()
  for (const { outcome, observed, form } of verdicts) {
    const value = outcome === 'observed' ? onOneLine(plain(observed)) : outcome
    seen.set(value, [...(seen.get(value) ?? []), formNames[form]])
  }
  return [...seen].map(([value, forms]) => (seen.size === 1 ? value : `${forms.join(', ')}: ${value}`)).join(' | ')
}

const cut = (text: string, columns: number): string =>
  text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text

/** A sentence in lines that are no wider than the terminal, broken between words; the later ones are indented. */
function fold(text: string, columns: number, indent: string): string[] {
  const [first = '', ...words] = text.trimStart().split(' ')
  const lines = [`${text.slice(0, text.length - text.trimStart().length)}${first}`]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length > columns) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** A sentence below its lead, which has a colour. */
function foldBehind(lead: string, says: string, colour: (text: string) => string, columns: number): string {
  const [first = '', ...others] = fold(`${lead} ${says}`, columns, '    ')
  return [first.startsWith(lead) ? colour(lead) + first.slice(lead.length) : first, ...others].join('\n')
}

/** Each reason once, with how many rules it is of, and which. */
function renderReasons(
  title: string,
  all: readonly Reason[],
  colour: (text: string) => string,
  paint: Paint,
  columns: number,
): string[] {
  if (all.length === 0) return []
  return [
    paint.bold(title),
    ...all.flatMap(reason => {
      const ids = reason.rules.map(({ id }) => id)
      const isFew = ids.length <= MOST_NAMED
      return [
        foldBehind(`  ${sayReach(reason)}:`, onOneLine(reason.reason), colour, columns),
        ...(isFew ? [paint.dim(cut(`      ${ids.join(', ')}`, columns))] : []),
      ]
    }),
  ]
}

function renderKnownBroken({ rules }: Report, paint: Paint): string[] {
  const known = rules.filter(({ outcome }) => outcome === 'known-broken')
  if (known.length === 0) return []
  return [
    paint.bold('Known to be broken'),
    ...known.map(
      ({ id, form, detail }) =>
        `  ${paint.yellow(marks['known-broken'])} ${id}, ${formNames[form]}: ${onOneLine(detail)}`,
    ),
  ]
}

function renderRecording(report: Report, paint: Paint): string[] {
  const recording = sayRecording(report)
  if (!recording) return []
  const colour = recording.because.length > 0 ? paint.yellow : paint.dim
  return [colour(recording.says), ...recording.because.map(why => `  ${why}`)]
}

function renderDrift({ drift }: Report, paint: Paint): string[] {
  if (drift.length === 0) return []
  const more = drift.length - MOST_DRIFT
  return [
    paint.bold('Drift'),
    ...drift.slice(0, MOST_DRIFT).map(({ kind, part, id, was, is }) => {
      const colour = kind === 'breaking' ? paint.red : kind === 'additive' ? paint.yellow : paint.dim
      return `  ${colour(kind.padEnd(9))} ${onOneLine(id)} ${paint.dim(`(${part})`)}  ${onOneLine(plain(was))} → ${onOneLine(plain(is))}`
    }),
    ...(more > 0 ? [paint.dim(`  and ${more} more: --report json=FILE has them all`)] : []),
  ]
}

function renderLeft({ left = [] }: Report, paint: Paint, sweep?: string): string[] {
  if (left.length === 0) return []
  return [
    ...left.flatMap(one => {
      const { what, known } = sayLeft(one)
      return [
        paint.yellow(`Left behind in ${formNames[one.form]}: ${onOneLine(what)}`),
        ...known.map(says => paint.dim(`  ${onOneLine(says)}`)),
      ]
    }),
    ...(sweep ? [`Take it away with: ${sweep}`] : []),
  ]
}

function renderStale({ target: { stale } }: Report, paint: Paint): string[] {
  return stale ? [paint.yellow('The target file is out of date'), ...stale.map(says => `  ${onOneLine(says)}`)] : []
}

/** A line for each reason why forms were given up after the first look. */
function sayEnded({ ended = [], rules }: Report, paint: Paint, columns: number): string[] {
  return [...new Set(ended.map(({ why }) => why))].map(reason => {
    const forms = ended.filter(({ why }) => why === reason).map(({ form }) => form)
    const count = byRule(rules.filter(({ form, level }) => forms.includes(form) && level === 'must')).length
    const names = forms.map(form => formNames[form]).join(', ')
    return foldBehind(`${names} not judged (${many(count, 'must rule')}):`, onOneLine(reason), paint.yellow, columns)
  })
}

/** Every failure with all that is known of it, the gravest last, and what its curl lines need. */
function renderFailures(report: Report, paint: Paint): string[] {
  const failed = findings(report)
    .map(rule => ({ ...rule, verdicts: rule.verdicts.filter(({ outcome }) => outcome !== 'known-broken') }))
    .filter(({ verdicts }) => verdicts.length > 0)
    .reverse()
  const lines = failed.flatMap(rule => ['', ...renderFailure(report, rule, paint)])
  const needed = exportLine(report.target, lines)
  const title = paint.bold(`${failed.length} ${failed.length === 1 ? 'rule is' : 'rules are'} broken`)
  return failed.length === 0
    ? []
    : [title, ...lines, ...(needed ? ['', paint.dim('The curl lines need:'), needed] : [])]
}

function renderFailure({ target }: Report, { id, level, says, verdicts }: Rule, paint: Paint): string[] {
  const [{ section }] = verdicts as [RuleReport]
  return [
    `${paint.red(`✗ ${paint.bold(id)}`)} ${paint.dim(`${level}, ${titleOf(section)}`)}`,
    `  ${says}`,
    ...verdicts.flatMap(({ form, detail, exchanges: [exchange] }) => [
      `  ${paint.red(`${formNames[form]}:`)} ${onOneLine(detail)}`,
      ...(exchange ? [paint.dim(`  ${curlLine(target, form, exchange) ?? sayAgain(id)}`)] : []),
    ]),
  ]
}

/** How many rules came out how: the same numbers as in every report. */
export function lastLine(report: Report, paint: Paint): string {
  const { summary, requests, durationMs, target } = report
  const { held, broken, observed, notApplicable, knownBroken, errored, drifted } = summary
  const inPart = byRule(report.rules).filter(
    rule => worst(rule) === 'held' && rule.some(({ outcome }) => outcome === 'not-applicable'),
  ).length
  const counts = [
    paint.green(`${held} held`) + (inPart > 0 ? ` (${inPart} not in every form)` : ''),
    broken > 0 ? paint.red(`${broken} broken`) : '0 broken',
    `${observed} observed`,
    `${notApplicable} not applicable`,
    ...(knownBroken > 0 ? [paint.yellow(`${knownBroken} known broken`)] : []),
    ...(errored > 0 ? [paint.yellow(`${errored} errored`)] : []),
    `${drifted} drifted`,
  ]
  return `${paint.bold(onOneLine(target.name))}, ${sayExtent(report)}: ${counts.join(', ')} · ${requests} requests in ${(durationMs / 1000).toFixed(2)} s`
}
