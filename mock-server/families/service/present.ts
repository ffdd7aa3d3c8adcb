import { service as serviceResource } from '../../../fixtures/contract/service/resources.ts'
import { Refusal } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import { pick } from '../../world/record.ts'
import { answerObject, type Request } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { clusterOf, primaryOf, type Service, services } from './model.ts'
import { currentScalingOf, scheduleOf } from './schedule.ts'

export function find(request: Request): Service {
  const service = request.in(services).get(request.ids.serviceId!)
  if (service) return service
  throw new Refusal('unknownId', request.ids.serviceId!, { gap: 'backup/unknown-service' })
}

/** The service of the path, or the primary that it shares its data with. */
export function findPrimary(request: Request): Service {
  const service = find(request)
  return service.isPrimary ? service : (primaryOf(request.list(services), service.dataWarehouseId) ?? service)
}

/** The answer for a service: its record, and what follows from record, clock and organization. */
export function present(request: Request, service: Service): object {
  const { privateEndpoints = [] } = request.in(organizations).get(request.ids.organizationId!) ?? {}
  const { minReplicaMemoryGb = 0, maxReplicaMemoryGb = 0, autoscalingMode } = service
  const derived = {
    // The totals are three times the memory of a replica, however many replicas there are.
    ...(autoscalingMode === 'horizontal'
      ? { numReplicas: undefined, replicaMemoryGb: minReplicaMemoryGb }
      : { minTotalMemoryGb: 3 * minReplicaMemoryGb, maxTotalMemoryGb: 3 * maxReplicaMemoryGb }),
    availablePrivateEndpointIds: privateEndpoints
      .filter(({ cloudProvider, region }) => cloudProvider === service.provider && region === service.region)
      .map(({ id }) => id),
    endpoints: service.endpoints.map(one => ({
      ...one,
      ...(one.protocol === 'https' && request.sqlEndpoint(clusterOf(service))),
    })),
    scalingSchedule: scheduleOf(service, request.now),
    currentScaling: currentScalingOf(service, request.now),
  }
  return pick({ ...service, ...derived }, serviceResource.fields)
}

export const answer = (request: Request, service: Service): Reply => answerObject(present(request, service))
