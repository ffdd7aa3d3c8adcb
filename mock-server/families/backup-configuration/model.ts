import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { services } from '../service/model.ts'

/** When the backups of a service are made, and how long they are kept. */
export interface BackupConfiguration {
  readonly backupPeriodInHours: number
  readonly backupRetentionPeriodInHours: number
  readonly backupStartTime?: string
}

export const usualConfiguration = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24 } as const

/** A full hour of the day. */
export const fullHour = /^([01]\d|2[0-3]):00$/

export const backupConfigurations: Model<BackupConfiguration, 'backupConfiguration'> = {
  name: 'backupConfiguration',
  within: services,
  one: true,
  record: z.object({
    backupPeriodInHours: z.number().positive(),
    backupRetentionPeriodInHours: z.number().positive(),
    backupStartTime: z.string().regex(fullHour, 'Expected a full hour, such as 13:00').optional(),
  }) as Model<BackupConfiguration>['record'],
  key: () => 'backupConfiguration',
  seed: () => [usualConfiguration],
}
