import type { Faults } from '../../faults/fault.ts'
import { mistake } from '../../faults/rewrite.ts'

export const faults = {
  'backupBucket/set-is-got': mistake('backupBucket.get', 'bucketPath', 'elsewhere'),
  'backupBucket/secrets-are-never-shown': mistake('backupBucket.update', 'secretAccessKey', 'shown'),
} as const satisfies Faults
