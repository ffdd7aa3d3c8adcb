import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'
import { changeResult, failing, inAnswers, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

export const faults = {
  ...lifeFaults('postgres'),
  'postgres/password-is-shown-once': inAnswers(successOf('postgres.list'), answer =>
    changeResult(answer, result =>
      Array.isArray(result) ? result.map(one => (isRecord(one) ? { ...one, password: 'shown again' } : one)) : result,
    ),
  ),
  'postgresConfig/get-answers': failing('postgresConfig.get'),
  'postgresMetrics/get-answers': failing('postgresMetrics.get'),
  'slowQueryPattern/list-answers': failing('slowQueryPattern.list'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
