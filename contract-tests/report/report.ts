import type { Form, Level } from '../../fixtures/contract/index.ts'
import type { Outcome } from '../engine/check.ts'
import { groupBy } from './group-by.ts'

/** The report of a run, as it stands in the json kind; every other kind is a function of it. */
export interface Report {
  readonly tool: { readonly name: 'stack-parity'; readonly version: string }
  readonly target: {
    readonly name: string
    readonly forms: readonly Form[]
    /** A sentence for each field of the target file that names what the deployment does not list. */
    readonly stale?: readonly string[]
    /** Where requests went; absent when that is gone, or not known. */
    readonly baseUrls?: { readonly cloud?: string; readonly selfHosted?: string }
    /** For each credential of the target, such as `cloud.keySecret`, the variable of the environment that it was read from, or null. */
    readonly variables?: Readonly<Record<string, string | null>>
  }
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  /** Broken rules of this level and of graver ones fail the run. */
  readonly failOn: FailOn
  readonly summary: Summary
  readonly rules: readonly RuleReport[]
  readonly drift: readonly Drift[]
  /** Why the run ended before its last request, when it did. */
  readonly cut?: string
  /** The forms that nothing more was asked of after the first look, and why; their rules are errored. */
  readonly ended?: readonly { readonly form: Form; readonly why: string }[]
  /** Of recorded traffic: how many entries it has, and why some of them were not judged, the most frequent reason first. */
  readonly recording?: {
    readonly entries: number
    readonly judged: number
    readonly left: readonly { readonly count: number; readonly why: string }[]
  }
  /** What the run created, or may have, and could not show to be gone. */
  readonly left?: readonly Left[]
  /** The ledger that `stack-parity sweep` takes it from. */
  readonly ledger?: string
}

/** Everything that is known of one thing that may be left behind. Without an id it is not known which one it is. */
export interface Left {
  readonly form: Form
  readonly resource: string
  readonly name: string
  readonly id?: string
  /** Where the request that created it was sent. */
  readonly path?: string
  /** What that request was answered, cut at 4 KiB. */
  readonly answer?: { readonly status: number; readonly location?: string; readonly body: string }
  /** The thing as a list shows it, when its id could not be recognised. */
  readonly shown?: string
  /** Why it may still be there. */
  readonly why?: string
}

/** The detail of a rule that is listed as known to be broken and holds. */
export const STALE_EXCEPTION = 'it is listed as known to be broken, and it holds: take it off the list'

/** The levels of which a broken rule can fail a run, the gravest first. */
export const failLevels = ['must', 'should', 'documented'] as const
export type FailOn = (typeof failLevels)[number]
export const USUAL_FAIL_ON: FailOn = 'should'

/** Whether rules of a level fail a run that fails on another. */
export const isGated = (level: Level, failOn: FailOn): boolean =>
  failLevels.slice(0, failLevels.indexOf(failOn) + 1).some(one => one === level)

/** Whether a verdict fails the run. */
export const failsRun = ({ failOn }: Pick<Report, 'failOn'>, verdict: RuleReport): boolean =>
  isStale(verdict) || (verdict.outcome === 'broken' && isGated(verdict.level, failOn))

/** True for rules that are broken and do not fail the run. */
export const isTolerated = (report: Pick<Report, 'failOn'>, verdicts: readonly RuleReport[]): boolean =>
  worst(verdicts) === 'broken' && !verdicts.some(verdict => failsRun(report, verdict))

/** Such a rule fails the run, whatever its level. */
export const isStale = ({ outcome, detail }: RuleReport): boolean => outcome === 'held' && detail === STALE_EXCEPTION

/** How many rules have each outcome: a rule counts once, by its worst outcome over the forms; and how many differences there are. */
export interface Summary {
  readonly held: number
  readonly broken: number
  readonly observed: number
  readonly notApplicable: number
  readonly knownBroken: number
  readonly errored: number
  /** Rules that held only when they were asked again. */
  readonly flaky: number
  readonly drifted: number
}

export interface RuleReport {
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly says: string
  readonly form: Form
  readonly outcome: Outcome
  readonly detail: string
  readonly observed: unknown
  /** The fields missing from the target file, when that is why the rule could not be judged. */
  readonly lacks?: readonly string[]
  readonly exchanges: readonly ExchangeReport[]
}

export interface ExchangeReport {
  readonly as: string
  /** True when the request names something that the run has deleted since, so that it cannot be repeated. */
  readonly gone?: true
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  readonly ms: number
}

export interface Drift {
  readonly fingerprint: string
  readonly part: 'choices' | 'shapes' | 'document'
  readonly kind: 'breaking' | 'additive' | 'neutral'
  readonly id: string
  readonly was: unknown
  readonly is: unknown
  /** Of a document: the operations that have it, and the family of the first. */
  readonly operations?: readonly { readonly id: string; readonly method: string; readonly path: string }[]
  readonly family?: string
}

/** Worst first. */
export const outcomes = ['broken', 'errored', 'known-broken', 'flaky', 'held', 'observed', 'not-applicable'] as const
outcomes satisfies readonly Outcome[]

/** The outcome of a rule: the worst of its verdicts. */
export const worst = (verdicts: readonly RuleReport[]): Outcome =>
  outcomes.find(outcome => verdicts.some(verdict => verdict.outcome === outcome)) ?? 'held'

/** The verdicts of each rule, in the order in which the rules come first. */
export const byRule = (verdicts: readonly RuleReport[]): readonly (readonly RuleReport[])[] => [
  ...groupBy(verdicts, ({ id }) => id).values(),
]

/** How many rules have an outcome: each counts once, by the worst of its verdicts. */
export const count = (verdicts: readonly RuleReport[], outcome: Outcome): number =>
  byRule(verdicts).filter(rule => worst(rule) === outcome).length

/** The milliseconds of the exchanges that verdicts show; one exchange may serve several rules. */
export const durationOf = (verdicts: readonly RuleReport[]): number =>
  verdicts.flatMap(({ exchanges }) => exchanges).reduce((sum, { ms }) => sum + ms, 0)

export const summarise = (rules: readonly RuleReport[], drift: readonly Drift[]): Summary => ({
  held: count(rules, 'held'),
  broken: count(rules, 'broken'),
  observed: count(rules, 'observed'),
  notApplicable: count(rules, 'not-applicable'),
  knownBroken: count(rules, 'known-broken'),
  errored: count(rules, 'errored'),
  flaky: count(rules, 'flaky'),
  drifted: drift.length,
})
