import { type Form, type Group, groups, type Level } from '../../fixtures/built-contract/index.ts'
import { sectionTitles } from '../../fixtures/contract/section-titles.ts'
import type { Outcome } from '../engine/check.ts'
import { resourceOf } from '../engine/contract.ts'
import { enumerate } from '../engine/enumerate.ts'
import { groupBy } from '../engine/group-by.ts'
import { describeLeftBehindInOneLine } from './describe-left.ts'
import { exitStatus } from './exit-status.ts'
import { byRule, failLevels, failsRun, isFailLevel, isStale, isUsed, type Report, type RuleReport } from './report.ts'

export const titleOf = (section: string) => `§${section} ${sectionTitles[section] ?? ''}`.trim()

const groupOfFamily = new Map<string, Group>(
  Object.entries(groups).map(([operation, group]) => [resourceOf(operation), group]),
)

/** The rules of a section by title. The rules of section 4.1 are divided further by the group of their family. */
export function groupByTitle<R extends { readonly id: string }>(
  section: string,
  rules: readonly R[],
): readonly (readonly [title: string, rules: readonly R[]])[] {
  const titled = groupBy(rules, ({ id }) => {
    const group = section === '4.1' ? groupOfFamily.get(id.split('/')[0]!) : undefined
    return [titleOf(section), group].filter(Boolean).join(': ')
  })
  return [...titled]
}

export interface Rule {
  readonly id: string
  readonly level: Level
  readonly sentence: string
  readonly verdicts: readonly RuleReport[]
}

export const formNames: Readonly<Record<Form, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
}

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  broken: 'broken',
  errored: 'errored',
  'known-broken': 'known broken',
  flaky: 'flaky',
  held: 'held',
  observed: 'observed',
  'not-applicable': 'not applicable',
}

export const marks: Readonly<Record<Outcome, string>> = {
  broken: '✗',
  errored: '!',
  'known-broken': '~',
  flaky: '≈',
  held: '✓',
  observed: '·',
  'not-applicable': '–',
}

/** The sections of a report as a person reads them. */
export const outline = (report: Report) =>
  [...groupBy(report.rules, ({ section }) => section)].map(([section, verdicts]) => ({
    section,
    title: titleOf(section),
    verdicts,
    rules: rulesOf(verdicts),
  }))

const rulesOf = (verdicts: readonly RuleReport[]): readonly Rule[] =>
  byRule(verdicts).map(verdicts => {
    const { id, level: firstLevel, says: sentence } = verdicts[0]!
    // A 5xx in one form may raise the level.
    const level = failLevels.find(one => verdicts.some(({ level }) => level === one)) ?? firstLevel
    return { id, level, sentence, verdicts }
  })

/** `cloud, managed` */
export const listForms = (verdicts: readonly { readonly form: Form }[]): string =>
  verdicts.map(({ form }) => formNames[form]).join(', ')

/** Notices that the run ended early, or left something behind. */
export const notices = ({ cut, left = [] }: Report): readonly { readonly title: string; readonly text: string }[] => [
  ...(cut ? [{ title: 'The run ended early', text: cut }] : []),
  ...left.map(one => ({ title: `Left behind in ${formNames[one.form]}`, text: describeLeftBehindInOneLine(one) })),
]

/** How much of recorded traffic was judged, and why not all; undefined for a run that sent requests. */
export function summariseRecording({ recording }: Report) {
  if (!recording) return undefined
  const { entries, judged, left } = recording
  const unjudged = entries - judged
  const withVerb = (number: number) => `${number} ${number === 1 ? 'was' : 'were'}`
  const all = countOf(entries, 'recorded exchange')
  return {
    sentence:
      unjudged === 0
        ? `Judged: all of ${all}.`
        : `Of ${all}, ${withVerb(judged)} judged and ${withVerb(unjudged)} not:`,
    reasons: left.map(({ count, why }) => `${count} × ${why}`),
  }
}

/** `58 rules in 3 forms` */
export const describeExtent = ({ rules, target }: Report): string =>
  `${countOf(byRule(rules).length, 'rule')} in ${countOf(target.forms.length, 'form')}`

/** The severity of a verdict that needs a look; only an error fails the run. */
export function severityOf(
  report: Pick<Report, 'failOn'>,
  verdict: RuleReport,
): 'error' | 'warning' | 'notice' | undefined {
  if (failsRun(report, verdict)) return 'error'
  if (verdict.outcome === 'broken') return 'notice'
  if (verdict.outcome === 'errored') return 'warning'
  return verdict.outcome === 'known-broken' || verdict.outcome === 'flaky' ? 'notice' : undefined
}

