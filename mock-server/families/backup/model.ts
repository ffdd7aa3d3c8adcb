import { z } from 'zod/v3'
import { backup } from '../../../fixtures/contract/backup/backup.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { hour, minute } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { serviceOf, services } from '../service/model.ts'

export const backups: Model<Backup, 'backup'> = {
  name: 'backup',
  within: services,
  fromCaptured: ({ fields }, { start }) => (fields.status === 'in_progress' ? { endsAt: start + minute } : {}),
  inEmptyWorld: () => true,
  isListedNewestFirst: true,
  record: recordSchema(backup.fields, { endsAt: z.number().optional() }),
  /** Only the primary of a warehouse has backups: they hold the data of the whole warehouse. */
  seed: (serviceId, { seed, size, start, world, isNew }) =>
    isNew || serviceOf(world, serviceId)?.isPrimary === false
      ? []
      : layOutBackups(seed, serviceId, size.backups, start),
  nextChangeAt: ({ status, endsAt }) => (status === 'in_progress' ? endsAt : undefined),
  applyChange: finish,
}

export const secondsSince = ({ startedAt }: Pick<Backup, 'startedAt'>, at: number): number =>
  (at - Date.parse(startedAt)) / 1000

/** Completes the record of a backup or snapshot. */
export function finish<T extends Pick<Backup, 'startedAt' | 'endsAt'>>({ endsAt: _, ...record }: T, at: number) {
  const durationInSeconds = secondsSince(record, at)
  return { ...record, status: 'done', finishedAt: new Date(at).toISOString(), durationInSeconds } as const
}

/** Incremental backups between two full ones. */
const maxIncremental = 4

/** Begins a backup, and removes those that have been kept for long enough. The newest complete one always stays. */
export function beginBackup(world: World, serviceId: string, at: number, keepHours: number, bucket?: Bucket): void {
  const known = world.in(backups, serviceId)
  const list = known.list()
  const newest = list.findLast(({ status }) => status === 'done')
  for (const one of list) {
    const isExpired = one.status !== 'in_progress' && Date.parse(one.startedAt) + keepHours * hour <= at
    if (isExpired && one !== newest) known.remove(one.id)
  }
  const random = createRandom(seedOf(world.seed, 'backup', serviceId, at))
  const isFull = !list.slice(-maxIncremental).some(({ type }) => type === 'full')
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

type Shown = ValuesOf<typeof backup.fields>
export type Backup = Shown &
  Required<Pick<Shown, 'status' | 'type'>> & {
    /** When it will be done, in epoch milliseconds; never part of an answer. */
    readonly endsAt?: number
  }
export type Bucket = NonNullable<Backup['bucket']>

/**
 * The retention of seeded backups, and how far they reach back at most, in hours. The vendor's document allows 1080, but its
 * Terraform provider refuses to read more than 720.
 */
export const seededRetentionHours = 720

const drawDuration = (random: Random) => random.int(90_000, 2_700_000)
export const drawSize = (random: Random) => random.int(2_000_000, 90_000_000_000)
const nameBackup = (startedAt: number) => `nightly-${new Date(startedAt).toISOString().slice(0, 10)}`

/** The kinds of seeded backups, repeated in this order; the last of several backups is in progress instead. */
const kinds = [
  { status: 'done', provider: 'AWS' },
  { status: 'done', provider: 'GCP' },
  { status: 'done', provider: 'AZURE' },
  { status: 'error', provider: 'AWS' },
  { status: 'done', provider: undefined },
] as const

function layOutBackups(seed: number, serviceId: string, count: number, start: number): readonly Backup[] {
  const random = createRandom(seedOf(seed, 'backups', serviceId))
  const spacing = Math.min(24, (seededRetentionHours - 48) / count) * hour
  return Array.from({ length: count }, (_, i): Backup => {
    const id = random.uuid()
    const isLast = i === count - 1 && count > 1
    const { status, provider } = isLast
      ? ({ status: 'in_progress', provider: 'AWS' } as const)
      : kinds[i % kinds.length]!
    const duration = isLast ? random.int(60_000, 900_000) : drawDuration(random)
    const startedAt = isLast ? start - duration : start - (count - 1 - i) * spacing - random.int(2, 4) * hour
    const finishedAt = isLast ? undefined : new Date(startedAt + duration).toISOString()
    return {
      id,
      status,
      serviceId,
      startedAt: new Date(startedAt).toISOString(),
      ...(finishedAt && { finishedAt }),
      sizeInBytes: drawSize(random),
      durationInSeconds: duration / 1000,
      type: i % kinds.length === 0 ? 'full' : 'incremental',
      // A backup in the service's own storage has neither a name nor a bucket.
      ...(provider && { backupName: nameBackup(startedAt), bucket: layOutBucket(provider, random) }),
      ...(isLast && { endsAt: start + duration }),
    }
  })
}

function layOutBucket(provider: 'AWS' | 'GCP' | 'AZURE', random: Random): Bucket {
  const place = `backups-${random.hex(6)}`
  switch (provider) {
    case 'AWS':
      return {
        bucketProvider: 'AWS',
        bucketPath: `https://${place}.s3.amazonaws.com/nightly`,
        iamRoleArn: `arn:aws:iam::${random.int(100_000_000_000, 999_999_999_999)}:role/BackupWriter`,
        iamRoleSessionName: 'backup-writer',
      }
    case 'GCP':
      return {
        bucketProvider: 'GCP',
        bucketPath: `https://storage.googleapis.com/${place}/nightly`,
        accessKeyId: `GOOG1E${random.alphanumeric(20).toUpperCase()}`,
      }
    case 'AZURE':
      return { bucketProvider: 'AZURE', containerName: place }
  }
}
