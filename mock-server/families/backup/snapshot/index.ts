import { z } from 'zod/v3'
import { snapshotConfiguration, snapshot as snapshotResource } from '../../../../fixtures/contract/backup/snapshot.ts'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inList, succeeds } from '../../../faults/rewrite.ts'
import { minute, second } from '../../../words/durations.ts'
import { Refusal, refused } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { pick, recordSchema } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { answerList, type Handlers, type Request, serve } from '../../family.ts'
import { organizations } from '../../organization/model.ts'
import { serviceOf, services } from '../../service/model.ts'
import { bucketOf } from '../backup-bucket.ts'
import { drawSize, finish, secondsSince } from '../model.ts'

type Snapshot = ValuesOf<typeof snapshotResource.fields> & {
  /** When it will be done, in epoch milliseconds; never part of an answer. */
  readonly endsAt?: number
}

type SnapshotConfiguration = ValuesOf<typeof snapshotConfiguration.fields> & {
  /** When the next snapshot is due, in epoch milliseconds; never part of an answer. */
  readonly nextAt?: number
}

/** The allowed pairs: minutes between snapshots, and minutes for which each is kept. */
const pairs = [
  [30, 1440],
  [60, 2880],
] as const

const snapshotDuration = 40 * second

/** `mark` tells the snapshots of a service apart: for those of the start a number, so that equal worlds have equal ones. */
function makeSnapshot(seed: number, serviceId: string, at: number, mark = at): Snapshot {
  const random = createRandom(seedOf(seed, 'snapshot', serviceId, mark))
  return {
    id: random.uuid(),
    status: 'in_progress',
    serviceId,
    startedAt: new Date(at).toISOString(),
    sizeInBytes: drawSize(random),
    durationInSeconds: 0,
    type: 'full',
    endsAt: at + snapshotDuration,
  }
}

/** Seeded production services have snapshots, one an hour for two days. */
const seededCadence = { enabled: true, gap: 60, timeFrame: 2880 } as const
/** From the start to the next snapshot. */
const firstDelay = 7 * minute
const hasSeeded = (world: World, serviceId: string) =>
  serviceOf(world, serviceId)?.name.startsWith('production') && serviceOf(world, serviceId)?.isPrimary

const snapshots: Model<Snapshot, 'snapshot'> = {
  name: 'snapshot',
  within: services,
  isNumerous: true,
  isListedNewestFirst: true,
  record: recordSchema(snapshotResource.fields, { endsAt: z.number().optional() }),
  seed(serviceId, { seed, start, world, isNew }) {
    if (isNew || !hasSeeded(world, serviceId)) return []
    const count = seededCadence.timeFrame / seededCadence.gap
    return Array.from({ length: count }, (_, i) => {
      const at = start - (count - i) * seededCadence.gap * minute + firstDelay
      return finish(makeSnapshot(seed, serviceId, at, i), at + snapshotDuration)
    })
  },
  defaults: (serviceId, at, world) => finish(makeSnapshot(world.seed, serviceId, at), at),
  nextChangeAt: ({ endsAt }) => endsAt,
  applyChange: finish,
}

const snapshotConfigurations: Model<SnapshotConfiguration, 'snapshotConfiguration'> = {
  name: 'snapshotConfiguration',
  within: services,
  isSingleton: true,
  fromCaptured: ({ fields: { enabled, gap = 60 } }, { start }) =>
    enabled === true ? { nextAt: start + Number(gap) * minute } : {},
  record: recordSchema(snapshotConfiguration.fields, { nextAt: z.number().optional() }),
  seed: (serviceId, { start, world, isNew }) => [
    !isNew && hasSeeded(world, serviceId) ? { ...seededCadence, nextAt: start + firstDelay } : { enabled: false },
  ],
  nextChangeAt: ({ nextAt }) => nextAt,
  applyChange(configuration, at, world, serviceId, now) {
    const { gap = 60, timeFrame = 2880 } = configuration
    const period = gap * minute
    // After a long jump of the clock, skips snapshots that would be removed again before its end.
    const skipped = Math.floor((now - at - timeFrame * minute) / period) - 2
    if (skipped > 0) return { ...configuration, nextAt: at + skipped * period }
    takeSnapshot(world, serviceId, at, timeFrame)
    return { ...configuration, nextAt: at + period }
  },
}

