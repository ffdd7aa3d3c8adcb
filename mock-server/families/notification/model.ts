import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { notification } from '../../../fixtures/contract/organization/notification.ts'
import { day } from '../../words/durations.ts'
import type { Following, Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { backups } from '../backup/model.ts'
import { clickPipes } from '../click-pipe/model.ts'
import { organizations } from '../organization/model.ts'
import { postgresServices } from '../postgres/model.ts'
import { quotaOfServices } from '../quota/index.ts'
import { services } from '../service/model.ts'
import { type TypeName, types } from './types.ts'

export type Notification = ValuesOf<typeof notification.fields> & {
  /** The service of a pipe; not answered. */
  readonly serviceId?: string
}

const kept = 180 * day

interface Event {
  readonly type: TypeName
  readonly at: number
  readonly resourceId: string
  readonly resourceName?: string
  readonly serviceId?: string
  /** The description. */
  readonly sentence: string
}

export function makeNotification(seed: number, { type, at, sentence, ...about }: Event): Notification {
  const { title, severity, resourceType } = types[type]
  const { resourceName, resourceId } = about
  return {
    ...about,
    id: createRandom(seedOf(seed, 'notification', type, resourceId, at)).uuid(),
    type,
    severity,
    resourceType,
    createdAt: new Date(at).toISOString(),
    title: resourceName === undefined ? title : `${title}: ${resourceName}`,
    description: `${sentence} Review it in the console (https://console.clickhouse.cloud).`,
  }
}

/** The notifications about failed states. */
const interpret: Readonly<Record<string, readonly [type: TypeName, sentence: string]>> = {
  degraded: ['service_degraded', 'Some replicas of the service do not answer.'],
  failed: ['service_failed', 'The service does not answer.'],
  Failed: ['clickpipe_failed', 'The pipe stopped after an error of its source.'],
  InternalError: ['clickpipe_failed', 'The pipe stopped after an internal error.'],
  unavailable: ['postgres_unavailable', 'The Postgres service does not answer.'],
}

/** Creates notifications about changes to a failed state. `place` is the organization or service of the record. */
const onFailure = (model: Following['model']): Following => ({
  model,
  written({ place, at, before, after }, world) {
    const [type, sentence] = interpret[after?.state] ?? []
    if (!type || !sentence || before?.state === after.state) return
    const isPipe = model === clickPipes
    const resourceName = isPipe ? after.name : undefined
    tell(world, isPipe ? organizationOf(world, place) : place, {
      type,
      sentence,
      at,
      resourceId: after.id,
      resourceName,
      ...(isPipe && { serviceId: place }),
    })
  },
})

const organizationOf = (world: World, serviceId: string): string | undefined =>
  world.opened(services).find(one => world.in(services, one).get(serviceId))

function tell(world: World, organizationId: string | undefined, event: Event): void {
  if (organizationId === undefined) return
  const all = world.in(notifications, organizationId)
  const made = makeNotification(world.seed, event)
  if (!all.get(made.id)) all.create(made)
}

const backupFailed = 'A scheduled backup did not complete.'

export const notifications: Model<Notification, 'notification'> = {
  name: 'notification',
  within: organizations,
  documents: true,
  record: recordWith(notification.fields, { serviceId: z.string().optional() }),
  /** Notifications about seeded failures. */
  *seed(organizationId, { world, seed, start }) {
    for (const { id: serviceId, state, createdAt } of world.list(services, organizationId)) {
      for (const { status, startedAt } of world.list(backups, serviceId))
        if (status === 'error' && Date.parse(startedAt) > start - kept)
          yield makeNotification(seed, {
            type: 'service_backup_failed',
            resourceId: serviceId,
            at: Date.parse(startedAt),
            sentence: backupFailed,
          })
      const [type, sentence] = interpret[state] ?? []
      const at = Math.max(Date.parse(createdAt), start - day)
      if (type && sentence) yield makeNotification(seed, { type, sentence, at, resourceId: serviceId })
      for (const pipe of world.list(clickPipes, serviceId)) {
        const [kind, why] = interpret[pipe.state] ?? []
        if (!kind || !why) continue
        const { id: resourceId, name: resourceName, updatedAt } = pipe
        const moment = Date.parse(updatedAt)
        yield makeNotification(seed, { type: kind, sentence: why, at: moment, resourceId, resourceName, serviceId })
      }
    }
  },
  usual: (organizationId, at, world) =>
    makeNotification(world.seed, {
      type: 'service_backup_failed',
      at,
      sentence: backupFailed,
      resourceId: world.list(services, organizationId)[0]?.id ?? organizationId,
    }),
  next: ({ createdAt }) => Date.parse(createdAt) + kept,
  elapse: () => undefined,
  follows: [
    onFailure(services),
    onFailure(clickPipes),
    onFailure(postgresServices),
    {
      model: backups,
      written({ place, at, before, after }, world) {
        if (after?.status !== 'error' || before?.status === 'error') return
        const event = { type: 'service_backup_failed', at, resourceId: place, sentence: backupFailed } as const
        tell(world, organizationOf(world, place), event)
      },
    },
    {
      model: services,
      written({ place, at, before, after }, world) {
        const count = world.in(services, place).size + 1
        if (before || !after || count < quotaOfServices(count)) return
        const sentence = `The organization has ${count} services, as many as it may have.`
        tell(world, place, { type: 'organization_quota_reached', at, resourceId: place, sentence })
      },
    },
  ],
}
