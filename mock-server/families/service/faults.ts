import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { changeResult, failing, inAnswers, isObject, successOf } from '../../faults/rewrite.ts'

export const faults = {
  'service/list-answers': failing('service.list'),
  'service/get-answers': failing('service.get'),
  'service/password-is-shown-once': inAnswers(successOf('service.list'), answer =>
    changeResult(answer, result =>
      Array.isArray(result) ? result.map(one => (isObject(one) ? { ...one, password: 'shown again' } : one)) : result,
    ),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
