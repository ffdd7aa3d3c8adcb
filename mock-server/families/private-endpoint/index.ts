import { changeList } from '../change-list.ts'
import { answerObject, type Handlers } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { find } from '../service/find.ts'
import { clusterOf } from '../service/make-service.ts'
import { services } from '../service/model.ts'
import { endpointServiceIdOf, privateDnsSuffix } from './endpoint-service.ts'

export const handlers = {
  'servicePrivateEndpointConfig.get': request => {
    const service = find(request)
    const { provider, region } = service
    const config = {
      endpointServiceId: endpointServiceIdOf(request.world.seed, provider, region),
      privateDnsHostname: `${clusterOf(service)}.${region}.${privateDnsSuffix[provider]}.clickhouse.cloud`,
    }
    return answerObject(config)
  },
  'servicePrivateEndpoint.create': request => {
    const service = find(request)
    const organization = request.in(organizations).get(request.ids.organizationId!)!
    const { id, description = '' } = request.body
    const endpoint = { id, description, cloudProvider: service.provider, region: service.region }
    // It stays registered for the organization, whatever becomes of the service.
    const privateEndpoints = changeList(organization.privateEndpoints, { add: [endpoint] }, one => one.id)
    request.in(organizations).replace({ ...organization, privateEndpoints })
    if (!service.privateEndpointIds.includes(id)) {
      request.in(services).replace({ ...service, privateEndpointIds: [...service.privateEndpointIds, id] })
      request.log({ type: 'service_update_private_endpoints', serviceId: service.id })
    }
    return answerObject(endpoint)
  },
} as const satisfies Handlers
