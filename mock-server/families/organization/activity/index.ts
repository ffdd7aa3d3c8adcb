import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { activity } from '../../../../fixtures/contract/organization/activity.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inCalls, inList } from '../../../faults/rewrite.ts'
import { day, hour } from '../../../words/durations.ts'
import { Refusal, unknownId } from '../../../words/refusal.ts'
import type { Model, Seeding } from '../../../world/collection.ts'
import { writeWithLag } from '../../../world/lag.ts'
import { createObjectIds, createRandom, type Random, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { answerList, answerObject, type Handlers, type Request, readMoment } from '../../family.ts'
import { keys } from '../../key/model.ts'
import { services } from '../../service/model.ts'
import { invitations } from '../invitation/index.ts'
import { type Member, members } from '../member/index.ts'
import { organizations } from '../model.ts'

/** An activity in an organization: what was done, by whom, from where. */
export type Activity = ValuesOf<typeof activity.fields>

/** The fields of an activity that a handler sets; actor, time and address follow from the call. */
export type NewActivity = Pick<
  Activity,
  'type' | 'serviceId' | 'targetKeyId' | 'keyUpdateType' | 'targetRoleIds' | 'targetRoleNames' | 'targetActorIds'
>

export const activities: Model<Activity, 'activity'> = {
  name: 'activity',
  within: organizations,
  isLog: true,
  isListedNewestFirst: true,
  record: recordSchema(activity.fields),
  seed: seedActivities,
  defaults: (organizationId, at, world) => ({
    id: world.newObjectId(),
    createdAt: new Date(at).toISOString(),
    type: 'user_login',
    actorType: 'system',
    organizationId,
  }),
}

/** Writes an activity of the system, such as a service that idles. */
export function logBySystem(world: World, organizationId: string, at: number, act: NewActivity): void {
  const [id, createdAt] = [world.newObjectId(), new Date(at).toISOString()]
  world.in(activities, organizationId).create({ id, createdAt, ...act, actorType: 'system', organizationId })
}

/** Days before the start with daily activities. */
const storyDays = 28
/** The most members, and the most services, that have seeded activities. */
const maxSubjects = 100

interface Event {
  readonly at: number
  readonly by?: Member
  readonly act: NewActivity
}

/** The activities before the start, in order: the creation of existing records, and four weeks of daily work. */
function* seedActivities(organizationId: string, seeding: Seeding): Iterable<Activity> {
  const { identitySeed, start, world } = seeding
  const organization = world.in(organizations).get(organizationId)
  const people = world.list(members, organizationId).slice(0, maxSubjects)
  if (!organization || people.length === 0) return
  const random = createRandom(seedOf(seeding.seed, 'activities', organizationId))
  const events = [
    { at: Date.parse(organization.createdAt), by: people[0]!, act: { type: 'create_organization' } } as const,
    ...listCreations(organizationId, seeding, people, random),
    ...Array.from({ length: storyDays }, (_, ago) =>
      listDailyWork(start - (ago + 1) * day, organizationId, seeding, people, random),
    ).flat(),
  ]
  const newId = createObjectIds(seedOf(identitySeed, 'activities', organizationId), '67')
  // A record created since the start already has the activity of the call that created it.
  for (const { at, by, act } of events.filter(one => one.at < start).toSorted((a, b) => a.at - b.at))
    yield {
      id: newId(),
      createdAt: new Date(at).toISOString(),
      ...act,
      ...(by ? userOf(by, people) : system),
      organizationId,
    }
}

const system = { actorType: 'system' } as const
const userOf = (by: Member, people: readonly Member[]) => ({
  ...({ actorType: 'user', actorId: by.userId, actorDetails: by.email } as const),
  actorIpAddress: `203.0.113.${10 + people.indexOf(by)}`,
})

/** The creation of members, invitations, keys and services, and what made a service idle or stopped. */
function listCreations(
  organizationId: string,
  { world, start }: Seeding,
  people: readonly Member[],
  random: Random,
): readonly Event[] {
  const admins = people.filter(({ role }) => role === 'admin')
  /** Someone who was an admin at that time, else the creator of the organization. */
  const adminAt = (at: number) => random.pick(admins.filter(one => Date.parse(one.joinedAt) < at)) ?? people[0]!
  const event = (createdAt: string, act: NewActivity): Event => {
    const at = Date.parse(createdAt)
    return { at, by: adminAt(at), act }
  }
  return [
    ...people.slice(1).flatMap(by => {
      const at = Date.parse(by.joinedAt)
      const invited = at - random.int(1, 70) * hour
      return [
        { at: invited, by: adminAt(invited), act: { type: 'organization_invite_create' } } as const,
        { at, by, act: { type: 'organization_member_join' } } as const,
      ]
    }),
    ...world.list(invitations, organizationId).map(one => event(one.createdAt, { type: 'organization_invite_create' })),
    ...world
      .list(keys)
      .filter(one => one.organizationId === organizationId)
      .map(one => event(one.createdAt, { type: 'openapi_key_update', targetKeyId: one.id, keyUpdateType: 'created' })),
    ...world
      .list(services, organizationId)
      .slice(0, maxSubjects)
      .flatMap(({ id: serviceId, createdAt, state }) => [
        event(createdAt, { type: 'service_create', serviceId }),
        ...(state === 'idle' ? [{ at: start - hour, act: { type: 'service_idle', serviceId } } as const] : []),
        ...(state === 'stopped'
          ? [{ at: start - storyDays * day, by: people[0]!, act: { type: 'service_stop', serviceId } } as const]
          : []),
      ]),
  ]
}

/** The activities of a day: some people sign in, and on weekdays an admin may change a service. */
function listDailyWork(
  dayStart: number,
  organizationId: string,
  { world }: Seeding,
  people: readonly Member[],
  random: Random,
): readonly Event[] {
  const joined = people.filter(({ joinedAt }) => Date.parse(joinedAt) < dayStart)
  const isWeekend = [0, 6].includes(new Date(dayStart).getUTCDay())
  const at = () => dayStart + random.int(0, day - 1)
  const signedIn = Array.from({ length: isWeekend ? random.int(0, 1) : random.int(1, 4) }, () => random.pick(joined))
  const listed = world.list(services, organizationId).slice(0, maxSubjects)
  const changeable = listed.filter(({ createdAt }) => Date.parse(createdAt) < dayStart)
  const admins = joined.filter(({ role }) => role === 'admin')
  const changesService = !isWeekend && admins.length > 0 && changeable.length > 0 && random.next() >= 0.4
  return [
    ...signedIn
      .filter(by => by !== undefined)
      .map(by => ({ at: at(), by, act: { type: random.next() < 0.06 ? 'user_login_failed' : 'user_login' } }) as const),
    ...(changesService
      ? [
          {
            at: at(),
            by: random.pick(admins),
            act: { type: random.pick(changeTypes), serviceId: random.pick(changeable).id },
          },
        ]
      : []),
  ]
}

const changeTypes = [
  'service_update_autoscaling_memory',
  'service_update_autoscaling_idling',
  'service_update_ip_access_list',
  'service_update_password',
  'service_update_release_channel',
] as const

export const models = [activities]

/** Seeds the activities if they are not seeded yet: before the call changes the records that they describe. */
export const beforeActivities = ({ world, ids: { organizationId } }: Request): void => {
  if (organizationId) world.in(activities, organizationId)
}

/** Writes what the caller did into the log of the organization. */
export function log({ world, now, actor, choice, ids }: Request, act: NewActivity): void {
  if (actor.kind !== 'key') return
  const organizationId = ids.organizationId!
  const all = world.in(activities, organizationId)
  const isLate = choice('activity/list-after-act') === 'seconds later'
  const written = isLate ? writeWithLag(world, all, ({ id }) => id, { now, until: now + lagOf(world) }) : all
  const { id: actorId, name: actorDetails, address: actorIpAddress, userAgent } = actor
  written.create({
    id: world.newObjectId(),
    createdAt: new Date(now).toISOString(),
    ...act,
    ...({ actorType: 'api', actorId, actorDetails } as const),
    ...(actorIpAddress !== undefined && { actorIpAddress }),
    ...(userAgent !== undefined && { userAgent }),
    organizationId,
  })
}

/** With the choice `seconds later`: milliseconds until an activity is listed, half of what the contract allows. */
const lagOf = ({ contract }: World) => ((contract.operations['activity.list']?.lagInSeconds ?? 0) / 2) * 1000

/** A shorter id is refused as malformed. */
const minIdLength = 20

export const handlers = {
  'activity.list': request => {
    // A date without a time stands for the whole UTC day.
    const from = readMoment(request, 'from_date', { timeOfDay: '00:00:00' }) ?? Number.NEGATIVE_INFINITY
    const to = readMoment(request, 'to_date', { timeOfDay: '23:59:59.999' }) ?? Number.POSITIVE_INFINITY
    const listed = request
      .list(activities)
      .map(activity => [Date.parse(activity.createdAt), activity] as const)
      .filter(([at]) => from <= at && at <= to)
      // Newest first; at the same moment, the last written first.
      .toReversed()
      .toSorted(([a], [b]) => b - a)
    return answerList(listed.map(([, activity]) => activity))
  },
  'activity.get': request => {
    const { activityId = '' } = request.ids
    const found = request.in(activities).get(activityId)
    if (found) return answerObject(found)
    if (activityId.length >= minIdLength) throw unknownId('Activity')
    const sentence = `BAD_REQUEST length is too small: ${activityId.length} < ${minIdLength}`
    throw new Refusal('malformed', sentence, { omitsCode: true, gap: 'path/malformed-id' })
  },
} as const satisfies Handlers

export const faults = {
  'activity/dates-limit-the-list': inCalls('activity.list', call => ({ ...call, query: '' })),
  'activity/what-was-done-is-listed': inList('activity.list', list => list.filter(one => one.actorType !== 'api')),
} as const satisfies Faults
