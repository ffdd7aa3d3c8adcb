import { day, hour } from '../../../words/durations.ts'
import type { Seeding } from '../../../world/collection.ts'
import { createObjectIds, createRandom, type Random, seedOf } from '../../../world/random.ts'
import { keys } from '../../key/model.ts'
import { services } from '../../service/model.ts'
import { invitations } from '../invitation/model.ts'
import { type Member, members } from '../member/model.ts'
import { organizations } from '../model.ts'
import type { Activity, NewActivity } from './model.ts'

/** Days before the start with daily activities. */
const storyDays = 28
/** Limit of people and of services with activities. */
const max = 100

interface Event {
  readonly at: number
  readonly by?: Member
  readonly act: NewActivity
}

/** The activities before the start, in order: the creation of what exists, and four weeks of daily work. */
export function* seedActivities(organizationId: string, from: Seeding): Iterable<Activity> {
  const { identitySeed, start, world } = from
  const organization = world.in(organizations).get(organizationId)
  const people = world.list(members, organizationId).slice(0, max)
  if (!organization || people.length === 0) return
  const random = createRandom(seedOf(from.seed, 'activities', organizationId))
  const events = [
    { at: Date.parse(organization.createdAt), by: people[0]!, act: { type: 'create_organization' } } as const,
    ...beginnings(organizationId, from, people, random),
    ...Array.from({ length: storyDays }, (_, ago) =>
      workOf(start - (ago + 1) * day, organizationId, from, people, random),
    ).flat(),
  ]
  const newId = createObjectIds(seedOf(identitySeed, 'activities', organizationId), '67')
  // Calls write the activities of what they create.
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

/** The creation of members, invitations, keys and services. */
function beginnings(
  organizationId: string,
  { world, start }: Seeding,
  people: readonly Member[],
  random: Random,
): readonly Event[] {
  const admins = people.filter(({ role }) => role === 'admin')
  /** An admin of that time, else the creator of the organization. */
  const adminAt = (at: number) => random.pick(admins.filter(one => Date.parse(one.joinedAt) < at)) ?? people[0]!
  const event = (text: string, act: NewActivity): Event => {
    const at = Date.parse(text)
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
      .slice(0, max)
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
function workOf(
  since: number,
  organizationId: string,
  { world }: Seeding,
  people: readonly Member[],
  random: Random,
): readonly Event[] {
  const there = people.filter(({ joinedAt }) => Date.parse(joinedAt) < since)
  const isWeekend = [0, 6].includes(new Date(since).getUTCDay())
  const at = () => since + random.int(0, day - 1)
  const signedIn = Array.from({ length: isWeekend ? random.int(0, 1) : random.int(1, 4) }, () => random.pick(there))
  const listed = world.list(services, organizationId).slice(0, max)
  const changeable = listed.filter(({ createdAt }) => Date.parse(createdAt) < since)
  const admins = there.filter(({ role }) => role === 'admin')
  return [
    ...signedIn
      .filter(by => by !== undefined)
      .map(by => ({ at: at(), by, act: { type: random.next() < 0.06 ? 'user_login_failed' : 'user_login' } }) as const),
    ...(isWeekend || admins.length === 0 || changeable.length === 0 || random.next() < 0.4
      ? []
      : [
          {
            at: at(),
            by: random.pick(admins),
            act: { type: random.pick(changes), serviceId: random.pick(changeable).id },
          },
        ]),
  ]
}

const changes = [
  'service_update_autoscaling_memory',
  'service_update_autoscaling_idling',
  'service_update_ip_access_list',
  'service_update_password',
  'service_update_release_channel',
] as const
