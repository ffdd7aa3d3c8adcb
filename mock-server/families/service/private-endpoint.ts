import { createRandom, seedOf } from '../../world/random.ts'
import { answerObject, changeList, type Handlers } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { clusterOf, type Service, services } from './model.ts'
import { find } from './present.ts'

/** The part before the domain in private host names of services. */
const privateDnsLabel = { aws: 'vpce.aws', gcp: 'p.gcp', azure: 'privatelink.azure' } as const

/** The id, in the provider's notation, that private endpoints connect to: one for all services of a region. */
export function endpointServiceIdOf(seed: number, provider: Service['provider'], region: string): string {
  const random = createRandom(seedOf(seed, 'endpoint service', region))
  switch (provider) {
    case 'aws':
      return `com.amazonaws.vpce.${region}.vpce-svc-${random.hex(17)}`
    case 'gcp':
      return `projects/dataplane-production/regions/${region}/serviceAttachments/production-${region}-clickhouse-cloud`
    case 'azure':
      return `production-${region}-0-0-privatelinkservice.${random.uuid()}.${region}.azure.privatelinkservice`
  }
}

export const handlers = {
  'servicePrivateEndpointConfig.get': request => {
    const service = find(request)
    const { provider, region } = service
    const config = {
      endpointServiceId: endpointServiceIdOf(request.world.seed, provider, region),
      privateDnsHostname: `${clusterOf(service)}.${region}.${privateDnsLabel[provider]}.clickhouse.cloud`,
    }
    return answerObject(config)
  },
  'servicePrivateEndpoint.create': request => {
    const service = find(request)
    const organization = request.in(organizations).get(request.ids.organizationId!)!
    const { id, description = '' } = request.body
    const endpoint = { id, description, cloudProvider: service.provider, region: service.region }
    // The organization keeps the endpoint after the service is deleted.
    const privateEndpoints = changeList(organization.privateEndpoints, { add: [endpoint] }, one => one.id)
    request.in(organizations).replace({ ...organization, privateEndpoints })
    if (!service.privateEndpointIds.includes(id)) {
      request.in(services).replace({ ...service, privateEndpointIds: [...service.privateEndpointIds, id] })
      request.log({ type: 'service_update_private_endpoints', serviceId: service.id })
    }
    return answerObject(endpoint)
  },
} as const satisfies Handlers
