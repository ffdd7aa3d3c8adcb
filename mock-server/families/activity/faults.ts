import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'activity/list-answers': failing('activity.list'),
  'activity/get-answers': failing('activity.get'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
