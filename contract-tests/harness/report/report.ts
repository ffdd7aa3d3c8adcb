import type { Form, Level } from '../../../fixtures/contract/index.ts'
import type { Outcome } from '../check.ts'

/** The report of a run, as it stands in the json kind; every other kind is a function of it. */
export interface Report {
  readonly tool: { readonly name: 'stack-parity'; readonly version: string }
  readonly target: {
    readonly name: string
    readonly forms: readonly Form[]
    /** A sentence for each field of the target file that names what the deployment does not list. */
    readonly stale?: readonly string[]
  }
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
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

export interface Summary {
  readonly held: number
  readonly broken: number
  readonly observed: number
  readonly notApplicable: number
  readonly knownBroken: number
  readonly errored: number
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
  /** The fields that the target file lacks, when the rule could not be judged for want of them. */
  readonly lacks?: readonly string[]
  readonly exchanges: readonly ExchangeReport[]
}

export interface ExchangeReport {
  readonly as: string
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
  readonly part: 'choices' | 'shapes'
  readonly kind: 'breaking' | 'additive' | 'neutral'
  readonly id: string
  readonly was: unknown
  readonly is: unknown
}

export function summarise(rules: readonly RuleReport[], drift: readonly Drift[]): Summary {
  const count = (outcome: Outcome) => rules.filter(rule => rule.outcome === outcome).length
  return {
    held: count('held'),
    broken: count('broken'),
    observed: count('observed'),
    notApplicable: count('not-applicable'),
    knownBroken: count('known-broken'),
    errored: count('errored'),
    drifted: drift.length,
  }
}
