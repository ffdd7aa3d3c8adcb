import { organizations } from '../../families/organization/model.ts'
import { clusterOf } from '../../families/service/make-service.ts'
import { type Service, services } from '../../families/service/model.ts'
import { servicesByHash } from '../../families/service/password.ts'
import { hash } from '../../words/hash.ts'
import type { MockWorld } from '../mock-world.ts'
import type { ServicePlace } from './site.ts'

export interface ServiceMatch {
  readonly world: MockWorld
  readonly service: Service
  readonly place: ServicePlace
}

/**
 * The services that a call may be for: the one whose host begins with `cluster`, if it has this password; if no service has
 * this host, all services with this password.
 */
export function findServices(worlds: readonly MockWorld[], cluster: string, password: string): readonly ServiceMatch[] {
  const hashed = hash(password)
  const all = worlds.flatMap(listServices)
  const named = all.filter(({ service }) => clusterOf(service) === cluster)
  return (named.length > 0 ? named : all).filter(({ world, service, place }) =>
    servicesByHash(world.deployment().world, place.organizationId).get(hashed)?.includes(service),
  )
}

function listServices(mockWorld: MockWorld) {
  const { world } = mockWorld.deployment()
  return world.list(organizations).flatMap(({ id: organizationId }) => {
    const all = world.list(services, organizationId)
    return all.map(service => ({ world: mockWorld, service, all, place: { organizationId, serviceId: service.id } }))
  })
}

/** The ids of all services, and whether each is awake or awaking. */
export function findAwakeServices(worlds: readonly MockWorld[]): ReadonlyMap<string, boolean> {
  const awake = ['running', 'partially_running', 'degraded', 'awaking', 'starting']
  const states = new Map<string, boolean>()
  for (const one of worlds) {
    one.sql.world().applyTime(one.sql.now())
    for (const { service, all } of listServices(one)) {
      // A warehouse has one process, which is needed while any of its services is awake.
      const ofWarehouse = all.filter(({ dataWarehouseId }) => dataWarehouseId === service.dataWarehouseId)
      states.set(
        service.id,
        ofWarehouse.some(({ state }) => awake.includes(state)),
      )
    }
  }
  return states
}
