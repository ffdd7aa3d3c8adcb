import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'backupConfiguration/get-answers': failing('backupConfiguration.get'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
