import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'team/get-answers': failing('team.get'),
  'teamMember/list-answers': failing('teamMember.list'),
  'teamInvitation/list-answers': failing('teamInvitation.list'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
