import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { recordOf } from '../../world/record.ts'
import { services } from '../service/model.ts'
import { type Backup, layOutBackups } from './seed.ts'

export const backups: Model<Backup, 'backup'> = {
  name: 'backup',
  within: services,
  record: recordOf({ serviceId: z.string() }) as unknown as Model<Backup>['record'],
  key: ({ id }) => id,
  seed: (serviceId, { seed, size, start, isNew }) => (isNew ? [] : layOutBackups(seed, serviceId, size.backups, start)),
}
