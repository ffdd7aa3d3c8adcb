import type { Outcome } from '../engine/check.ts'
import { groupBy } from '../engine/group-by.ts'
import { curlLine, describeRerun, exportLine } from './curl.ts'
import { describeLeftBehind } from './describe-left.ts'
import { renderDocumentDrift } from './document-drift.ts'
import { exitStatus } from './exit-status.ts'
import {
  countOf,
  describeExtent,
  describeImpact,
  describeReach,
  describeTolerated,
  findings,
  formNames,
  groupByTitle,
  listForms,
  marks,
  outline,
  type Reason,
  type Rule,
  reasons,
  renderValue,
  summariseRecording,
  titleOf,
} from './outline.ts'
import { byRule, type Drift, failsRun, isStale, type Report, type RuleReport, worst } from './report.ts'
import { describeOthers, describeProofs, describeUses, divideByUse, summariseProof } from './used-by.ts'
import { onOneLine, shorten } from './visible.ts'
import { wrap } from './wrap.ts'

/** The most differences from a baseline, and lines about documents, that are printed: more would scroll the rest away. */
const MAX_DRIFT = 40
/** The most differences of documents that one line names. */
const MAX_PLACES = 8
/** The most calls that are named for a difference. */
const MAX_USES = 3
/** The most characters of a value that drift shows. */
const MAX_VALUE_CHARACTERS = 200
/** The ids of rules with a common reason are listed if there are at most this many. */
const MAX_NAMED_RULES = 6
const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 }
export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>

export const createPaint = (isOn: boolean): Paint => {
  const inColour = (code: number) => (text: string) => (isOn ? `\u001b[${code}m${text}\u001b[0m` : text)
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, inColour(code)])) as unknown as Paint
}

const colours: Readonly<Record<Outcome, keyof Paint>> = {
  held: 'green',
  broken: 'red',
  observed: 'dim',
  'not-applicable': 'dim',
  'known-broken': 'yellow',
  flaky: 'yellow',
  errored: 'yellow',
}

export interface TerminalOptions {
  /** Prints only problems, drift, objects that are left behind, and the last line. */
  readonly quiet?: boolean
  /** The width of the terminal: lines of the list are cut, sentences wrapped, commands to copy left whole. */
  readonly columns?: number
  /** The command that deletes what the run left behind. */
  readonly sweep?: string
}

/** The report as text: judged rules by section, reasons why others were not judged, failures, and counts last. */
export function renderTerminal(
  report: Report,
  paint: Paint,
  { quiet = false, columns = Number.POSITIVE_INFINITY, sweep }: TerminalOptions = {},
): string {
  const withoutEndedForms = {
    ...report,
    rules: report.rules.filter(({ form }) => !report.ended?.some(one => one.form === form)),
  }
  const blocks = [
    ...(quiet
      ? []
      : [
          ...outline(withoutEndedForms)
            .flatMap(({ section, rules }) => groupByTitle(section, rules))
            .map(([title, rules]) => renderSection(title, rules, paint, columns)),
          renderReasons('Not applicable', reasons(withoutEndedForms, 'not-applicable'), paint.dim, paint, columns),
          renderOutcome('Known to be broken', 'known-broken', report, paint, columns),
          renderOutcome('Flaky: failed, and held when tried again', 'flaky', report, paint, columns),
        ]),
    ...(quiet && !report.recording?.unread ? [] : [renderRecording(report, paint, columns)]),
    renderDrift(report, paint, { quiet, columns }),
    renderLeft(report, paint, columns, sweep),
    renderStale(report, paint, columns),
    report.cut ? [paint.yellow(wrap(`The run ended early: ${onOneLine(report.cut)}.`, columns))] : [],
    renderReasons('Not judged', reasons(withoutEndedForms, 'errored'), paint.yellow, paint, columns),
    renderTolerated(report, paint, columns),
    renderFailures(report, paint, columns),
    [...describeEnded(report, paint, columns), wrap(lastLine(report, paint), columns)],
  ]
  return blocks
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')
}

/** Puts a title before lines, if there are any. */
const withTitle = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines]