/**
 * Removes the snapshots that have been kept for long enough, and takes a new one unless the service is gone, provisioning,
 * terminating, stopping or stopped.
 */
function takeSnapshot(world: World, serviceId: string, at: number, timeFrame: number): void {
  const known = world.in(snapshots, serviceId)
  for (const one of known.list()) if (Date.parse(one.startedAt) + timeFrame * minute <= at) known.remove(one.id)
  const state = serviceOf(world, serviceId)?.state ?? 'terminating'
  if (['stopped', 'stopping', 'provisioning', 'terminating'].includes(state)) return
  const bucket = bucketOf(world, serviceId)
  known.create({ ...makeSnapshot(world.seed, serviceId, at), ...(bucket && { bucket }) })
}

export const models = [snapshots, snapshotConfigurations]

const { present, get } = serve(snapshots, (snapshot, { now }) => {
  const isUnfinished = snapshot.status === 'in_progress' || snapshot.status === 'throttled'
  const duration = isUnfinished && { durationInSeconds: secondsSince(snapshot, now) }
  return pick({ ...snapshot, ...duration }, snapshotResource.fields)
})
const configurations = serve(snapshotConfigurations, snapshotConfiguration.fields)
/** Reading the configuration takes the snapshots that are due. */
const takeDue = (request: Request) => void request.in(snapshotConfigurations)

const isAllowed = ({ gap, timeFrame }: SnapshotConfiguration) => pairs.some(([a, b]) => a === gap && b === timeFrame)

function judgeChange(request: Request, sent: SnapshotConfiguration, changed: SnapshotConfiguration): void {
  if (Object.keys(sent).length === 0) throw refused('request body: Expected enabled, gap or timeFrame')
  if (request.in(services).get(request.ids.serviceId!)?.isPrimary === false)
    throw refused('Snapshots are configured on the primary service of a warehouse only')
  const isCadenceSent = sent.gap !== undefined || sent.timeFrame !== undefined
  if ((changed.enabled || isCadenceSent) && !isAllowed(changed)) {
    const known = pairs.map(pair => `(${pair.join(', ')})`).join(', ')
    throw refused(`gap and timeFrame must together be one of ${known}`)
  }
  const { capabilities } = request.in(organizations).get(request.ids.organizationId!) ?? {}
  if ((sent.enabled || isCadenceSent) && capabilities?.snapshots === false)
    throw new Refusal('forbidden', 'Snapshots are not enabled for the organization', {
      gap: 'snapshotConfiguration/not-entitled',
    })
}

export const handlers = {
  'snapshot.list': request => {
    takeDue(request)
    const all = request.list(snapshots)
    const newestFirst = all.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
    return answerList(newestFirst.map(one => present(one, request)))
  },
  'snapshot.get': request => {
    takeDue(request)
    return get(request)
  },
  'snapshotConfiguration.get': configurations.get,
  'snapshotConfiguration.update': request => {
    const { nextAt, ...before } = configurations.find(request)
    const sent = request.body
    const changed = { ...before, ...sent }
    judgeChange(request, sent, changed)
    const isUnchanged = before.enabled && before.gap === changed.gap
    const next = isUnchanged ? nextAt : request.now + (changed.gap ?? 0) * minute
    request.log({ type: 'service_update_snapshot_configuration', serviceId: request.ids.serviceId! })
    return configurations.replace(request, changed.enabled ? { ...changed, nextAt: next } : changed)
  },
} as const satisfies Handlers

export const faults = {
  'snapshot/list-agrees-with-get': inList('snapshot.list', list =>
    list.map(one => ({ ...one, sizeInBytes: Number(one.sizeInBytes) + 1 })),
  ),
  'snapshotConfiguration/pairs-are-kept': () => async (call, next, context) => {
    const answer = await next(call)
    const isFlatObject = /^\{"[^{]*\}$/.test(call.body)
    if (context.operation !== 'snapshotConfiguration.update' || succeeds(answer) || !isFlatObject) return answer
    const got = await next({ ...call, method: 'GET', body: '' })
    return succeeds(got) ? got : answer
  },
} as const satisfies Faults
