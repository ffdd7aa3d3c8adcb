import { lifeFaults } from '../../faults/lifecycle.ts'

export const faults = lifeFaults('backupConfiguration', ['backupRetentionPeriodInHours', 48])
