import type { Form, OperationId, RuleId } from '../../fixtures/contract/index.ts'
import { type Check, notApplicable, withMissingFields } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isObject, payloadOf } from '../engine/recognise.ts'
import { stepsWithGoodCredentials } from '../visits/authentication.ts'
import { probesOfRule } from '../visits/probes.ts'
import { each, stepsOfForm } from './steps.ts'

/** An operation whose good request is refused as well proves nothing. */
export function refusesProbes(
  rule: RuleId,
  steps: readonly string[] = [],
  isTried: (operation: OperationId, form: Form) => boolean = () => true,
): Check {
  const probes = onceByForm(form =>
    probesOfRule(rule.replace(/-elsewhere$/, ''), form)
      .filter(({ operation }) => isTried(operation, form))
      .map(({ name, operation }) => ({ name, good: stepsWithGoodCredentials(form, operation) })),
  )
  const goodSteps = onceByForm(form => [...new Set(probes(form).flatMap(({ good }) => good))])
  return {
    reads: onceByForm(form => [
      ...stepsOfForm(steps)(form),
      ...probes(form).map(({ name }) => name),
      ...goodSteps(form),
    ]),
    judge: evidence => {
      const { form } = evidence
      const proving = probes(form).filter(
        ({ name, good }) => evidence.exchangesOf(name).some(isSuccess) || evidence.exchangesOf(...good).some(isSuccess),
      )
      const own = stepsOfForm(steps)(form)
      if (proving.length === 0 && own.length === 0) {
        const reason = notApplicable('no operation could be probed: none succeeded with a good request')
        return withMissingFields(reason, evidence, goodSteps(form))
      }
      return each([...own, ...proving.map(({ name }) => name)], exchange =>
        isAccepted(exchange) ? [{ expected: `no success (${exchange.why})`, got: exchange.response.status }] : [],
      ).judge(evidence)
    },
  }
}

/** A validation may succeed by reporting mistakes. */
function isAccepted(exchange: Exchange): boolean {
  const payload = payloadOf(exchange.json)
  return isSuccess(exchange) && !(isObject(payload) && payload.valid === false)
}

/** Computed once by form: a proxy judges every call with it. */
function onceByForm<T>(make: (form: Form) => T): (form: Form) => T {
  const made = new Map<Form, T>()
  return form => {
    if (!made.has(form)) made.set(form, make(form))
    return made.get(form)!
  }
}
