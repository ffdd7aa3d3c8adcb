import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { activity } from '../../../../fixtures/contract/organization/activity.ts'
import type { Model } from '../../../world/collection.ts'
import { recordSchema } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { organizations } from '../model.ts'
import { seedActivities } from './story.ts'

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
