import { z } from 'zod/v3'
import { backup } from '../../../fixtures/contract/backup/backup.ts'
import { hour } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { serviceOf, services } from '../service/model.ts'
import { type Backup, type Bucket, drawDuration, drawSize, layOutBackups, nameBackup } from './seed.ts'

export const backups: Model<Backup, 'backup'> = {
  name: 'backup',
  within: services,
  record: recordWith(backup.fields, { endsAt: z.number().optional() }),
  /** The data of a warehouse is backed up on its primary. */
  seed: (serviceId, { seed, size, start, world, isNew }) =>
    isNew || serviceOf(world, serviceId)?.isPrimary === false
      ? []
      : layOutBackups(seed, serviceId, size.backups, start),
  next: ({ status, endsAt }) => (status === 'in_progress' ? endsAt : undefined),
  elapse: ({ endsAt: _, ...record }, at) => ({
    ...record,
    status: 'done',
    finishedAt: new Date(at).toISOString(),
    durationInSeconds: secondsSince(record, at),
  }),
}

export const secondsSince = ({ startedAt }: Pick<Backup, 'startedAt'>, at: number): number =>
  (at - Date.parse(startedAt)) / 1000

/** After so many incremental backups, the next one is full again. */
const mostIncremental = 4

/** Begins a backup, and removes those that have been kept for long enough. The newest that was done always stays. */
export function beginBackup(world: World, serviceId: string, at: number, keepHours: number, bucket?: Bucket): void {
  const known = world.in(backups, serviceId)
  const list = known.list()
  const newest = list.findLast(({ status }) => status === 'done')
  for (const one of list) {
    const isOver = one.status !== 'in_progress' && Date.parse(one.startedAt) + keepHours * hour <= at
    if (isOver && one !== newest) known.remove(one.id)
  }
  const random = createRandom(seedOf(world.seed, 'backup', serviceId, at))
  const isFull = !list.slice(-mostIncremental).some(({ type }) => type === 'full')
  known.create({
    id: random.uuid(),
    status: 'in_progress',
    serviceId,
    startedAt: new Date(at).toISOString(),
    sizeInBytes: drawSize(random),
    durationInSeconds: 0,
    type: isFull ? 'full' : 'incremental',
    ...(bucket && { backupName: nameBackup(at), bucket }),
    endsAt: at + drawDuration(random),
  })
}
