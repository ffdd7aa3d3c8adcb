import { createRandom, seedOf } from '../../world/random.ts'
import type { Service } from './model.ts'

/** The required fields of a new service; the others have defaults. */
type ServicePlan = Pick<Service, 'id' | 'name' | 'provider' | 'region' | 'state' | 'createdAt'> &
  Partial<Service> & { readonly hasMysql?: boolean }

/** A service from its plan and the defaults. Host and role follow from the seed and its id. */
export function makeService(seed: number, { hasMysql = false, ...plan }: ServicePlan): Service {
  const random = createRandom(seedOf(seed, 'service', plan.id))
  const cluster = random.alphanumeric(10).toLowerCase()
  const host = `${cluster}.${plan.region}.${plan.provider}.clickhouse.cloud`
  const role = `CH-S3-${cluster}-${plan.region.replaceAll('-', '')}-${random.int(10, 99)}-Role`
  const account = random.int(100_000_000_000, 999_999_999_999)
  const service: Service = {
    endpoints: [
      { protocol: 'nativesecure', host, port: 9440 },
      { protocol: 'https', host, port: 8443 },
    ],
    idleScaling: true,
    idleTimeoutMinutes: 15,
    minReplicaMemoryGb: 16,
    maxReplicaMemoryGb: 120,
    numReplicas: 3,
    autoscalingMode: 'vertical',
    ipAccessList: [{ source: '0.0.0.0/0', description: 'Anywhere' }],
    clickhouseVersion: '25.12',
    iamRole: plan.provider === 'aws' ? `arn:aws:iam::${account}:role/${role}` : role,
    privateEndpointIds: [],
    dataWarehouseId: random.uuid(),
    isPrimary: true,
    isReadonly: false,
    profile: 'v1-default',
    releaseChannel: 'default',
    hasTransparentDataEncryption: false,
    tags: [],
    enableCoreDumps: true,
    mcpEnabled: false,
    ...plan,
  }
  return hasMysql ? withMysql(service, true) : service
}

/** The first word of the host of a service. */
export const clusterOf = ({ endpoints }: Service): string => endpoints[0]?.host.split('.')[0] ?? ''

export function withMysql(service: Service, isEnabled: boolean): Service {
  const others = service.endpoints.filter(({ protocol }) => protocol !== 'mysql')
  const { host = '' } = others[0] ?? {}
  const mysql = { protocol: 'mysql', host, port: 3306, username: `mysql4${clusterOf(service)}` } as const
  return { ...service, endpoints: isEnabled ? [...others, mysql] : others }
}
