import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { letIn } from '../../faults/let-in.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'

export const faults = {
  ...lifeFaults('role', ['ownerId', 'organization/another']),
  'role/permissions-decide': letIn('lacks the permission'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
