import type { Form } from '../../fixtures/contract/index.ts'
import type { Check, Verdict } from '../engine/check.ts'
import { isServerError } from '../engine/exchange.ts'
import type { Step } from '../engine/step.ts'
import type { ListedRule } from '../rules/select.ts'
import type { Visit } from './visit.ts'

/** Asking again: which verdicts a 5xx or a lost connection stands behind, and what comes of a second one. */

/** A rule in one of its forms. */
export interface Judged {
  readonly rule: ListedRule
  readonly form: Form
  readonly check: Check
}

/**
 * Whether a verdict may be another one when it is asked for again: a request that it is made from ended in a 5xx or a lost
 * connection. Observations are left: they fail nothing.
 */
export function isDoubtful(
  { rule, form, check }: Judged,
  verdict: Verdict,
  { exchanges, missing, ended }: Pick<Visit, 'exchanges' | 'missing' | 'ended'>,
  steps: ReadonlyMap<string, Step>,
): boolean {
  if (rule.level === 'observe' || check.reads === 'everything' || ended.has(form)) return false
  if (verdict.outcome === 'errored') return verdict.isLost === true
  if (verdict.outcome !== 'broken' && verdict.outcome !== 'not-applicable') return false
  if (verdict.exchanges.some(isServerError)) return true
  const isLost = (name: string): boolean => {
    const came = exchanges.get(name)
    return came ? came.as === 'key' && isServerError(came) : missing.get(name)?.isLost === true
  }
  return closureOf(check.reads(form), steps).some(isLost)
}

/** The names of some steps and of all that they are made from. */
export function closureOf(names: readonly string[], steps: ReadonlyMap<string, Step>): readonly string[] {
  const all = new Set<string>()
  const add = (name: string) => {
    const step = steps.get(name)
    if (!step || all.has(name)) return
    all.add(name)
    for (const source of step.from ?? []) add(source)
    if (step.creates) add(`${step.form}:${step.creates}.list-before`)
  }
  for (const name of names) add(name)
  return [...all]
}

/** What counts of two verdicts: the second, unless it says less than the first. A rule that failed at first and then holds is flaky. */
export function weighAgain(first: Verdict, second: Verdict): Verdict {
  const failed = first.outcome === 'broken' || first.outcome === 'errored'
  if (failed && second.outcome === 'held')
    return {
      outcome: 'flaky',
      detail: `${first.outcome} at first (${first.detail}), and held when it was asked again`,
      exchanges: [...first.exchanges, ...second.exchanges],
    }
  const isWeaker = second.outcome === 'errored' || (second.outcome === 'not-applicable' && !second.isAbsent)
  return isWeaker ? first : second
}
