import { backupBucket } from '../../../fixtures/contract/backup/backup-bucket.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import { type Bucket, backups } from '../backup/model.ts'
import { services } from '../service/model.ts'

export type BackupBucket = ValuesOf<typeof backupBucket.fields, 'answer'>

export const backupBuckets: Model<BackupBucket, 'backupBucket'> = {
  name: 'backupBucket',
  within: services,
  one: true,
  record: recordWith(backupBucket.fields, {}, undefined, 'answer'),
  /** That of the last backup. */
  seed(serviceId, { seed, world }) {
    const bucket = world.in(backups, serviceId).list().at(-1)?.bucket
    return bucket ? [{ id: createRandom(seedOf(seed, 'bucket', serviceId)).uuid(), ...bucket } as BackupBucket] : []
  },
}

/** What a backup says of the bucket that it lies in. */
export const bucketOfBackups = ({ id: _, ...bucket }: BackupBucket) => bucket as Bucket
