import type { Form, Level } from '../../fixtures/contract/index.ts'
import type { Outcome } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { groupBy } from '../engine/group-by.ts'
import type { LedgerEntry } from '../engine/ledger.ts'

/** The json report of a run; every other kind is a function of it. */
export interface Report {
  readonly tool: { readonly name: 'stack-parity'; readonly version: string }
  readonly target: {
    readonly name: string
    readonly forms: readonly Form[]
    /** One sentence for each field of the target file with an id that the deployment does not list. */
    readonly stale?: readonly string[]
    /** The addresses that requests were sent to; absent for recorded traffic and for a mock that ended with the run. */
    readonly baseUrls?: { readonly cloud?: string; readonly selfHosted?: string }
    /** For each credential of the target, such as `cloud.keySecret`, the variable that it was read from, or null. */
    readonly variables?: Readonly<Record<string, string | null>>
  }
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  /** Broken rules of this level and above fail the run. */
  readonly failOn: FailOn
  readonly summary: Summary
  readonly rules: readonly RuleReport[]
  readonly drift: readonly Drift[]
  /** True with `--used-by`: each difference says which calls it touches. */
  readonly isUseKnown?: true
  /** With `--used-by` and two documents: what the recorded requests show. */
  readonly proof?: Proof
  /** Why the run ended early. */
  readonly cut?: string
  /** The forms that were given up after the first request; their rules are errored. */
  readonly ended?: readonly { readonly form: Form; readonly why: string }[]
  /** For recorded traffic: the number of entries, and why some were not judged, with the most frequent reason first. */
  readonly recording?: {
    readonly entries: number
    readonly judged: number
    /** Entries whose answer has a body that could not be read, so that at most its status was judged. */
    readonly unread?: number
    readonly left: readonly { readonly count: number; readonly why: string }[]
  }
  /** Objects that the run created, or may have created, and that were not shown to be deleted. */
  readonly left?: readonly LeftBehind[]
  /** The ledger for `stack-parity sweep`. */
  readonly ledger?: string
}

/** An object that may be left behind. Without an id, it is not known which object it is. */
export type LeftBehind = Omit<LedgerEntry, 'run' | 'stray' | 'probe' | 'listed' | 'deleted'>

/** The detail of a rule that is listed as known to be broken and holds. */
export const STALE_EXCEPTION = 'it is listed as known to be broken, and it holds: take it off the list'

/** The kinds of reports that `--report` writes. */
export const reportKinds = ['json', 'junit', 'ctrf', 'sarif', 'html', 'markdown', 'github'] as const
export type ReportKind = (typeof reportKinds)[number]

/** The levels at which a broken rule may fail a run, the highest first. */
export const failLevels = ['must', 'should', 'documented'] as const
export type FailOn = (typeof failLevels)[number]
export const DEFAULT_FAIL_ON: FailOn = 'should'

/** Whether a broken rule of this level fails a run with this `--fail-on`. */
export const isFailLevel = (level: Level, failOn: FailOn): boolean =>
  failLevels.slice(0, failLevels.indexOf(failOn) + 1).some(one => one === level)

export const failsRun = ({ failOn }: Pick<Report, 'failOn'>, verdict: RuleReport): boolean =>
  isStale(verdict) || (verdict.outcome === 'broken' && isFailLevel(verdict.level, failOn))

export const isTolerated = (report: Pick<Report, 'failOn'>, verdicts: readonly RuleReport[]): boolean =>
  worst(verdicts) === 'broken' && !verdicts.some(verdict => failsRun(report, verdict))

/** Whether a rule that is listed as known to be broken holds, which fails the run at any level. */
export const isStale = ({ outcome, detail }: RuleReport): boolean => outcome === 'held' && detail === STALE_EXCEPTION

/** Counts each rule once, by its worst outcome over the forms; and the differences. */
export interface Summary {
  readonly held: number
  readonly broken: number
  readonly observed: number
  readonly notApplicable: number
  readonly knownBroken: number
  readonly errored: number
  /** Rules that held only when they were tried again. */
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
  /** The fields that the target file lacks, if the rule could not be judged without them. */
  readonly lacks?: readonly string[]
  readonly exchanges: readonly ExchangeReport[]
}

export interface ExchangeReport {
  readonly as: string
  /** The request names something that the run has deleted since. */
  readonly gone?: true
  readonly request: Exchange['request']
  readonly response: Pick<Exchange['response'], 'status' | 'headers'> & { readonly body: string }
  readonly ms: number
}

export interface Drift {
  readonly fingerprint: string
  readonly part: 'choices' | 'shapes' | 'document'
  readonly kind: 'breaking' | 'additive' | 'neutral'
  readonly id: string
  readonly was: unknown
  readonly is: unknown
  /** For a difference between documents: the operations with it, and the family of the first one. */
  readonly operations?: readonly { readonly id: string; readonly method: string; readonly path: string }[]
  readonly family?: string
  /** With `--used-by`: the calls that the difference touches; empty if it touches none. */
  readonly usedBy?: readonly DriftUse[]
}

/** A use of the API that a difference touches. */
export interface DriftUse {
  /** Such as `key.create`. */
  readonly operation: string
  readonly method: string
  readonly path: string
  /** The field of the body, such as `$.name`, or the parameter, such as `query.limit`. */
  readonly at?: string
  /** The number of calls of the operation. */
  readonly calls: number
  /** Tests or recorded entries with such calls. */
  readonly from?: readonly string[]
  /** The least change of the request that the new document accepts, where it follows. */
  readonly fix?: string
  /** A recorded request that shows the difference, or why none does. */
  readonly proof?: DriftProof
  readonly unproven?: string
}

/** A recorded request, with generated texts, and the answers of a mock of the older and of the newer document. */
export interface DriftProof {
  readonly operation: string
  readonly method: string
  readonly request: { readonly path: string; readonly body: string | null }
  readonly was: ProofAnswer
  readonly is: ProofAnswer
  /** The places of the answer that the program reads and that are gone. */
  readonly lost: readonly string[]
}

interface ProofAnswer {
  readonly status: number
  readonly body: string
}

/** What became of the recorded requests that were sent to mocks of both documents. */
export interface Proof {
  readonly requests: number
  /** The number of requests that the mock of the older document refuses, so that they show nothing. */
  readonly refused: number
  /** Requests that are refused, or whose answer lost a field, without a breaking difference that says so. */
  readonly unexpected: readonly DriftProof[]
  /** The command that starts a mock of the newer document. */
  readonly start: string
  /** Why nothing was sent. */
  readonly why?: string
}

/** Whether a difference concerns the user: it touches what is used, or nothing is known about use. */
export const isUsed = ({ usedBy }: Pick<Drift, 'usedBy'>): boolean => usedBy === undefined || usedBy.length > 0

/** Worst first. */
export const outcomes = ['broken', 'errored', 'known-broken', 'flaky', 'held', 'observed', 'not-applicable'] as const
outcomes satisfies readonly Outcome[]

export const worst = (verdicts: readonly RuleReport[]): Outcome =>
  outcomes.find(outcome => verdicts.some(verdict => verdict.outcome === outcome)) ?? 'held'

export const byRule = (verdicts: readonly RuleReport[]): readonly (readonly RuleReport[])[] => [
  ...groupBy(verdicts, ({ id }) => id).values(),
]

/** Counts each rule once, by its worst verdict. */
export const count = (verdicts: readonly RuleReport[], outcome: Outcome): number =>
  byRule(verdicts).filter(rule => worst(rule) === outcome).length

/** In milliseconds; one exchange may serve several rules. */
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
