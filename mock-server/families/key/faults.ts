import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { changeResult, failing, inAnswers, isObject, successOf } from '../../faults/rewrite.ts'

export const faults = {
  'key/list-answers': failing('key.list'),
  'key/get-answers': failing('key.get'),
  'key/secret-is-shown-once': inAnswers(successOf('key.list'), answer =>
    changeResult(answer, result =>
      Array.isArray(result) ? result.map(one => (isObject(one) ? { ...one, keySecret: 'shown again' } : one)) : result,
    ),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
