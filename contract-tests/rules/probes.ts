import {
  type Contract,
  type Form,
  type OperationId,
  contract as ours,
  type RuleId,
} from '../../fixtures/built-contract/index.ts'
import { type Evidence, notJudged, withMissingFields } from '../engine/check.ts'
import { onceFor } from '../engine/contract.ts'
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
  const probes = onceByForm((form, contract) =>
    probesOfRule(rule, form, contract)
      .filter(({ operation }) => isTried(operation, form))
      .map(({ name, operation }) => ({ name, good: stepsWithGoodCredentials(form, operation, contract) })),
  )
  const goodSteps = onceByForm((form, contract) => [...new Set(probes(form, contract).flatMap(({ good }) => good))])
  return {
    ofAnyTraffic: true as const,
    reads: onceByForm((form, contract) => [
      ...stepsOfForm(steps)(form),
      ...probes(form, contract).map(({ name }) => name),
      ...goodSteps(form, contract),
    ]),
    judge: (evidence: Evidence) => {
      const { form, history } = evidence
      const conclusive = probes(form, history.contract).filter(
        ({ name, good }) => evidence.exchangesOf(name).some(isSuccess) || evidence.exchangesOf(...good).some(isSuccess),
      )
      const otherSteps = stepsOfForm(steps)(form)
      if (conclusive.length === 0 && otherSteps.length === 0) {
        const reason = notJudged('no operation could be probed: none succeeded with a good request')
        return withMissingFields(reason, evidence, goodSteps(form, history.contract))
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
function onceByForm<T>(make: (form: Form, contract: Contract) => T): (form: Form, contract?: Contract) => T {
  const computed = onceFor(() => new Map<Form, T>())
  return (form, contract = ours) => {
    const known = computed(contract)
    if (!known.has(form)) known.set(form, make(form, contract))
    return known.get(form)!
  }
}
