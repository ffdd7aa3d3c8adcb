import { type Form, type Group, groups, type Level } from '../../fixtures/contract/index.ts'
import { sectionTitles } from '../../fixtures/contract/section-titles.ts'
import type { Outcome } from '../engine/check.ts'
import { enumerate } from '../engine/enumerate.ts'
import { exitStatus } from './exit-status.ts'
import { byRule, outcomes, type Report, type RuleReport, worst } from './report.ts'

export const titleOf = (section: string) => `§${section} ${sectionTitles[section] ?? ''}`.trim()

const groupOfFamily = new Map<string, Group>(
  Object.entries(groups).map(([operation, group]) => [operation.split('.')[0]!, group]),
)

/** The rules of one section under its title; those that only the vendor's document has under their groups. */
export function underTitles<R extends { readonly id: string }>(
  section: string,
  rules: readonly R[],
): readonly (readonly [title: string, rules: readonly R[]])[] {
  const found = new Map<string, R[]>()
  for (const rule of rules) {
    const group = section === '4.1' ? groupOfFamily.get(rule.id.split('/')[0]!) : undefined
    const title = [titleOf(section), group].filter(Boolean).join(': ')
    found.set(title, [...(found.get(title) ?? []), rule])
  }
  return [...found]
}

/** A report in the order in which a person reads it: sections, their rules, and each rule's verdict in every form. */
export interface Section {
  readonly section: string
  readonly title: string
  readonly rules: readonly Rule[]
  readonly verdicts: readonly RuleReport[]
}

export interface Rule {
  readonly id: string
  readonly level: Level
  readonly says: string
  readonly verdicts: readonly RuleReport[]
}

export { outcomes, worst }

export const formNames: Readonly<Record<Form, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
}

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  broken: 'broken',
  errored: 'errored',
  'known-broken': 'known broken',
  held: 'held',
  observed: 'observed',
  'not-applicable': 'not applicable',
}

export const marks: Readonly<Record<Outcome, string>> = {
  broken: '✗',
  errored: '!',
  'known-broken': '~',
  held: '✓',
  observed: '·',
  'not-applicable': '–',
}

export function outline(report: Report): readonly Section[] {
  return groupBy(report.rules, ({ section }) => section).map(([section, verdicts]) => ({
    section,
    title: titleOf(section),
    verdicts,
    rules: byRule(verdicts).map(ruleOf),
  }))
}

const ruleOf = (verdicts: readonly RuleReport[]): Rule => {
  const { id, level, says } = verdicts[0]!
  return { id, level, says, verdicts }
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups]
}

/** How many rules have an outcome: each counts once, by the worst of its verdicts. */
export const count = (verdicts: readonly RuleReport[], outcome: Outcome): number =>
  byRule(verdicts).filter(rule => worst(rule) === outcome).length

/** `58 rules in 3 forms` */
export const sayExtent = ({ rules, target }: Report): string =>
  `${many(byRule(rules).length, 'rule')} in ${many(target.forms.length, 'form')}`

/** A rule that is listed as known to be broken, and holds: this fails the run as a broken rule does. */
export const isStale = ({ outcome, detail }: RuleReport): boolean =>
  outcome === 'held' && detail.startsWith('it is listed as known')

/** How much a verdict weighs where a kind of report knows errors, warnings and notices. */
export function weigh(verdict: RuleReport): 'error' | 'warning' | 'notice' | undefined {
  if (isStale(verdict)) return 'error'
  if (verdict.outcome === 'broken') return verdict.level === 'must' ? 'error' : 'warning'
  if (verdict.outcome === 'errored') return 'warning'
  return verdict.outcome === 'known-broken' ? 'notice' : undefined
}

/** The verdict on the whole deployment in a sentence. */
export function headline(report: Report): string {
  const broken = (level: Level) =>
    new Set(report.rules.filter(rule => rule.outcome === 'broken' && rule.level === level).map(({ id }) => id)).size
  const [must, should, documented] = [broken('must'), broken('should'), broken('documented')]
  const stale = new Set(report.rules.filter(isStale).map(({ id }) => id)).size
  const weaker = [[should, 'should rule'] as const, [documented, 'documented rule'] as const].filter(([n]) => n > 0)
  if (must > 0 && weaker.length > 0)
    return `${enumerate([[must, 'must rule'] as const, ...weaker].map(([n, noun]) => many(n, noun)))} are broken.`
  if (must > 0) return `${are(must, 'must rule')} broken.`
  if (stale > 0) return `${are(stale, 'rule')} listed as known to be broken, and ${stale === 1 ? 'holds' : 'hold'}.`
  if (exitStatus(report) === 2)
    return report.rules.some(({ outcome }) => outcome === 'held')
      ? 'Not every must rule could be judged.'
      : 'Nothing could be judged.'
  if (weaker.length === 0) return 'Every must rule that applies holds.'
  const [[first, noun], second] = weaker as [[number, string], [number, string]?]
  const says = second ? `${many(first, noun)} and ${many(...second)} are broken` : `${are(first, noun)} broken`
  return `Every must rule that applies holds; ${says}.`
}

export const many = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
const are = (number: number, noun: string) => `${many(number, noun)} ${number === 1 ? 'is' : 'are'}`

/** The rules that need a look, each with the verdicts that say why, the gravest first. */
export const findings = ({ rules }: Report): readonly Rule[] =>
  [
    (verdict: RuleReport) => weigh(verdict) === 'error',
    (verdict: RuleReport) => weigh(verdict) === 'warning' && verdict.outcome === 'broken',
    (verdict: RuleReport) => weigh(verdict) === 'notice',
  ].flatMap(grave => byRule(rules.filter(grave)).map(ruleOf))

/** A reason why verdicts could not be reached. */
export interface Reason {
  readonly reason: string
  readonly rules: readonly Rule[]
  readonly forms: readonly Form[]
}

/** Why rules were not judged, each reason once, the most frequent first. */
export const reasons = ({ rules }: Report, outcome: 'errored' | 'not-applicable'): readonly Reason[] =>
  groupBy(
    rules.filter(rule => rule.outcome === outcome),
    ({ detail }) => detail,
  )
    .map(([reason, verdicts]) => ({
      reason,
      rules: byRule(verdicts).map(ruleOf),
      forms: [...new Set(verdicts.map(({ form }) => form))],
    }))
    .sort((a, b) => b.rules.length - a.rules.length)

/** `58 rules in cloud, managed` */
export const sayReach = ({ rules, forms }: Reason): string =>
  `${many(rules.length, 'rule')} in ${forms.map(form => formNames[form]).join(', ')}`

/** The sentence of a rule in pieces: every second one is a word of the protocol, which stood between backticks. */
export const wordsOf = (sentence: string): readonly string[] => sentence.split('`')

/** What was observed, as text. */
export const plain = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(item => typeof item === 'string')
      ? value.join(', ')
      : (JSON.stringify(value) ?? 'nothing')
