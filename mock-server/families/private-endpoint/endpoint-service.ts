import { createRandom, seedOf } from '../../world/random.ts'
import type { Service } from '../service/model.ts'

/** What comes before the domain in the private host name of a service. */
export const privateDnsSuffix = { aws: 'vpce.aws', gcp: 'p.gcp', azure: 'privatelink.azure' } as const

/** What a private endpoint of a region is connected to: the same for all services there, in the notation of its provider. */
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
