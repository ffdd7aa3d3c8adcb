import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { notification } from '../../../../fixtures/contract/organization/notification.ts'
import { day } from '../../../words/durations.ts'
import type { Model, Reaction } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { backups } from '../../backup/model.ts'
import { clickPipes } from '../../click-pipe/model.ts'
import { postgresServices } from '../../postgres/model.ts'
import { services } from '../../service/model.ts'
import { organizations } from '../model.ts'
import { quotaOfServices } from '../quota.ts'
import { type TypeName, types } from './types.ts'

export type Notification = ValuesOf<typeof notification.fields> & {
  /** The service of a pipe; not answered. */
  readonly serviceId?: string
}

const retention = 180 * day

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
const failures: Readonly<Record<string, Pick<Event, 'type' | 'sentence'>>> = {
  degraded: { type: 'service_degraded', sentence: 'Some replicas of the service do not answer.' },
  failed: { type: 'service_failed', sentence: 'The service does not answer.' },
  Failed: { type: 'clickpipe_failed', sentence: 'The pipe stopped after an error of its source.' },
  InternalError: { type: 'clickpipe_failed', sentence: 'The pipe stopped after an internal error.' },
  unavailable: { type: 'postgres_unavailable', sentence: 'The Postgres service does not answer.' },
}

const listFailures = (state: string, about: Omit<Event, 'type' | 'sentence'>): readonly Event[] =>
  failures[state] ? [{ ...failures[state], ...about }] : []

const backupFailure = (resourceId: string, at: number): Event => {
  return { type: 'service_backup_failed', at, resourceId, sentence: 'A scheduled backup did not complete.' }
}

/** Creates notifications about changes to a failed state. `place` is the organization or service of the record. */
const onFailure = (model: Reaction['model']): Reaction => ({
  model,
  onWrite({ place, at, before, after }, world) {
    if (!after || before?.state === after.state) return
    const isPipe = model === clickPipes
    const about = { at, resourceId: after.id, ...(isPipe && { resourceName: after.name, serviceId: place }) }
    for (const event of listFailures(after.state, about))
      notify(world, isPipe ? organizationOf(world, place) : place, event)
  },
})

const organizationOf = (world: World, serviceId: string): string | undefined =>
  world.seededPlaces(services).find(one => world.in(services, one).get(serviceId))

function notify(world: World, organizationId: string | undefined, event: Event): void {
  if (organizationId === undefined) return
  const all = world.in(notifications, organizationId)
  const made = makeNotification(world.seed, event)
  if (!all.get(made.id)) all.create(made)
}

export const notifications: Model<Notification, 'notification'> = {
  name: 'notification',
  within: organizations,
  documents: true,
  record: recordSchema(notification.fields, { serviceId: z.string().optional() }),
  /** Notifications about seeded failures. */
  seed(organizationId, { world, seed, start }) {
    const events = world.list(services, organizationId).flatMap(({ id: serviceId, state, createdAt }) => [
      ...world
        .list(backups, serviceId)
        .filter(({ status, startedAt }) => status === 'error' && Date.parse(startedAt) > start - retention)
        .map(({ startedAt }) => backupFailure(serviceId, Date.parse(startedAt))),
      ...listFailures(state, { at: Math.max(Date.parse(createdAt), start - day), resourceId: serviceId }),
      ...world
        .list(clickPipes, serviceId)
        .flatMap(({ id: resourceId, name: resourceName, state, updatedAt }) =>
          listFailures(state, { at: Date.parse(updatedAt), resourceId, resourceName, serviceId }),
        ),
    ])
    return events.map(event => makeNotification(seed, event))
  },
  defaults: (organizationId, at, world) =>
    makeNotification(world.seed, backupFailure(world.list(services, organizationId)[0]?.id ?? organizationId, at)),
  nextChangeAt: ({ createdAt }) => Date.parse(createdAt) + retention,
  applyChange: () => undefined,
  reactions: [
    onFailure(services),
    onFailure(clickPipes),
    onFailure(postgresServices),
    {
      model: backups,
      onWrite({ place, at, before, after }, world) {
        if (after?.status !== 'error' || before?.status === 'error') return
        notify(world, organizationOf(world, place), backupFailure(place, at))
      },
    },
    {
      model: services,
      onWrite({ place, at, before, after }, world) {
        const count = world.in(services, place).size + 1
        if (before || !after || count < quotaOfServices(count)) return
        const sentence = `The organization has ${count} services, as many as it may have.`
        notify(world, place, { type: 'organization_quota_reached', at, resourceId: place, sentence })
      },
    },
  ],
}