/** A line for each judged rule of a section. */
function renderSection(title: string, rules: readonly Rule[], paint: Paint, columns: number): readonly string[] {
  const judged = rules.filter(({ verdicts }) => !['errored', 'not-applicable'].includes(worst(verdicts)))
  const width = Math.min(52, Math.max(0, ...judged.map(({ id }) => id.length)))
  return withTitle(
    paint.bold(title),
    judged.map(rule => renderLine(rule, width, paint, columns)),
  )
}

function renderLine({ id, level, verdicts }: Rule, width: number, paint: Paint, columns: number): string {
  const outcome = worst(verdicts)
  // Without colours, which have no width.
  const start = `  ${marks[outcome]} ${id.padEnd(width)}  `
  if (level === 'observe') return paint.dim(cut(`${start}${describeObserved(verdicts)}`, columns))
  const isSame = verdicts.every(verdict => verdict.outcome === outcome)
  const forms = verdicts
    .map(verdict => (isSame ? '' : `${marks[verdict.outcome]} `) + formNames[verdict.form])
    .join(', ')
  const rest = cut(`${level.padEnd(6)}  ${forms}`, columns - start.length)
  return `  ${paint[colours[outcome]](marks[outcome])} ${id.padEnd(width)}  ${paint.dim(rest)}`
}

/** The observed value, or the values by form where they differ. */
function describeObserved(verdicts: readonly RuleReport[]): string {
  const seen = groupBy(verdicts, ({ outcome, observed }) =>
    outcome === 'observed' ? onOneLine(renderValue(observed)) : outcome,
  )
  return [...seen].map(([value, alike]) => (seen.size === 1 ? value : `${listForms(alike)}: ${value}`)).join(' | ')
}

const cut = (text: string, columns: number): string =>
  text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text

/** Each reason with the number of its rules, and with their ids if they are few. */
const renderReasons = (
  title: string,
  all: readonly Reason[],
  colour: (text: string) => string,
  paint: Paint,
  columns: number,
): readonly string[] =>
  withTitle(
    paint.bold(title),
    all.flatMap(reason => {
      const ids = reason.rules.map(({ id }) => id)
      return [
        wrap(`${colour(`  ${describeReach(reason)}:`)} ${onOneLine(reason.reason)}`, columns),
        ...(ids.length <= MAX_NAMED_RULES ? [paint.dim(wrap(`      ${ids.join(', ')}`, columns, 6))] : []),
      ]
    }),
  )

const renderOutcome = (
  title: string,
  expected: Outcome,
  { rules }: Report,
  paint: Paint,
  columns: number,
): readonly string[] =>
  withTitle(
    paint.bold(title),
    rules
      .filter(({ outcome }) => outcome === expected)
      .map(({ id, form, detail }) =>
        wrap(`  ${paint.yellow(marks[expected])} ${id}, ${formNames[form]}: ${onOneLine(detail)}`, columns),
      ),
  )

function renderRecording(report: Report, paint: Paint, columns: number): readonly string[] {
  const recording = summariseRecording(report)
  if (!recording) return []
  const colour = recording.reasons.length > 0 ? paint.yellow : paint.dim
  return [colour(wrap(recording.sentence, columns)), ...recording.reasons.map(reason => wrap(`  ${reason}`, columns))]
}

