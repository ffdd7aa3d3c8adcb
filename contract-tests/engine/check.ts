import type { Form } from '../../fixtures/contract/index.ts'
import { type Exchange, isServerError, isSuccess } from './exchange.ts'
import type { TargetFile } from './target/target.ts'

/** What a check reads: the answers to its steps, and why one is missing. */
export interface Evidence {
  readonly form: Form
  readonly target: TargetFile
  /** The exchanges of the named steps, in their order. */
  exchangesOf(...steps: string[]): readonly Exchange[]
  /** Every exchange of this form. */
  readonly all: readonly Exchange[]
  /** Every exchange of all forms. */
  readonly allForms: readonly Exchange[]
  whyMissing(step: string): {
    readonly skipped?: string
    readonly lacks?: readonly string[]
    readonly failed?: string
    /** True when the connection was lost or never came about. */
    readonly isLost?: true
  }
}

/** `flaky`: a 5xx or a lost connection stood against the rule, which held when the run tried it again. */
export type Outcome = 'held' | 'broken' | 'observed' | 'not-applicable' | 'known-broken' | 'errored' | 'flaky'

export interface Verdict {
  readonly outcome: Outcome
  /** Of a broken rule: what was expected and what came, with the JSON path. Else: the reason. */
  readonly detail?: string
  readonly observed?: unknown
  /** Set when an operation that is offered failed with a 5xx: higher than the rule's own level. */
  readonly level?: 'should'
  readonly isLost?: true
  /** True where the deployment does not offer what the rule is about. */
  readonly isAbsent?: true
  /** The missing fields of the target file, where the rule could not be judged for want of them. */
  readonly lacks?: readonly string[]
  readonly exchanges: readonly Exchange[]
}

/** Names the steps whose answers it reads, and judges them. It never sends or prints, and does not know its target. */
export interface Check {
  /** Names of steps, or `everything` for a check that reads each exchange of its form. */
  readonly reads: 'everything' | ((form: Form) => readonly string[])
  readonly judge: (evidence: Evidence) => Verdict
}

export const held = (exchanges: readonly Exchange[]): Verdict => ({ outcome: 'held', exchanges: exchanges.slice(0, 1) })
export const broken = (detail: string, ...exchanges: Exchange[]): Verdict => ({ outcome: 'broken', detail, exchanges })
export const notApplicable = (detail: string): Verdict => ({ outcome: 'not-applicable', detail, exchanges: [] })
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
 * The verdict when these steps have no answer to judge: not applicable, or errored when a request was sent and lost. It
 * is broken when one of them failed with a 5xx and the same request succeeded elsewhere in the run.
 */
export function noAnswer(evidence: Evidence, ...steps: string[]): Verdict {
  const succeeds = (failed: Exchange) => evidence.all.some(one => isSuccess(one) && isSameRequest(one, failed))
  const failing = evidence.exchangesOf(...steps).find(one => isServerError(one) && succeeds(one))
  if (failing) return noSuccess(failing)
  const reasons = steps.map(step => evidence.whyMissing(step))
  const { failed, isLost } = reasons.find(reason => reason.failed) ?? {}
  if (failed) return { outcome: 'errored', detail: failed, exchanges: [], isLost }
  const skipped = (reasons.find(reason => reason.lacks) ?? reasons.find(reason => reason.skipped))?.skipped
  return withLacks(notApplicable(skipped ?? 'no answer that it could be read from came'), evidence, steps)
}

const isSameRequest = (one: Exchange, other: Exchange) =>
  one.as === other.as && (['method', 'path', 'body'] as const).every(part => one.request[part] === other.request[part])

export function withLacks(verdict: Verdict, evidence: Evidence, steps: readonly string[]): Verdict {
  const lacks = [...new Set(steps.flatMap(step => evidence.whyMissing(step).lacks ?? []))]
  return lacks.length > 0 ? { ...verdict, lacks } : verdict
}

/** `path` is the JSON path of the place. */
export interface Finding {
  readonly path?: string
  readonly expected: string
  readonly got: unknown
}

/** Returns undefined for an exchange that says nothing about the rule, and an empty list for one that keeps it. */
export type Inspect = (exchange: Exchange) => readonly Finding[] | undefined

/** Broken when a finding is made in one of the exchanges, held when at least one could be judged. */
export function judgeEach(exchanges: readonly Exchange[], inspect: Inspect, none: () => Verdict): Verdict {
  const judged: Exchange[] = []
  const wrong: { exchange: Exchange; findings: readonly Finding[] }[] = []
  for (const exchange of exchanges) {
    const findings = inspect(exchange)
    if (findings === undefined) continue
    judged.push(exchange)
    if (findings.length > 0) wrong.push({ exchange, findings })
  }
  if (judged.length === 0) return none()
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
