import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'

export const faults = {
  'backupConfiguration/unsent-stays': mistakeUpdated('backupConfiguration', 'backupRetentionPeriodInHours', 48),
} as const satisfies Faults
