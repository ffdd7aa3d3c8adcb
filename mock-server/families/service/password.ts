import { groupBy } from '../../words/group-by.ts'
import { hash } from '../../words/hash.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import type { World } from '../../world/world.ts'
import { primaryOf, type Service, services } from './model.ts'

/** The initial password of a service. */
export const dealPassword = (seed: number, serviceId: string): string =>
  createRandom(seedOf(seed, 'service password', serviceId)).alphanumeric(16)

/** The services whose password has a hash: that of their warehouse, or the one that they were created with. */
export function servicesByHash(world: World, organizationId: string): ReadonlyMap<string, readonly Service[]> {
  return world.in(services, organizationId).derive('by password', all => {
    const hashOf = ({ id, passwordHash }: Service) => passwordHash ?? hash(dealPassword(world.seed, id))
    const pairs = all.flatMap(service => {
      const primary = service.isPrimary ? service : (primaryOf(all, service.dataWarehouseId) ?? service)
      return [...new Set([hashOf(primary), ...(service.passwordHash ? [service.passwordHash] : [])])].map(
        one => [one, service] as const,
      )
    })
    const grouped = groupBy(pairs, ([one]) => one)
    return new Map([...grouped].map(([one, list]) => [one, list.map(([, service]) => service)]))
  })
}
