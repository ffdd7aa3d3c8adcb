import { z } from 'zod/v3'
import { snapshot, snapshotConfiguration } from '../../../../fixtures/contract/backup/snapshot.ts'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { minute, second } from '../../../words/durations.ts'
import type { Model } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { serviceOf, services } from '../../service/model.ts'
import { backupBuckets, bucketOfBackups } from '../backup-bucket.ts'
import { drawSize } from '../model.ts'

export type Snapshot = ValuesOf<typeof snapshot.fields> & {
  /** When it will be done, in epoch milliseconds; it is not answered. */
  readonly endsAt?: number
}

export type SnapshotConfiguration = ValuesOf<typeof snapshotConfiguration.fields> & {
  /** When the next one is due, in epoch milliseconds; it is not answered. */
  readonly nextAt?: number
}

/** The allowed pairs: minutes between snapshots, and minutes that each is kept. */
export const pairs = [
  [30, 1440],
  [60, 2880],
] as const

const duration = 40 * second

function makeSnapshot(seed: number, serviceId: string, at: number): Snapshot {
  const random = createRandom(seedOf(seed, 'snapshot', serviceId, at))
  return {
    id: random.uuid(),
    status: 'in_progress',
    serviceId,
    startedAt: new Date(at).toISOString(),
    sizeInBytes: drawSize(random),
    durationInSeconds: 0,
    type: 'full',
    endsAt: at + duration,
  }
}

const finish = ({ endsAt: _, ...record }: Snapshot, at: number): Snapshot => ({
  ...record,
  status: 'done',
  finishedAt: new Date(at).toISOString(),
  durationInSeconds: (at - Date.parse(record.startedAt)) / 1000,
})

/** Seeded production services have snapshots, one an hour for two days. */
const seeded = { enabled: true, gap: 60, timeFrame: 2880 } as const
const hasSeeded = (world: World, serviceId: string) =>
  serviceOf(world, serviceId)?.name.startsWith('production') && serviceOf(world, serviceId)?.isPrimary

export const snapshots: Model<Snapshot, 'snapshot'> = {
  name: 'snapshot',
  within: services,
  documents: true,
  record: recordSchema(snapshot.fields, { endsAt: z.number().optional() }),
  seed(serviceId, { seed, start, world, isNew }) {
    if (isNew || !hasSeeded(world, serviceId)) return []
    const count = seeded.timeFrame / seeded.gap
    return Array.from({ length: count }, (_, i) => {
      const at = start - (count - i) * seeded.gap * minute + 7 * minute
      return finish(makeSnapshot(seed, serviceId, at), at + duration)
    })
  },
  defaults: (serviceId, at, world) => finish(makeSnapshot(world.seed, serviceId, at), at),
  nextChangeAt: ({ endsAt }) => endsAt,
  applyChange: finish,
}

export const snapshotConfigurations: Model<SnapshotConfiguration, 'snapshotConfiguration'> = {
  name: 'snapshotConfiguration',
  within: services,
  isSingleton: true,
  record: recordSchema(snapshotConfiguration.fields, { nextAt: z.number().optional() }),
  seed: (serviceId, { start, world, isNew }) => [
    !isNew && hasSeeded(world, serviceId) ? { ...seeded, nextAt: start + 7 * minute } : { enabled: false },
  ],
  nextChangeAt: ({ nextAt }) => nextAt,
  applyChange(configuration, at, world, serviceId, now) {
    const { gap = 60, timeFrame = 2880 } = configuration
    const period = gap * minute
    // After a long time, only the snapshots are made that are still kept at its end.
    const skipped = Math.floor((now - at - timeFrame * minute) / period) - 2
    if (skipped > 0) return { ...configuration, nextAt: at + skipped * period }
    take(world, serviceId, at, timeFrame)
    return { ...configuration, nextAt: at + period }
  },
}

/** Takes a snapshot of a service that is not stopped, and removes those that have been kept for long enough. */
function take(world: World, serviceId: string, at: number, timeFrame: number): void {
  const known = world.in(snapshots, serviceId)
  for (const one of known.list()) if (Date.parse(one.startedAt) + timeFrame * minute <= at) known.remove(one.id)
  const state = serviceOf(world, serviceId)?.state ?? 'terminating'
  if (['stopped', 'stopping', 'provisioning', 'terminating'].includes(state)) return
  const bucket = world.in(backupBuckets, serviceId).get('backupBucket')
  known.create({ ...makeSnapshot(world.seed, serviceId, at), ...(bucket && { bucket: bucketOfBackups(bucket) }) })
}
