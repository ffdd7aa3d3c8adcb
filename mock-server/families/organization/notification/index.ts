import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { notification, type notificationType } from '../../../../fixtures/contract/organization/notification.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inCalls, inList } from '../../../faults/rewrite.ts'
import { day } from '../../../words/durations.ts'
import type { Model, Reaction } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { pick, recordSchema } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { backups } from '../../backup/model.ts'
import { clickPipes } from '../../click-pipe/model.ts'
import { answerList, type Family, type Handlers, type Request, readMoment } from '../../family.ts'
import { postgresServices } from '../../postgres/model.ts'
import { services } from '../../service/model.ts'
import { balances } from '../balance.ts'
import { organizations } from '../model.ts'
import { quotaOfServices } from '../quota.ts'

type Type = ValuesOf<typeof notificationType.fields>

/** `permission` is what a key needs to see notifications of the type. */
const makeType = (
  title: string,
  severity: Type['severity'],
  resourceType: Type['resourceType'],
  category: Type['category'],
  permission: string,
) => ({ title, severity, resourceType, category, permission, isConfigurable: category !== 'billing' })

/** The types of notifications. The vendor's document names the first; the names of the others are the mock's. */
const types = {
  service_backup_failed: makeType('Backup failed', 'warning', 'service', 'service', 'svc:view'),
  service_degraded: makeType('Service degraded', 'warning', 'service', 'service', 'svc:view'),
  service_failed: makeType('Service failed', 'critical', 'service', 'service', 'svc:view'),
  clickpipe_failed: makeType('ClickPipe failed', 'critical', 'clickpipe', 'clickpipe', 'svc:manage-clickpipes'),
  postgres_unavailable: makeType('Postgres service unavailable', 'critical', 'postgres', 'postgres', 'pg:view'),
  organization_quota_reached: makeType('Quota reached', 'warning', 'organization', 'service', 'org:view'),
  organization_credits_expiring: makeType('Credits expire soon', 'info', 'organization', 'billing', 'org:view-billing'),
}

type TypeName = keyof typeof types

type Notification = ValuesOf<typeof notification.fields> & {
  /** The service of a pipe; never part of an answer. */
  readonly serviceId?: string
}

const retention = 180 * day

interface Event {
  readonly type: TypeName
  readonly at: number
  readonly resourceId: string
  readonly resourceName?: string
  readonly serviceId?: string
  /** The beginning of the description. */
  readonly sentence: string
}

function makeNotification(seed: number, { type, at, sentence, ...about }: Event): Notification {
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

/** The notifications about states of failure. */
const failures: Readonly<Record<string, Pick<Event, 'type' | 'sentence'>>> = {
  degraded: { type: 'service_degraded', sentence: 'Some replicas of the service do not answer.' },
  failed: { type: 'service_failed', sentence: 'The service does not answer.' },
  Failed: { type: 'clickpipe_failed', sentence: 'The pipe stopped after an error of its source.' },
  InternalError: { type: 'clickpipe_failed', sentence: 'The pipe stopped after an internal error.' },
  unavailable: { type: 'postgres_unavailable', sentence: 'The Postgres service does not answer.' },
}

const listFailures = (state: string, about: Omit<Event, 'type' | 'sentence'>): readonly Event[] =>
  failures[state] ? [{ ...failures[state], ...about }] : []

const backupFailure = (resourceId: string, at: number): Event => ({
  type: 'service_backup_failed',
  at,
  resourceId,
  sentence: 'A scheduled backup did not complete.',
})

/** Creates notifications about changes to a failed state. `place` is the organization or service of the record. */
const onFailure = (model: Reaction['model']): Reaction => ({
  model,
  beforeWrite({ place, at, before, after }, world) {
    if (!after || before?.state === after.state) return
    const isPipe = model === clickPipes
    const about = { at, resourceId: after.id, ...(isPipe && { resourceName: after.name, serviceId: place }) }
    for (const event of listFailures(after.state, about))
      notify(world, isPipe ? organizationOf(world, place) : place, event)
  },
})

/** The organization of a service that is written to: as the service exists, its place is seeded already. */
const organizationOf = (world: World, serviceId: string): string | undefined =>
  world.seededPlaces(services).find(one => world.in(services, one).get(serviceId))

function notify(world: World, organizationId: string | undefined, event: Event): void {
  if (organizationId === undefined) return
  const all = world.in(notifications, organizationId)
  const made = makeNotification(world.seed, event)
  if (!all.get(made.id)) all.create(made)
}

const notifications: Model<Notification, 'notification'> = {
  name: 'notification',
  within: organizations,
  isNumerous: true,
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
      beforeWrite({ place, at, before, after }, world) {
        if (after?.status !== 'error' || before?.status === 'error') return
        notify(world, organizationOf(world, place), backupFailure(place, at))
      },
    },
    {
      model: services,
      beforeWrite({ place, at, before, after }, world) {
        const count = world.in(services, place).size + 1
        // The quota grows with the count, so it is reached at each full step.
        if (before || !after || count < quotaOfServices(count)) return
        const sentence = `The organization has ${count} services, as many as it may have.`
        notify(world, place, { type: 'organization_quota_reached', at, resourceId: place, sentence })
      },
    },
  ],
}