/** Drift from a baseline, then from a document, each with the fingerprints that `--known-drift` takes, unless it is quiet. */
export function renderDrift(
  { drift: all }: Pick<Report, 'drift'>,
  paint: Paint,
  { quiet = false, columns = Number.POSITIVE_INFINITY }: Pick<TerminalOptions, 'quiet' | 'columns'> = {},
): readonly string[] {
  const { own: drift, others: unused } = divideByUse(all)
  const driftColours = { breaking: paint.red, additive: paint.yellow, neutral: paint.dim }
  const line = (kind: Drift['kind'], text: string) =>
    wrap(`  ${driftColours[kind](kind.padEnd(9))} ${text}`, columns, 12)
  const mark = (fingerprints: readonly string[]) =>
    quiet ? [] : [paint.dim(wrap(`            ${fingerprints.join(' ')}`, columns, 12))]
  const use = (drift: readonly Drift[]) =>
    describeUses(drift, MAX_USES).map(text => wrap(`            ${onOneLine(text)}`, columns, 12))
  const shown = (value: unknown) => onOneLine(shorten(renderValue(value), MAX_VALUE_CHARACTERS))
  const others = drift
    .filter(({ part }) => part !== 'document')
    .map(one => [
      line(one.kind, `${onOneLine(one.id)} ${paint.dim(`(${one.part})`)}  ${shown(one.was)} → ${shown(one.is)}`),
      ...use([one]),
      ...mark([one.fingerprint]),
    ])
  const ofDocuments = renderDocumentDrift(drift, MAX_PLACES).map(({ kind, family, where, text, more, drift }) => [
    line(kind, `${onOneLine([where ?? family, text].filter(Boolean).join('  '))}${sayMore(more)}`),
    ...use(kind === 'breaking' ? drift : []),
    ...mark(drift.map(({ fingerprint }) => fingerprint)),
  ])
  const capped = [others, ofDocuments].flatMap(lines => [
    ...lines.slice(0, MAX_DRIFT).flat(),
    ...(lines.length > MAX_DRIFT ? [paint.dim(`  ${sayMore(lines.length - MAX_DRIFT).trim()}`)] : []),
  ])
  const rest = describeOthers(unused)
  const folded = rest ? [paint.dim(wrap(`  ${rest}: --report json=FILE has them`, columns))] : []
  return withTitle(paint.bold(all.some(({ usedBy }) => usedBy) ? 'Drift in what you call' : 'Drift'), [
    ...capped,
    ...folded,
  ])
}

/** The requests that show differences, with both answers, and what all of them show. */
export function renderProof(report: Report, paint: Paint): readonly string[] {
  const proofs = describeProofs(report, report.drift)
  const lines = proofs.flatMap(({ curl, answers }) => [
    '',
    paint.dim(curl),
    ...answers.map(text => `  ${onOneLine(text)}`),
  ])
  return [...withTitle(paint.bold('Shown by'), lines), ...summariseProof(report).map(onOneLine)]
}

/** ` and 40 more: --report` */
const sayMore = (more: number) => (more > 0 ? ` and ${more} more: --report json=FILE has them all` : '')

function renderLeft({ left = [] }: Report, paint: Paint, columns: number, sweep?: string): readonly string[] {
  const lines = left.flatMap(one => {
    const { what, facts } = describeLeftBehind(one)
    return [
      paint.yellow(wrap(`Left behind in ${formNames[one.form]}: ${onOneLine(what)}`, columns)),
      ...facts.map(sentence => paint.dim(wrap(`  ${onOneLine(sentence)}`, columns))),
    ]
  })
  return [...lines, ...(left.length > 0 && sweep ? [`Delete what is left with: ${sweep}`] : [])]
}

const renderStale = ({ target: { stale = [] } }: Report, paint: Paint, columns: number): readonly string[] =>
  withTitle(
    paint.yellow('The target file is out of date'),
    stale.map(sentence => wrap(`  ${onOneLine(sentence)}`, columns)),
  )

/** Why forms were given up after the first request. */
const describeEnded = ({ ended = [], rules }: Report, paint: Paint, columns: number): readonly string[] =>
  [...groupBy(ended, ({ why }) => why)].map(([why, forms]) => {
    const isMustRuleOfForms = ({ form, level }: RuleReport) => level === 'must' && forms.some(one => one.form === form)
    const count = countOf(byRule(rules.filter(isMustRuleOfForms)).length, 'must rule')
    return wrap(`${paint.yellow(`${listForms(forms)} not judged (${count}):`)} ${onOneLine(why)}`, columns)
  })

/** Each failure in full, the gravest last, and the variables that the curl lines need. */
function renderFailures(report: Report, paint: Paint, columns: number): readonly string[] {
  const failed = findingsWith(report, verdict => failsRun(report, verdict))
  const holdsAsListed = failed.some(({ verdicts }) => verdicts.some(isStale))
  const title = holdsAsListed ? `${countOf(failed.length, 'rule')} failed this run` : countBroken(failed)
  return renderBroken(report, failed, title, paint.red, paint, columns)
}

