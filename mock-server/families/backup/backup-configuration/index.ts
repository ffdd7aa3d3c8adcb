import { backupConfiguration } from '../../../../fixtures/contract/backup/backup-configuration.ts'
import type { Faults } from '../../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../../faults/lifecycle.ts'
import { refused } from '../../../words/refusal.ts'
import { type Handlers, type Request, serve } from '../../family.ts'
import { services } from '../../service/model.ts'
import { type BackupConfiguration, backupConfigurations, fullHour, plan, usualConfiguration } from './model.ts'

export const models = [backupConfigurations]

/** The periods that allow a start time, in hours. */
const periodsWithStartTime: readonly number[] = [24, 48]

function configurationOf(request: Request): BackupConfiguration {
  const service = request.in(services).get(request.ids.serviceId!)
  if (service?.isPrimary === false) throw refused('Backups are configured on the primary service of a warehouse only')
  return find(request)
}

const { find, answer, replace } = serve(backupConfigurations, backupConfiguration.fields)

export const handlers = {
  'backupConfiguration.get': request => answer(request, configurationOf(request)),
  'backupConfiguration.update': request => {
    const stored = configurationOf(request)
    const sent = request.body
    // Omitted fields stay, and null restores the default.
    const numberOf = (field: 'backupPeriodInHours' | 'backupRetentionPeriodInHours') =>
      sent[field] === null ? usualConfiguration[field] : (sent[field] ?? stored[field])
    const backupStartTime = sent.backupStartTime === undefined ? stored.backupStartTime : sent.backupStartTime
    const changed: BackupConfiguration = {
      backupPeriodInHours: numberOf('backupPeriodInHours'),
      backupRetentionPeriodInHours: numberOf('backupRetentionPeriodInHours'),
      ...(backupStartTime != null && { backupStartTime }),
    }
    // The sentences name the fields as deployments do.
    if (backupStartTime != null) {
      if (!fullHour.test(backupStartTime)) throw refused('customBackupStartTime must be a valid time (HH:00)')
      if (!periodsWithStartTime.includes(changed.backupPeriodInHours))
        throw refused('customBackupPeriod must be 24 or 48 hours when customBackupStartTime is set')
    }
    const serviceId = request.ids.serviceId!
    request.log({ type: 'service_update_backup_configuration', serviceId })
    return replace(request, { ...changed, ...plan(request.world, serviceId, changed, request.now) })
  },
} as const satisfies Handlers

export const faults = {
  'backupConfiguration/unsent-stays': wrongFieldAfterUpdate('backupConfiguration', 'backupRetentionPeriodInHours', 48),
} as const satisfies Faults
