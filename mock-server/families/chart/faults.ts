import type { RuleId } from '../../../fixtures/contract/index.ts'
import { answerAbsent, belowManaged } from '../../faults/absent.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'chart/query-is-accepted': failing('chart.query'),
  'chart/other-methods-never-succeed': answerAbsent(/^\/api\/v2\/charts\/series\/?$/i, '/api/v2/sources', [
    'GET',
    'PUT',
    'PATCH',
    'DELETE',
  ]),
  'chart/absent-in-managed-form': answerAbsent(belowManaged('charts'), '$1/sources'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
