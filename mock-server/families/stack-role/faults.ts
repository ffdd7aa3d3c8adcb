import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'

export const faults = { ...lifeFaults('stackRole') } as const satisfies Partial<Record<RuleId, () => Fault>>