/** Broken rules that do not fail the run. */
function renderTolerated(report: Report, paint: Paint, columns: number): readonly string[] {
  const rules = findingsWith(report, verdict => verdict.outcome === 'broken' && !failsRun(report, verdict))
  const title = `${countBroken(rules)}, which does not fail this run (--fail-on ${report.failOn})`
  return renderBroken(report, rules, title, paint.yellow, paint, columns)
}

const countBroken = ({ length }: readonly Rule[]) => `${length} ${length === 1 ? 'rule is' : 'rules are'} broken`

/** The findings with at least one included verdict, reduced to these; the gravest last. */
const findingsWith = (report: Report, isIncluded: (verdict: RuleReport) => boolean): readonly Rule[] =>
  findings(report)
    .map(rule => ({ ...rule, verdicts: rule.verdicts.filter(isIncluded) }))
    .filter(({ verdicts }) => verdicts.length > 0)
    .reverse()

type Colour = (text: string) => string

function renderBroken(
  report: Report,
  rules: readonly Rule[],
  title: string,
  colour: Colour,
  paint: Paint,
  columns: number,
) {
  const lines = rules.flatMap(rule => ['', ...renderFailure(report, rule, colour, paint, columns)])
  const needed = exportLine(report.target, lines)
  const needs = needed ? ['', paint.dim('The curl lines need:'), needed] : []
  return withTitle(paint.bold(wrap(title, columns)), [...lines, ...needs])
}

function renderFailure(
  { target }: Report,
  { id, level, sentence, verdicts }: Rule,
  colour: Colour,
  paint: Paint,
  columns: number,
): string[] {
  const [{ section }] = verdicts as [RuleReport]
  return [
    `${colour(`✗ ${paint.bold(id)}`)} ${paint.dim(`${level}, ${titleOf(section)}`)}`,
    wrap(`  ${sentence}`, columns),
    ...verdicts.flatMap(({ form, detail, exchanges: [exchange] }) => [
      wrap(`  ${colour(`${formNames[form]}:`)} ${onOneLine(detail)}`, columns),
      ...(exchange ? [paint.dim(`  ${curlLine(target, form, exchange) ?? describeRerun(id)}`)] : []),
    ]),
  ]
}

/** Target, extent, number of rules by outcome, requests and time, and what is broken without failing the run. */
function lastLine(report: Report, paint: Paint): string {
  const { summary, requests, durationMs, target } = report
  const { held, broken, observed, notApplicable, knownBroken, errored, flaky, drifted } = summary
  const heldInPart = byRule(report.rules).filter(
    rule => worst(rule) === 'held' && rule.some(({ outcome }) => outcome === 'not-applicable'),
  ).length
  const counts = [
    paint.green(`${held} held`) + (heldInPart > 0 ? ` (${heldInPart} not in every form)` : ''),
    broken > 0 ? paint.red(`${broken} broken`) : '0 broken',
    `${observed} observed`,
    `${notApplicable} not applicable`,
    ...(knownBroken > 0 ? [paint.yellow(`${knownBroken} known broken`)] : []),
    ...(errored > 0 ? [paint.yellow(`${errored} errored`)] : []),
    ...(flaky > 0 ? [paint.yellow(`${flaky} flaky`)] : []),
    `${drifted} drifted`,
  ]
  const tolerated = describeTolerated(report)
  const isGreen = exitStatus(report) === 0
  return [
    `${paint.bold(onOneLine(target.name))}, ${describeExtent(report)}: ${counts.join(', ')}`,
    `${requests} requests in ${(durationMs / 1000).toFixed(2)} s`,
    ...[describeImpact(report) ?? []].flat(),
    ...(tolerated ? [isGreen ? paint.green(`green: ${tolerated}`) : paint.yellow(`besides, ${tolerated}`)] : []),
  ].join(' · ')
}
