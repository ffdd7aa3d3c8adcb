import { organizations } from '../../families/organization/model.ts'
import { clusterOf } from '../../families/service/make-service.ts'
import { type Service, services } from '../../families/service/model.ts'
import { servicesByHash } from '../../families/service/password.ts'
import { hash } from '../../words/hash.ts'
import type { MockWorld } from '../mock-world.ts'
import type { ServicePlace } from './site.ts'

/** A service that a caller may ask: in which world, and where. */
export interface FoundService {
  readonly world: MockWorld
  readonly service: Service
  readonly place: ServicePlace
}

/**
 * The services that a caller may mean: the one whose host begins with a word, if the password is its own, or those that the
 * password is good for where no service has this host.
 */
export function findServices(worlds: readonly MockWorld[], cluster: string, password: string): readonly FoundService[] {
  const hashed = hash(password)
  const good = worlds.flatMap(mockWorld => {
    const { world } = mockWorld.deployment()
    return world
      .in(organizations)
      .list()
      .flatMap(({ id: organizationId }) =>
        (servicesByHash(world, organizationId).get(hashed) ?? []).map(service => ({
          world: mockWorld,
          service,
          place: { organizationId, serviceId: service.id },
        })),
      )
  })
  const isNamed = ({ service }: { readonly service: Service }) => clusterOf(service) === cluster
  // A host that is one of a service's, or would be in another world, names that service alone.
  return worlds.flatMap(listServices).some(isNamed) ? good.filter(isNamed) : good
}

function listServices(mockWorld: MockWorld) {
  const { world } = mockWorld.deployment()
  return world
    .in(organizations)
    .list()
    .flatMap(({ id: organizationId }) => {
      const all = world.in(services, organizationId).list()
      return all.map(service => ({ world: mockWorld, service, all, place: { organizationId, serviceId: service.id } }))
    })
}

/** The ids of the services that are there, in all worlds, each with whether it is awake or about to be. */
export function surveyServices(worlds: readonly MockWorld[]): ReadonlyMap<string, boolean> {
  const awake = ['running', 'partially_running', 'degraded', 'awaking', 'starting']
  const states = new Map<string, boolean>()
  for (const one of worlds) {
    one.sql.world().elapse(one.sql.now())
    for (const { service, all } of listServices(one)) {
      // The process of a warehouse is that of its primary: it rests when none of its services is awake.
      const ofWarehouse = all.filter(({ dataWarehouseId }) => dataWarehouseId === service.dataWarehouseId)
      states.set(
        service.id,
        ofWarehouse.some(({ state }) => awake.includes(state)),
      )
    }
  }
  return states
}
