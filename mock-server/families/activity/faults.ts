import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { changeResult, failing, inAnswers, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

export const faults = {
  'activity/list-answers': failing('activity.list'),
  'activity/get-answers': failing('activity.get'),
  'activity/dates-limit-the-list':
    (): Fault =>
    (call, next, { operation }) =>
      next(operation === 'activity.list' ? { ...call, query: '' } : call),
  'activity/what-was-done-is-listed': inAnswers(successOf('activity.list'), answer =>
    changeResult(answer, result =>
      Array.isArray(result) ? result.filter(one => isRecord(one) && one.actorType !== 'api') : result,
    ),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
