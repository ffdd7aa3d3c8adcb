import type { Contract, Form } from '../../fixtures/built-contract/index.ts'
import { type Exchange, isServerError, isSuccess } from './exchange.ts'
import type { History } from './history/history.ts'
import { because, kindOf, type Reason, sentenceOf } from './reasons.ts'
import type { TargetFile } from './target/target.ts'

/** The input of a check: the answers to its lines, and the reasons for missing ones. */
export interface Evidence {
  readonly form: Form
  readonly target: TargetFile
  /** The exchanges of the named lines, in their order. */
  exchangesOf(...steps: string[]): readonly Exchange[]
  /** Every exchange of this form. */
  readonly exchanges: readonly Exchange[]
  /** The index of the exchanges of this form. */
  readonly history: History
  /** Every exchange of all forms. */
  readonly exchangesOfAllForms: readonly Exchange[]
  whyMissing(step: string): {
    /** Why it was not sent. */
    readonly skipped?: Reason
    readonly lacks?: readonly string[]
    /** Why it got no answer, or why it was not sent because another request got none. */
    readonly failed?: string
    /** True when it may get an answer later. */
    readonly mayRetry?: true
  }
}

/** `flaky`: the rule failed because of a 5xx or a lost connection, and held when the run tried it again. */
export type Outcome = 'held' | 'broken' | 'observed' | 'not-applicable' | 'known-broken' | 'errored' | 'flaky'

export interface Verdict {
  readonly outcome: Outcome
  /** For a broken rule the expected and the actual value, with the JSON path; else the reason. */
  readonly detail?: string
  readonly observed?: unknown
  /** Raises a documented rule to this level: set if a request failed with a 5xx. */
  readonly level?: 'should'
  /** True if a request got no answer that it may get later. */
  readonly mayRetry?: true
  /** True if the deployment does not offer the operation, or not to this key. */
  readonly isNotOffered?: true
  /** The missing fields of the target file without which the rule could not be judged. */
  readonly lacks?: readonly string[]
  readonly exchanges: readonly Exchange[]
}

/** Names the lines whose answers it reads, and judges the answers. A check never sends or prints. */
export interface Check {
  /** Names of lines, or `everything` for each exchange of the form. */
  readonly reads: 'everything' | ((form: Form, contract?: Contract) => readonly string[])
  /** Judges the exchanges of any traffic; a run sends the lines that it names so that there are some. */
  readonly ofAnyTraffic?: true
  readonly judge: (evidence: Evidence) => Verdict
}

/** With one exchange as an example. */
export const held = (exchanges: readonly Exchange[]): Verdict => ({ outcome: 'held', exchanges: exchanges.slice(0, 1) })
export const broken = (detail: string, ...exchanges: Exchange[]): Verdict => ({ outcome: 'broken', detail, exchanges })
/** Not applicable; errored if the environment is the reason. */
export const notJudged = (reason: Reason): Verdict => ({
  outcome: kindOf(reason) === 'environment' ? 'errored' : 'not-applicable',
  detail: sentenceOf(reason),
  exchanges: [],
})
/** The verdict on an absence from a list that was not read to its end. */
export const notReadToEnd = ({ lostPage }: Exchange): Verdict =>
  lostPage === undefined
    ? notJudged('the list has further pages, which could not be read to the end')
    : { outcome: 'errored', detail: lostPage, mayRetry: true, exchanges: [] }
/** Makes a breach not applicable because a client that recorded traffic does not show may be its cause. */
export const unlessOthersWrote = (verdict: Verdict): Verdict =>
  verdict.outcome === 'broken'
    ? notJudged(
        because('a recording cannot tell whether another session wrote in between: {difference}', {
          difference: verdict.detail ?? '',
        }),
      )
    : verdict
export const observed = (value: unknown, ...exchanges: Exchange[]): Verdict => ({
  outcome: 'observed',
  observed: value,
  exchanges,
})

