import { z } from 'zod/v3'
import type { Model } from '../../../world/collection.ts'
import { recordOf } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { backupConfigurations } from '../../backup/backup-configuration/model.ts'
import { isServing, type Service, services } from '../../service/model.ts'
import { organizations } from '../model.ts'

/** The properties of a service that determine its cost per hour. */
interface Metered {
  readonly serviceId: string
  readonly name: string
  readonly dataWarehouseId: string
  readonly isPrimary: boolean
  readonly createdAt: number
  readonly isServing: boolean
  /** The least and the most memory of all its replicas. */
  readonly minGb: number
  readonly maxGb: number
  /** How many backups are kept. */
  readonly backups: number
}

/** A period of constant cost per hour, in epoch milliseconds. */
export interface Meter extends Metered {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The periods that have ended, also of deleted services. The current one follows from the service. */
export const meters: Model<Meter, 'meter'> = {
  name: 'meter',
  within: organizations,
  documents: true,
  record: recordOf({
    serviceId: z.string(),
    name: z.string(),
    dataWarehouseId: z.string().optional(),
    isPrimary: z.boolean().optional(),
    createdAt: z.number().optional(),
    isServing: z.boolean().optional(),
    leastGb: z.number().optional(),
    mostGb: z.number().optional(),
    backups: z.number().optional(),
    from: z.number(),
    to: z.number(),
  }),
  reactions: [
    {
      model: services,
      onWrite({ place, at, before, after }, world) {
        if (before) closeIfChanged(world, place, at, meter(world, before), after && meter(world, after))
      },
    },
    {
      model: backupConfigurations,
      onWrite({ place, at, before, after }, world) {
        const organizationId = world.seededPlaces(services).find(one => world.in(services, one).get(place)) ?? ''
        const service = world.in(services, organizationId).get(place)
        if (!before || !service) return
        const metered = meter(world, service)
        const backups = after && keptBackups(after)
        closeIfChanged(world, organizationId, at, metered, { ...metered, backups })
      },
    },
  ],
}

function closeIfChanged(world: World, organizationId: string, at: number, before: Metered, after?: Metered): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const known = world.in(meters, organizationId)
  const from = known.list().findLast(({ serviceId }) => serviceId === before.serviceId)?.to ?? before.createdAt
  if (from < at) known.create({ ...before, id: world.newObjectId(), from, to: at })
}

function meter(world: World, service: Service): Metered {
  const { id: serviceId, name, dataWarehouseId = serviceId, isPrimary = true, numReplicas = 1 } = service
  const { minReplicaMemoryGb = 0, maxReplicaMemoryGb = 0 } = service
  const [configuration] = isPrimary ? world.list(backupConfigurations, serviceId) : []
  return {
    serviceId,
    name,
    dataWarehouseId,
    isPrimary,
    createdAt: Date.parse(service.createdAt),
    isServing: isServing(service),
    minGb: numReplicas * minReplicaMemoryGb,
    maxGb: numReplicas * maxReplicaMemoryGb,
    backups: configuration ? keptBackups(configuration) : 0,
  }
}

type Kept = { readonly backupPeriodInHours: number; readonly backupRetentionPeriodInHours: number }
const keptBackups = (one: Kept) => Math.max(1, one.backupRetentionPeriodInHours / one.backupPeriodInHours)

/** All periods of an organization up to now, by the age of their service. */
export function metersOf(world: World, organizationId: string, now: number): readonly Omit<Meter, 'id'>[] {
  const ended = world.list(meters, organizationId)
  const last = new Map(ended.map(({ serviceId, to }) => [serviceId, to]))
  const going = world.list(services, organizationId).map(service => {
    const metered = meter(world, service)
    return { ...metered, from: last.get(metered.serviceId) ?? metered.createdAt, to: now }
  })
  return [...ended, ...going].toSorted((a, b) => a.createdAt - b.createdAt)
}

/** The start of the current uptime of a service, in epoch milliseconds. */
export function servingSince(world: World, organizationId: string, { id, createdAt }: Service): number {
  const last = world.list(meters, organizationId).findLast(one => one.serviceId === id && !one.isServing)
  return last?.to ?? Date.parse(createdAt)
}
