import type { Form } from '../../fixtures/contract/index.ts'
import { type Check, type Evidence, held, noAnswer, noSuccess, notApplicable, observed, show } from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess } from '../engine/exchange.ts'
import { isObject } from '../engine/recognise.ts'
import { adjustVerdict, each, type Steps, stepsOfForm } from './steps.ts'

/** Makes checks that observe a value, in the notation of a gap's choices, or that a request succeeds or does not. */

/** `<status> <json|text|html|empty>` */
export function describeRefusal(exchange: Exchange): string {
  return `${exchange.response.status} ${bodyKind(exchange)}`
}

function bodyKind(exchange: Exchange): string {
  if (!hasBody(exchange)) return 'empty'
  const type = exchange.response.headers['content-type'] ?? ''
  if (exchange.json !== undefined && (isObject(exchange.json) || /json/i.test(type))) return 'json'
  return /html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(exchange.response.text) ? 'html' : 'text'
}

/** Observes a value; `value` returns undefined when the answers do not show it. */
export const observe = (
  steps: Steps,
  value: (exchanges: readonly [Exchange, ...Exchange[]], evidence: Evidence) => unknown,
): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence => {
    const names = stepsOfForm(steps)(evidence.form)
    const [first, ...more] = evidence.exchangesOf(...names)
    if (!first) return noAnswer(evidence, ...names)
    const choice = value([first, ...more], evidence)
    return choice === undefined ? notApplicable('the answers do not show it') : observed(choice, first)
  },
})

/** Observes the refusal of a step. */
export const observeRefusal = (step: string | ((form: Form) => string)): Check =>
  observe(
    form => [typeof step === 'string' ? step : step(form)],
    ([exchange]) => describeRefusal(exchange),
  )

export const observeSuccess = (step: string, success: string, refusal: string): Check =>
  observe([step], ([exchange]) => (isSuccess(exchange) ? success : refusal))

export const observeAll = (value: (exchanges: readonly Exchange[]) => unknown): Check => ({
  reads: 'everything',
  judge: ({ exchanges }) => (exchanges.length === 0 ? notApplicable('no answer came') : observed(value(exchanges))),
})

export function headerNamesIn(exchanges: readonly Exchange[], pattern: RegExp): string {
  const names = new Set(exchanges.flatMap(({ response }) => Object.keys(response.headers)))
  return (
    [...names]
      .filter(name => pattern.test(name))
      .sort()
      .join(', ') || 'none'
  )
}

/** A check of a gap, or of a rule, that answers cannot show. */
export const unobservable = (reason: string): Check => ({ reads: () => [], judge: () => notApplicable(reason) })

/** Holds when none of the requests succeeds. */
export const neverSucceeds = (steps: Steps): Check =>
  each(steps, exchange => (isSuccess(exchange) ? [{ expected: 'no success', got: exchange.response.status }] : []))

/** Holds when one of the steps succeeds. */
export const anySucceeds = (steps: Steps, accepts: (exchange: Exchange) => boolean = isSuccess): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence => {
    const names = stepsOfForm(steps)(evidence.form)
    const [first, ...more] = evidence.exchangesOf(...names)
    const good = [first, ...more].find(exchange => exchange && accepts(exchange))
    if (good) return held([good])
    if (!first || names.some(name => evidence.whyMissing(name).failed)) return noAnswer(evidence, ...names)
    return noSuccess(first, ...more)
  },
})

/**
 * Like `anySucceeds`, but not applicable if the deployment refused the body with 400 or 422, since the specification does not
 * describe the body.
 */
export const anySucceedsUnlessBodyIsRefused = (steps: Steps): Check =>
  adjustVerdict(anySucceeds(steps), verdict => {
    const statuses = verdict.exchanges.map(({ response }) => response.status)
    const refused = verdict.exchanges.find(({ response }) => response.status === 400 || response.status === 422)
    if (verdict.outcome !== 'broken' || !refused || statuses.some(status => status >= 500)) return verdict
    const { request, response } = refused
    return notApplicable(
      `the specification does not describe the body of this operation, and the deployment refused that of the run: ${request.method} ${request.path} was answered with ${response.status} ${show(response.text)}`,
    )
  })