export const noSuccess = (first: Exchange, ...more: Exchange[]): Verdict => ({
  ...broken(describe({ expected: 'success', got: first.response.status }, first), first, ...more),
  ...([first, ...more].some(isServerError) ? { level: 'should' } : {}),
})

/**
 * The verdict if these steps have no answer to judge: broken if a request was answered with a 5xx although the same request
 * succeeded elsewhere in the run, errored if a request got no answer, else not applicable.
 */
export function noAnswer(evidence: Evidence, ...steps: string[]): Verdict {
  const succeeds = (failed: Exchange) => evidence.exchanges.some(one => isSuccess(one) && isSameRequest(one, failed))
  const failing = evidence.exchangesOf(...steps).find(one => isServerError(one) && succeeds(one))
  if (failing) return noSuccess(failing)
  const lost = whyLost(evidence, steps)
  if (lost) return lost
  const reasons = steps.map(step => evidence.whyMissing(step))
  // A missing field first, because the user can add it.
  const { skipped } = reasons.find(({ lacks }) => lacks) ?? reasons.find(({ skipped }) => skipped) ?? {}
  return withMissingFields(notJudged(skipped ?? 'there was no answer to judge'), evidence, steps)
}

/** The verdict if one of these steps got no answer. */
export function whyLost(evidence: Evidence, steps: readonly string[]): Verdict | undefined {
  const reasons = steps.map(step => evidence.whyMissing(step)).filter(({ failed }) => failed !== undefined)
  const [reason] = reasons
  if (!reason) return undefined
  const verdict: Verdict = { outcome: 'errored', detail: reason.failed, exchanges: [] }
  return withMissingFields(
    reasons.some(({ mayRetry }) => mayRetry) ? { ...verdict, mayRetry: true } : verdict,
    evidence,
    steps,
  )
}

const isSameRequest = (one: Exchange, other: Exchange) =>
  one.as === other.as && (['method', 'path', 'body'] as const).every(part => one.request[part] === other.request[part])

/** Adds the missing fields of the target file without which these steps could not be sent. */
export function withMissingFields(verdict: Verdict, evidence: Evidence, steps: readonly string[]): Verdict {
  const lacks = [...new Set(steps.flatMap(step => evidence.whyMissing(step).lacks ?? []))]
  return lacks.length > 0 ? { ...verdict, lacks } : verdict
}

/** A difference from the expected value; `path` is its JSON path. */
export interface Finding {
  readonly path?: string
  readonly expected: string
  readonly got: unknown
}

/** Returns undefined for an exchange that the rule does not apply to, and an empty list for one that keeps the rule. */
export type Inspect = (exchange: Exchange) => readonly Finding[] | undefined

/** Broken if an exchange has a finding, held if at least one was judged, else the verdict of `otherwise`. */
export function judgeEach(exchanges: readonly Exchange[], inspect: Inspect, otherwise: () => Verdict): Verdict {
  const judged: Exchange[] = []
  const wrong: { exchange: Exchange; findings: readonly Finding[] }[] = []
  for (const exchange of exchanges) {
    const findings = inspect(exchange)
    if (findings === undefined) continue
    judged.push(exchange)
    if (findings.length > 0) wrong.push({ exchange, findings })
  }
  if (judged.length === 0) return otherwise()
  const first = wrong[0]
  if (!first) return held(judged)
  const count = wrong.reduce((sum, { findings }) => sum + findings.length, 0)
  return broken(
    describe(first.findings[0]!, first.exchange, count - 1),
    ...wrong.slice(0, 3).map(({ exchange }) => exchange),
  )
}

export function describe({ path, expected, got }: Finding, { request }: Exchange, more = 0): string {
  const where = `${request.method} ${request.path}${path ? ` at ${path}` : ''}`
  return `expected ${expected}, got ${show(got)} (${where})${more > 0 ? `, and ${more} more` : ''}`
}

export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
