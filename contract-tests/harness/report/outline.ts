import type { Form, Level } from '../../../fixtures/contract/index.ts'
import type { Outcome } from '../check.ts'
import { exitStatus } from '../exit-status.ts'
import type { Report, RuleReport } from './report.ts'
import { titleOf } from './terminal.ts'

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

export const formNames: Readonly<Record<Form, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
}

/** Worst first. */
export const outcomes = ['broken', 'errored', 'known-broken', 'held', 'observed', 'not-applicable'] as const
outcomes satisfies readonly Outcome[]

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
    rules: groupBy(verdicts, ({ id }) => id).map(([id, ofRule]) => ({
      id,
      level: ofRule[0]!.level,
      says: ofRule[0]!.says,
      verdicts: ofRule,
    })),
  }))
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups]
}

export const worst = (verdicts: readonly RuleReport[]): Outcome =>
  outcomes.find(outcome => verdicts.some(verdict => verdict.outcome === outcome)) ?? 'held'

export const count = (verdicts: readonly RuleReport[], outcome: Outcome): number =>
  verdicts.filter(verdict => verdict.outcome === outcome).length

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
  const [must, should] = [broken('must'), broken('should')]
  const stale = new Set(report.rules.filter(isStale).map(({ id }) => id)).size
  if (must > 0 && should > 0) return `${many(must, 'must rule')} and ${many(should, 'should rule')} are broken.`
  if (must > 0) return `${are(must, 'must rule')} broken.`
  if (stale > 0) return `${are(stale, 'rule')} listed as known to be broken, and ${stale === 1 ? 'holds' : 'hold'}.`
  if (exitStatus(report) === 2)
    return report.rules.some(({ outcome }) => outcome === 'held')
      ? 'Not every must rule could be judged.'
      : 'Nothing could be judged.'
  return `Every must rule that applies holds${should > 0 ? `; ${are(should, 'should rule')} broken` : ''}.`
}

const many = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
const are = (number: number, noun: string) => `${many(number, noun)} ${number === 1 ? 'is' : 'are'}`

/** The verdicts that need a look, the gravest first. */
export const findings = ({ rules }: Report): readonly RuleReport[] =>
  [
    (verdict: RuleReport) => weigh(verdict) === 'error',
    (verdict: RuleReport) => weigh(verdict) === 'warning' && verdict.outcome === 'broken',
    (verdict: RuleReport) => verdict.outcome === 'errored',
    (verdict: RuleReport) => weigh(verdict) === 'notice',
  ].flatMap(grave => rules.filter(grave))

/** The sentence of a rule in pieces: every second one is a word of the protocol, which stood between backticks. */
export const wordsOf = (sentence: string): readonly string[] => sentence.split('`')

/** What was observed, as text. */
export const plain = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(item => typeof item === 'string')
      ? value.join(', ')
      : (JSON.stringify(value) ?? 'nothing')
