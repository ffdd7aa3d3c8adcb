import { z } from 'zod/v3'
import { backupConfiguration } from '../../../../fixtures/contract/backup/backup-configuration.ts'
import type { Faults } from '../../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../../faults/lifecycle.ts'
import { day, hour } from '../../../words/durations.ts'
import { refused } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import type { World } from '../../../world/world.ts'
import { type Handlers, type Request, serve } from '../../family.ts'
import { serviceOf, services } from '../../service/model.ts'
import { bucketOf } from '../backup-bucket.ts'
import { backups, beginBackup, seededRetentionHours } from '../model.ts'

const defaultConfiguration = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24 } as const

const fullHour = /^([01]\d|2[0-3]):00$/
/** When the clock jumps ahead, at most this many expired backups are made one by one; more are skipped. */
const maxExpiredBackups = 400

const record = z.object({
  backupPeriodInHours: z.number().positive(),
  backupRetentionPeriodInHours: z.number().positive(),
  backupStartTime: z.string().regex(fullHour, 'Expected a full hour, such as 13:00').optional(),
  /** When the next backup begins, in epoch milliseconds; never part of an answer. A secondary has none. */
  nextAt: z.number().optional(),
})

/** When the backups of a service are made, and how long they are kept. */
export type BackupConfiguration = Readonly<z.infer<typeof record>>

export const backupConfigurations: Model<BackupConfiguration, 'backupConfiguration'> = {
  name: 'backupConfiguration',
  within: services,
  isSingleton: true,
  fromCaptured: ({ fields, within }, world) =>
    planNext(world, within, fields as unknown as BackupConfiguration, world.start),
  record,
  seed(serviceId, { world, isNew }) {
    const configuration = isNew
      ? defaultConfiguration
      : // Seeded backups reach back this far.
        { ...defaultConfiguration, backupRetentionPeriodInHours: seededRetentionHours }
    return [{ ...configuration, ...planNext(world, serviceId, configuration) }]
  },
  nextChangeAt: ({ nextAt }) => nextAt,
  applyChange(configuration, at, world, serviceId, now) {
    const { backupPeriodInHours, backupRetentionPeriodInHours } = configuration
    const period = backupPeriodInHours * hour
    // After a long jump of the clock, skips backups that would be removed again before its end.
    const skipped = Math.floor((now - at - backupRetentionPeriodInHours * hour) / period) - 2
    if (skipped > maxExpiredBackups) return { ...configuration, nextAt: at + skipped * period }
    beginBackup(world, serviceId, at, backupRetentionPeriodInHours, bucketOf(world, serviceId))
    return { ...configuration, nextAt: nextBackupAt(configuration, at) }
  },
}

/** When the next backup of a primary begins: one period after its last backup, or else after its creation. */
export function planNext(world: World, serviceId: string, configuration: BackupConfiguration, now = 0) {
  const service = serviceOf(world, serviceId)
  if (!service?.isPrimary) return {}
  const last = world.list(backups, serviceId).at(-1)?.startedAt
  // Backups that were due before the world started do not exist.
  const since = last === undefined ? Math.max(Date.parse(service.createdAt), world.start) : Date.parse(last)
  return { nextAt: nextBackupAt(configuration, since, now) }
}

/** One period after the last backup, but not before now; with a start time, at that hour of UTC. */
function nextBackupAt({ backupPeriodInHours, backupStartTime }: BackupConfiguration, last: number, now = 0): number {
  const due = last + backupPeriodInHours * hour
  if (backupStartTime === undefined) return Math.max(due, now)
  // Takes the first such hour after now that is less than a day before the end of the period, or later.
  const earliest = Math.max(due - day, now)
  const timeOfDay = Number(backupStartTime.slice(0, 2)) * hour
  return (Math.floor((earliest - timeOfDay) / day) + 1) * day + timeOfDay
}

export const models = [backupConfigurations]

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
      sent[field] === null ? defaultConfiguration[field] : (sent[field] ?? stored[field])
    const backupStartTime = sent.backupStartTime === undefined ? stored.backupStartTime : sent.backupStartTime
    const changed: BackupConfiguration = {
      backupPeriodInHours: numberOf('backupPeriodInHours'),
      backupRetentionPeriodInHours: numberOf('backupRetentionPeriodInHours'),
      ...(backupStartTime != null && { backupStartTime }),
    }
    // The sentences name the fields as deployments do.
    if (backupStartTime != null) {
      if (!fullHour.test(backupStartTime)) throw refused('customBackupStartTime must be a valid time (HH:00)')
      if (![24, 48].includes(changed.backupPeriodInHours))
        throw refused('customBackupPeriod must be 24 or 48 hours when customBackupStartTime is set')
    }
    const serviceId = request.ids.serviceId!
    request.log({ type: 'service_update_backup_configuration', serviceId })
    return replace(request, { ...changed, ...planNext(request.world, serviceId, changed, request.now) })
  },
} as const satisfies Handlers

export const faults = {
  'backupConfiguration/unsent-stays': wrongFieldAfterUpdate('backupConfiguration', 'backupRetentionPeriodInHours', 48),
} as const satisfies Faults
