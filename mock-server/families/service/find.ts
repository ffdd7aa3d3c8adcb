import { Refusal } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import { primaryOf, type Service, services } from './model.ts'

/** The service of the path. */
export function find(request: Request): Service {
  const service = request.in(services).get(request.ids.serviceId!)
  if (service) return service
  throw new Refusal('unknownId', request.ids.serviceId!, { gap: 'backup/unknown-service' })
}

/** The service of the path, or the primary that it shares its data with. */
export function findPrimary(request: Request): Service {
  const service = find(request)
  return service.isPrimary ? service : (primaryOf(request.in(services).list(), service.dataWarehouseId) ?? service)
}
