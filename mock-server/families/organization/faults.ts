import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'organization/list-answers': failing('organization.list'),
  'organization/get-answers': failing('organization.get'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
