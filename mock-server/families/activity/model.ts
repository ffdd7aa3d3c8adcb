import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { activity } from '../../../fixtures/contract/organization/activity.ts'
import type { Collection, Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import type { Actor } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { seedActivities } from './story.ts'

/** An activity in an organization: what was done, by whom, from where. */
export type Activity = ValuesOf<typeof activity.fields>

/** The fields of an activity that a handler sets; actor, time and address follow from the call. */
export type Act = Pick<
  Activity,
  'type' | 'serviceId' | 'targetKeyId' | 'keyUpdateType' | 'targetRoleIds' | 'targetRoleNames' | 'targetActorIds'
>

export const activities: Model<Activity, 'activity'> = {
  name: 'activity',
  within: organizations,
  record: recordWith(activity.fields),
  seed: seedActivities,
  usual: (organizationId, at, world) => ({
    id: world.newObjectId(),
    createdAt: new Date(at).toISOString(),
    type: 'user_login',
    actorType: 'system',
    organizationId,
  }),
}

/** The id, organization and time of an activity. */
interface Standing {
  readonly id: string
  readonly organizationId: string
  readonly at: number
}

export function logByCaller(log: Collection<Activity>, standing: Standing, actor: Actor, act: Act): void {
  if (actor.kind !== 'key') return
  const { id: actorId, name: actorDetails, address: actorIpAddress, userAgent } = actor
  const caller = { actorId, actorDetails, ...(actorIpAddress !== undefined && { actorIpAddress }) }
  log.create(write(standing, { ...act, actorType: 'api', ...caller, ...(userAgent !== undefined && { userAgent }) }))
}

/** Writes an activity of the system, such as a service that idles. */
export function logBySystem(world: World, organizationId: string, at: number, act: Act): void {
  const standing = { id: world.newObjectId(), organizationId, at }
  world.in(activities, organizationId).create(write(standing, { ...act, actorType: 'system' }))
}

const write = (
  { id, organizationId, at }: Standing,
  done: Omit<Activity, 'id' | 'createdAt' | 'organizationId'>,
): Activity => ({ id, createdAt: new Date(at).toISOString(), ...done, organizationId })
