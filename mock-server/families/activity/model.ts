import { activity } from '../../../fixtures/contract/activity.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { Model } from '../../world/collection.ts'
import { dealObjectIds } from '../../world/object-ids.ts'
import { seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import type { Seeding } from '../../world/seeding.ts'
import type { World } from '../../world/world.ts'
import type { Actor } from '../family.ts'
import { members } from '../member/model.ts'
import { organizations } from '../organization/model.ts'
import { services } from '../service/model.ts'

/** What was done in an organization, by whom, from where. */
export type Activity = ValuesOf<typeof activity.fields>

/** What a handler says of an activity; who did it, when and where follows from the call. */
export type Act = Pick<Activity, 'type' | 'serviceId' | 'targetKeyId' | 'keyUpdateType'>

export const activities: Model<Activity, 'activity'> = {
  name: 'activity',
  within: organizations,
  record: recordWith(activity.fields) as unknown as Model<Activity>['record'],
  key: ({ id }) => id,
  seed: layOutActivities,
  usual: (organizationId, at, world) => ({
    id: world.newObjectId(),
    createdAt: new Date(at).toISOString(),
    type: 'user_login',
    actorType: 'system',
    organizationId,
  }),
}

/** The organization and its services were created by its first member. */
function layOutActivities(organizationId: string, { identity, start, world }: Seeding): readonly Activity[] {
  const organization = world.in(organizations).get(organizationId)
  const creator = world.in(members, organizationId).list()[0]
  if (!organization || !creator) return []
  const newId = dealObjectIds(seedOf(identity, 'activities', organizationId), '67')
  const byCreator = (act: Act, createdAt: string): Activity => ({
    id: newId(),
    createdAt,
    ...act,
    actorType: 'user',
    actorId: creator.userId,
    actorDetails: creator.email,
    actorIpAddress: '203.0.113.7',
    organizationId,
  })
  // Those that were created since have their activity from the call that did it.
  const created = world
    .in(services, organizationId)
    .list()
    .filter(({ createdAt }) => Date.parse(createdAt) <= start)
  return [
    byCreator({ type: 'create_organization' }, organization.createdAt),
    ...created.map(({ id, createdAt }) => byCreator({ type: 'service_create', serviceId: id }, createdAt)),
  ]
}

/** Writes what a caller did. */
export function logByCaller(world: World, organizationId: string, at: number, actor: Actor, act: Act): void {
  if (actor.kind !== 'key') return
  const { id: actorId, name: actorDetails, address: actorIpAddress } = actor
  const caller = { actorId, actorDetails, ...(actorIpAddress !== undefined && { actorIpAddress }) }
  write(world, organizationId, at, { ...act, actorType: 'api', ...caller })
}

/** Writes what time did by itself. */
export function logBySystem(world: World, organizationId: string, at: number, act: Act): void {
  write(world, organizationId, at, { ...act, actorType: 'system' })
}

function write(
  world: World,
  organizationId: string,
  at: number,
  done: Omit<Activity, 'id' | 'createdAt' | 'organizationId'>,
): void {
  const written = { id: world.newObjectId(), createdAt: new Date(at).toISOString(), ...done, organizationId }
  world.in(activities, organizationId).create(written)
}
