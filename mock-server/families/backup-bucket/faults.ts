import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { mistake, optionalFaults } from '../../faults/optional.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  ...optionalFaults('backupBucket', 'create', ['bucketPath', 'elsewhere']),
  'backupBucket/update-answers': failing('backupBucket.update'),
  'backupBucket/secrets-are-never-shown': mistake('backupBucket.update', 'secretAccessKey', 'shown'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
