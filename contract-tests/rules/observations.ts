import type { Form } from '../../fixtures/contract/index.ts'
import {
  absent,
  type Check,
  describe,
  type Evidence,
  held,
  judgeEach,
  notApplicable,
  observed,
  show,
} from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess } from '../engine/exchange.ts'
import { isObject } from '../engine/recognise.ts'

/** Writes observations in the notation of the contract's choices. */

/** `<status> <json|text|html|empty>` */
export function refusalIn(exchange: Exchange): string {
  return `${exchange.response.status} ${bodyKind(exchange)}`
}

function bodyKind(exchange: Exchange): string {
  if (!hasBody(exchange)) return 'empty'
  const type = exchange.response.headers['content-type'] ?? ''
  if (exchange.json !== undefined && (isObject(exchange.json) || /json/i.test(type))) return 'json'
  return /html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(exchange.response.text) ? 'html' : 'text'
}

/** Observes which refusal a step got. */
export const refusal = (step: (form: Form) => string): Check => ({
  reads: form => [step(form)],
  judge: evidence => {
    const [exchange] = evidence.of(step(evidence.form))
    return exchange ? observed(refusalIn(exchange), exchange) : absent(evidence, step(evidence.form))
  },
})

export const statusOf = refusal

/** Observes something else in the answers to some steps; `undefined` when they show nothing. */
export const look = (
  steps: (form: Form) => readonly string[],
  value: (exchanges: readonly Exchange[], evidence: Evidence) => unknown,
): Check => ({
  reads: steps,
  judge: evidence => {
    const names = steps(evidence.form)
    const exchanges = evidence.of(...names)
    if (exchanges.length === 0) return absent(evidence, ...names)
    const found = value(exchanges, evidence)
    return found === undefined ? notApplicable('the answers do not tell') : observed(found, exchanges[0]!)
  },
})

/** Observes something of every exchange of the form. */
export const lookAtAll = (value: (exchanges: readonly Exchange[]) => unknown): Check => ({
  reads: 'everything',
  judge: ({ all }) => (all.length === 0 ? notApplicable('no answer came') : observed(value(all))),
})

/** A gap that cannot be observed from outside, with the reason. */
export const unobservable = (reason: string): Check => ({ reads: () => [], judge: () => notApplicable(reason) })

export const headOf: Check = look(
  form => [form === 'cloud' ? 'cloud:head' : `${form}:head`],
  ([head]) => (head && isSuccess(head) ? 'as GET' : 'refused'),
)

/** Holds when none of the requests succeeds. */
export const neverSucceeds = (steps: (form: Form) => readonly string[]): Check => ({
  reads: steps,
  judge: evidence =>
    judgeEach(
      evidence.of(...steps(evidence.form)),
      exchange => (isSuccess(exchange) ? [{ expected: 'no success', got: exchange.response.status }] : []),
      () => absent(evidence, ...steps(evidence.form)),
    ),
})

export const absentIn = (...steps: string[]): Check => neverSucceeds(() => steps)

/** Holds when a step succeeds; `instead` names steps of which one success is enough. */
export const answers = (
  steps: (form: Form) => readonly string[],
  accepts: (exchange: Exchange) => boolean = isSuccess,
): Check => ({
  reads: steps,
  judge: evidence => {
    const names = steps(evidence.form)
    const exchanges = evidence.of(...names)
    const good = exchanges.find(accepts)
    if (good) return held([good])
    const failed = names.map(name => evidence.why(name).failed).find(Boolean)
    if (failed) return { outcome: 'errored', detail: failed, exchanges: [] }
    const [first] = exchanges
    if (!first) return absent(evidence, ...names)
    return {
      outcome: 'broken',
      detail: describe({ expected: 'success', got: first.response.status }, first),
      exchanges,
    }
  },
})

/**
 * The same for an operation whose request body the specification does not show: a deployment that refuses the run's body
 * with 400 or 422 may need another field, and is not judged.
 */
export const answersUnlessBodyIsRefused = (steps: (form: Form) => readonly string[]): Check => {
  const check = answers(steps)
  return {
    ...check,
    judge: evidence => {
      const verdict = check.judge(evidence)
      const statuses = verdict.exchanges.map(({ response }) => response.status)
      const refused = verdict.exchanges.find(({ response }) => response.status === 400 || response.status === 422)
      if (verdict.outcome !== 'broken' || !refused || statuses.some(status => status >= 500)) return verdict
      const { request, response } = refused
      return notApplicable(
        `the body of this operation is not shown, and that of the run was refused: ${request.method} ${request.path} was answered ${response.status} ${show(response.text)}`,
      )
    },
  }
}
