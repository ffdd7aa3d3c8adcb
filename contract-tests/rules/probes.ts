import type { Form, OperationId, RuleId } from '../../fixtures/contract/index.ts'
import { type Check, lacking, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { goodStep } from '../visits/authentication.ts'
import { probesOfRule } from '../visits/probes.ts'
import { each, inForm } from './steps.ts'

/**
 * Holds when no probe of the rule succeeds, nor one of these steps. Where nothing else refuses it, an operation that refuses
 * the good request too proves nothing.
 */
export function refusesProbes(
  rule: RuleId,
  steps: readonly string[] = [],
  isTried: (operation: OperationId, form: Form) => boolean = () => true,
): Check {
  const probes = (form: Form) =>
    probesOfRule(rule.replace(/-elsewhere$/, ''), form).filter(({ operation }) => isTried(operation, form))
  const goodSteps = (form: Form) => [...new Set(probes(form).flatMap(({ operation }) => goodStep(form, operation)))]
  return {
    reads: form => [...inForm(steps)(form), ...probes(form).map(({ name }) => name), ...goodSteps(form)],
    judge: evidence => {
      const { form } = evidence
      const proving = probes(form).filter(
        ({ name, operation }) =>
          evidence.of(name).some(isSuccess) || evidence.of(...goodStep(form, operation)).some(isSuccess),
      )
      const own = inForm(steps)(form)
      if (proving.length === 0 && own.length === 0) {
        const reason = notApplicable('no operation could be probed: none succeeded with a good request')
        return lacking(reason, evidence, goodSteps(form))
      }
      return each([...own, ...proving.map(({ name }) => name)], exchange =>
        isSuccess(exchange) ? [{ expected: `no success (${exchange.why})`, got: exchange.response.status }] : [],
      ).judge(evidence)
    },
  }
}
