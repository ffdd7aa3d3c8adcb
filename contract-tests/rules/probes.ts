import type { Form, OperationId, RuleId } from '../../fixtures/contract/index.ts'
import { type Evidence, notJudged, withMissingFields } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isObject, payloadOf } from '../engine/recognise.ts'
import { stepsWithGoodCredentials } from '../visits/authentication.ts'
import { probesOfRule } from '../visits/probes.ts'
import { each, stepsOfForm } from './steps.ts'

/** Holds if all probes of a rule and all `steps` are refused. A probe counts only if it or its good request succeeds. */
export function refusesProbes(
  rule: RuleId,
  steps: readonly string[] = [],
  isTried: (operation: OperationId, form: Form) => boolean = () => true,
) {
  const probes = onceByForm(form =>
    probesOfRule(rule, form)
      .filter(({ operation }) => isTried(operation, form))
      .map(({ name, operation }) => ({ name, good: stepsWithGoodCredentials(form, operation) })),
  )
  const goodSteps = onceByForm(form => [...new Set(probes(form).flatMap(({ good }) => good))])
  return {
    ofAnyTraffic: true as const,
    reads: onceByForm(form => [
      ...stepsOfForm(steps)(form),
      ...probes(form).map(({ name }) => name),
      ...goodSteps(form),
    ]),
    judge: (evidence: Evidence) => {
      const { form } = evidence
      const conclusive = probes(form).filter(
        ({ name, good }) => evidence.exchangesOf(name).some(isSuccess) || evidence.exchangesOf(...good).some(isSuccess),
      )
      const otherSteps = stepsOfForm(steps)(form)
      if (conclusive.length === 0 && otherSteps.length === 0) {
        const reason = notJudged('no operation could be probed: none succeeded with a good request')
        return withMissingFields(reason, evidence, goodSteps(form))
      }
      return each([...otherSteps, ...conclusive.map(({ name }) => name)], exchange =>
        isAccepted(exchange) ? [{ expected: `no success (${exchange.why})`, got: exchange.response.status }] : [],
      ).judge(evidence)
    },
  }
}

/** True for a success, except a validation that reports mistakes. */
function isAccepted(exchange: Exchange): boolean {
  const payload = payloadOf(exchange.json)
  return isSuccess(exchange) && !(isObject(payload) && payload.valid === false)
}

/** Computes a value once for each form, since a proxy needs it for every call. */
function onceByForm<T>(make: (form: Form) => T): (form: Form) => T {
  const computed = new Map<Form, T>()
  return form => {
    if (!computed.has(form)) computed.set(form, make(form))
    return computed.get(form)!
  }
}
