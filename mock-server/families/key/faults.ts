import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { letIn } from '../../faults/let-in.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'
import { changeResult, inAnswers, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

export const faults = {
  ...lifeFaults('key', ['roles', ['query_endpoints']]),
  'key/secret-is-shown-once': inAnswers(successOf('key.list'), answer =>
    changeResult(answer, result =>
      Array.isArray(result) ? result.map(one => (isRecord(one) ? { ...one, keySecret: 'shown again' } : one)) : result,
    ),
  ),
  'key/disabled-key-is-refused': letIn('Key is not active'),
  'key/deleted-key-is-refused': letIn('Key is not found', true),
  'key/empty-access-list-admits-nobody': letIn('IP access list of the key'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