/** `2 must rules are broken`, of the levels that fail the run or of the others; undefined for none. */
function describeBroken({ rules, failOn }: Report, isFailing: boolean): string | undefined {
  const broken = countBrokenByLevel(rules).filter(({ level }) => isFailLevel(level, failOn) === isFailing)
  if (broken.length === 0) return undefined
  const all = broken.reduce((sum, { count }) => sum + count, 0)
  return `${enumerate(broken.map(({ level, count }) => countOf(count, `${level} rule`)))} ${all === 1 ? 'is' : 'are'} broken`
}

/** The number of broken rules by level, the highest level first. */
const countBrokenByLevel = (rules: readonly RuleReport[]) => {
  const broken = rulesOf(rules.filter(({ outcome }) => outcome === 'broken'))
  return failLevels
    .map(level => ({ level, count: broken.filter(rule => rule.level === level).length }))
    .filter(({ count }) => count > 0)
}

/** Broken rules that do not fail the run, and the option that makes them fail. */
export function describeTolerated(report: Report): string | undefined {
  const broken = describeBroken(report, false)
  const { level } = countBrokenByLevel(report.rules).at(-1) ?? {}
  return broken && `${broken}; --fail-on ${level} fails on ${/^1 [a-z]+ rule is/.test(broken) ? 'it' : 'them'}`
}

/** The verdict on the deployment in a sentence. */
export function headline(report: Report): string {
  // Only documents were compared.
  if (report.rules.length === 0 && report.requests === 0)
    return `${[describeDrift(report), describeImpact(report)].filter(Boolean).join('; ')}.`

  const broken = describeBroken(report, true)
  if (broken) return `${broken}.`
  const stale = byRule(report.rules.filter(isStale)).length
  if (stale === 1) return '1 rule is listed as known to be broken, and holds.'
  if (stale > 1) return `${stale} rules are listed as known to be broken, and hold.`
  if (exitStatus(report) === 2)
    return report.rules.some(({ outcome }) => outcome === 'held')
      ? 'Not every rule could be judged.'
      : 'Nothing could be judged.'
  const tolerated = describeTolerated(report)
  const levels = failLevels.filter(level => isFailLevel(level, report.failOn))
  return `Every ${enumerate(levels)} rule that applies holds${tolerated ? `; ${tolerated}` : ''}.`
}

/** `2 breaking, 0 additive and 1 neutral differences` */
export function describeDrift({ drift }: Pick<Report, 'drift'>): string {
  const kinds = ['breaking', 'additive', 'neutral'] as const
  const counts = kinds.map(kind => `${drift.filter(one => one.kind === kind).length} ${kind}`)
  return drift.length === 0 ? 'No differences' : `${enumerate(counts)} differences`
}

/** `3 of 104 breaking changes touch what you call`; undefined without `--used-by`. */
export function describeImpact({ drift, isUseKnown }: Pick<Report, 'drift' | 'isUseKnown'>): string | undefined {
  if (!isUseKnown) return undefined
  const breaking = drift.filter(({ kind }) => kind === 'breaking')
  const own = breaking.filter(isUsed).length
  if (breaking.length === 0) return 'no breaking changes'
  return `${own} of ${breaking.length} breaking changes ${own === 1 ? 'touches' : 'touch'} what you call`
}

export const countOf = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The rules that need a look, the gravest first, each with the verdicts that are the reason. */
export const findings = (report: Report): readonly Rule[] =>
  (['error', 'warning', 'notice'] as const).flatMap(severity =>
    rulesOf(report.rules.filter(verdict => severityOf(report, verdict) === severity && verdict.outcome !== 'errored')),
  )

/** A reason why rules have no verdict, with these rules and their forms. */
export interface Reason {
  readonly reason: string
  readonly rules: readonly Rule[]
  readonly forms: readonly Form[]
}

/** Each reason once, the most frequent first. */
export const reasons = ({ rules }: Report, outcome: 'errored' | 'not-applicable'): readonly Reason[] =>
  [
    ...groupBy(
      rules.filter(rule => rule.outcome === outcome),
      ({ detail }) => detail,
    ),
  ]
    .map(([reason, verdicts]) => ({
      reason,
      rules: rulesOf(verdicts),
      forms: [...new Set(verdicts.map(({ form }) => form))],
    }))
    .sort((a, b) => b.rules.length - a.rules.length)

/** `58 rules in cloud, managed` */
export const describeReach = ({ rules, forms }: Reason): string =>
  `${countOf(rules.length, 'rule')} in ${listForms(forms.map(form => ({ form })))}`

/** The pieces of a sentence; every second piece stood between backticks. */
export const splitAtBackticks = (sentence: string): readonly string[] => sentence.split('`')

/** An observed value as text. */
export function renderValue(value: unknown): string {
  if (typeof value === 'string') return value
  const isListOfTexts = Array.isArray(value) && value.every(item => typeof item === 'string')
  return isListOfTexts ? value.join(', ') : (JSON.stringify(value) ?? 'nothing')
}
