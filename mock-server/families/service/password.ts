import { hash } from '../../words/hash.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { primaryOf, type Service } from './model.ts'

/** The password of a service that nobody has set one for. */
export const dealPassword = (seed: number, serviceId: string): string =>
  createRandom(seedOf(seed, 'service password', serviceId)).alphanumeric(16)

const hashOf = (seed: number, { id, passwordHash }: Service): string => passwordHash ?? hash(dealPassword(seed, id))

/** Whether a hash is that of the password of a service: that of its warehouse, or the one that it was created with. */
export function isPasswordHash(seed: number, all: readonly Service[], service: Service, hashed: string): boolean {
  const primary = service.isPrimary ? service : (primaryOf(all, service.dataWarehouseId) ?? service)
  return hashed === hashOf(seed, primary) || hashed === service.passwordHash
}
