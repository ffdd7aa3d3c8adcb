import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { recordOf, time } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import type { Actor } from '../family.ts'
import { organizations } from '../organization/model.ts'

/** What was done in an organization, by whom, from where. */
export interface Activity {
  readonly id: string
  readonly createdAt: string
  /** Such as `service_create`. */
  readonly type: string
  readonly actorType: 'user' | 'support' | 'system' | 'api'
  readonly actorId?: string
  readonly actorDetails?: string
  readonly actorIpAddress?: string
  readonly organizationId: string
  readonly serviceId?: string
  readonly [field: string]: unknown
}

/** What a handler says of an activity; who did it, when and where follows from the call. */
export type Act = { readonly type: string; readonly serviceId?: string } & Readonly<Record<string, unknown>>

export const activities: Model<Activity, 'activity'> = {
  name: 'activity',
  within: organizations,
  record: recordOf({ createdAt: time, type: z.string() }) as unknown as Model<Activity>['record'],
  key: ({ id }) => id,
  usual: (organizationId, at, world) => ({
    id: world.newObjectId(),
    createdAt: new Date(at).toISOString(),
    type: 'service_update',
    actorType: 'system',
    organizationId,
  }),
}

/** Writes what a caller did. */
export function logByCaller(world: World, organizationId: string, at: number, actor: Actor, act: Act): void {
  const caller =
    actor.kind === 'key'
      ? { actorType: 'api', actorId: actor.id, actorDetails: actor.name, actorIpAddress: actor.address }
      : { actorType: 'user' }
  world.in(activities, organizationId).create({
    id: world.newObjectId(),
    createdAt: new Date(at).toISOString(),
    ...act,
    ...(caller as Pick<Activity, 'actorType'>),
    organizationId,
  })
}

/** Writes what time did by itself. */
export function logBySystem(world: World, organizationId: string, at: number, act: Act): void {
  world.in(activities, organizationId).create({
    id: world.newObjectId(),
    createdAt: new Date(at).toISOString(),
    ...act,
    actorType: 'system',
    organizationId,
  })
}