export const models = [notifications]
export const gapsOfPaths: Family['gapsOfPaths'] = [
  { form: 'cloud', path: /^\/v1\/organizations\/[^/]+\/notificationSettings$/, gap: 'service/other-operations' },
]

/** Time from the notification to the expiry of a balance. */
const expiryNotice = 14 * day

/** Notifications about expiring balances, which follow from the clock. */
const listExpiring = ({ list, world, now, ids }: Request): readonly Notification[] =>
  list(balances)
    .map(({ type, expirationDate }) => ({ type, to: Date.parse(expirationDate) }))
    .filter(({ to }) => to - expiryNotice <= now && to > now)
    .map(({ type, to }) =>
      makeNotification(world.seed, {
        type: 'organization_credits_expiring',
        at: to - expiryNotice,
        resourceId: ids.organizationId!,
        sentence: `Credits of a ${type} balance expire on ${new Date(to).toISOString().slice(0, 10)}.`,
      }),
    )

const mayUse = ({ actor }: Request, type: TypeName, instance?: string) =>
  actor.kind === 'key' && actor.may(types[type].permission, instance)

export const handlers = {
  'notification.list': request => {
    const { query } = request
    const sentence = 'Expected a date and time of RFC 3339'
    const from = readMoment(request, 'from_date', { sentence }) ?? Number.NEGATIVE_INFINITY
    const to = readMoment(request, 'to_date', { sentence }) ?? Number.POSITIVE_INFINITY
    const isMatch = (name: string, ...values: readonly (string | undefined)[]) =>
      query.get(name) === null || values.includes(query.get(name)!)
    const found = [...request.list(notifications), ...listExpiring(request)]
      .map(one => ({ one, at: Date.parse(one.createdAt) }))
      .filter(({ one, at }) => {
        const { resourceType, resourceId, serviceId = resourceId } = one
        const instance = resourceType === 'organization' ? undefined : serviceId
        const isWanted = at >= from && at <= to && isMatch('severity', one.severity) && isMatch('type', one.type)
        const isAbout = isMatch('resource_id', resourceId, serviceId) && isMatch('resource_type', resourceType)
        return isWanted && isAbout && mayUse(request, one.type as TypeName, instance)
      })
      .toSorted((a, b) => b.at - a.at)
    return answerList(found.map(({ one }) => pick(one, notification.fields)))
  },
  'notificationType.list': request =>
    answerList(
      Object.entries(types).map(([name, { permission: _, ...type }]) => ({
        name,
        ...type,
        isAvailable: mayUse(request, name as TypeName),
      })),
    ),
} as const satisfies Handlers

export const faults = {
  'notification/filter-holds': inCalls('notification.list', call => ({
    ...call,
    query: call.query.replace(/severity=[^&]*&?/, ''),
  })),
  'notification/type-is-listed': inList('notification.list', list =>
    list.map(one => ({ ...one, type: `${one.type}_before` })),
  ),
} as const satisfies Faults
