import type { Sql } from '../../family.ts'
import { deriveFirstPassword, services } from '../model.ts'
import { answerService, readAwakeById } from './answer-service.ts'
import { answerQueryHost, queryHostPaths } from './query-host.ts'

export const sql: Sql = {
  paths: queryHostPaths,
  answerCall: answerQueryHost,
  answerInterface: answerService,
  readAwakeById,
  listIds: world => world.seededPlaces(services).flatMap(place => world.list(services, place).map(({ id }) => id)),
  firstPassword(world, organizationId, serviceId) {
    const service = world.in(services, organizationId).get(serviceId)
    return service && service.passwordHash === undefined ? deriveFirstPassword(world.seed, serviceId) : undefined
  },
}
