import type { Form } from '../../fixtures/contract/index.ts'
import type { Check, Verdict } from '../engine/check.ts'
import { isServerError } from '../engine/exchange.ts'
import type { Step } from '../engine/step.ts'
import type { ListedRule } from '../rules/select.ts'
import type { Visit } from './visit.ts'

/** Retries: which verdicts rest on a 5xx or a lost connection, and how a second verdict is weighed against the first. */

export interface Judged {
  readonly rule: ListedRule
  readonly form: Form
  readonly check: Check
}

/** True when a retry may change the verdict: one of its requests ended in a 5xx or a lost connection. */
export function isDoubtful(
  { rule, form, check }: Judged,
  verdict: Verdict,
  { exchanges, missing, ended }: Pick<Visit, 'exchanges' | 'missing' | 'ended'>,
  steps: ReadonlyMap<string, Step>,
): boolean {
  // Observations fail nothing.
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

/** The names of the steps and of all steps that they depend on. */
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

/** Returns the second verdict, unless it is less informative than the first. A rule that failed and then holds is flaky. */
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
