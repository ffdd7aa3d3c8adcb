import { reversePrivateEndpoint } from '../../../fixtures/contract/click-pipe/reverse-private-endpoint.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { second } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import { serviceOf, services } from '../service/model.ts'
import { endOf, type Timed, timed } from '../timed.ts'

export type ReversePrivateEndpoint = ValuesOf<typeof reversePrivateEndpoint.fields, 'record'> & Timed

/** How long each status lasts that passes by itself: the other side accepts after a minute. */
const lasts: Readonly<Partial<Record<ReversePrivateEndpoint['status'], number>>> = {
  Provisioning: 30 * second,
  PendingAcceptance: 60 * second,
  Deleting: 30 * second,
}

export const become = (
  endpoint: ReversePrivateEndpoint,
  status: ReversePrivateEndpoint['status'],
  at: number,
): ReversePrivateEndpoint => ({ ...endpoint, status, changesAt: endOf(at, lasts[status]) })

/** The kinds whose owner has to accept the connection. */
const accepted: readonly string[] = ['VPC_ENDPOINT_SERVICE', 'GCP_PSC_SERVICE_ATTACHMENT']

export const reversePrivateEndpoints: Model<ReversePrivateEndpoint, 'reversePrivateEndpoint'> = {
  name: 'reversePrivateEndpoint',
  within: services,
  record: recordWith(reversePrivateEndpoint.fields, timed),
  usual: (serviceId, _, { newUuid, seed }) => ({
    ...makeEndpoint({ description: 'Kafka', type: 'MSK_MULTI_VPC' }, newUuid(), serviceId, seed),
    status: 'Ready',
  }),
  /** Services on AWS reach the warehouse of the shop. */
  *seed(serviceId, { seed, world, isNew }) {
    const service = isNew ? undefined : serviceOf(world, serviceId)
    if (service?.provider !== 'aws' || service.state !== 'running') return
    const id = createRandom(seedOf(seed, 'reverse private endpoints', serviceId)).uuid()
    const vpcEndpointServiceName = `com.amazonaws.vpce.${service.region}.vpce-svc-0a1b2c3d4e5f60718`
    const body = { description: 'Warehouse', type: 'VPC_ENDPOINT_SERVICE', vpcEndpointServiceName } as const
    yield { ...makeEndpoint(body, id, serviceId, seed), status: 'Ready' }
  },
  next: ({ status, changesAt }) => (lasts[status] === undefined ? undefined : changesAt),
  elapse(endpoint, at) {
    const { status, type } = endpoint
    if (status === 'Deleting') return undefined
    const isPending = status === 'Provisioning' && accepted.includes(type)
    return become(endpoint, isPending ? 'PendingAcceptance' : 'Ready', at)
  },
}

type Body = Pick<ReversePrivateEndpoint, 'description' | 'type'> & Partial<ReversePrivateEndpoint>

/** A connection from what it is created with. Its names follow from the seed and its id. */
export function makeEndpoint(body: Body, id: string, serviceId: string, seed: number): ReversePrivateEndpoint {
  const random = createRandom(seedOf(seed, 'reverse private endpoint', id))
  const endpointId =
    body.type === 'GCP_PSC_SERVICE_ATTACHMENT' ? String(random.int(1e9, 9e9)) : `vpce-0${random.hex(16)}`
  const internalDnsName = `${endpointId}.${random.hex(8)}.clickpipes.internal`
  const privateDnsNames = brokersOf(body, random)
  const target = (body.type === 'VPC_RESOURCE' && body.vpcResourceConfigurationId) || null
  return {
    customPrivateDnsMappings: [],
    ...body,
    id,
    serviceId,
    endpointId,
    dnsNames: [internalDnsName],
    privateDnsNames,
    privateDnsMappings: privateDnsNames.map(privateDnsName => ({ privateDnsName, internalDnsName })),
    dnsTargets: target === null ? [] : [{ id: target, kind: 'RESOURCE_CONFIGURATION', internalDnsName }],
    status: 'Provisioning',
  }
}

/** The names of the brokers of a cluster, without ports: the vendor's example for Terraform makes a pipe of them. */
function brokersOf({ mskClusterArn, mskAuthentication }: Body, random: Random): string[] {
  const [, region, cluster] = /^arn:aws[\w-]*:kafka:([^:]+):[^:]*:cluster\/([^/]+)/.exec(mskClusterArn ?? '') ?? []
  if (cluster === undefined) return []
  const method = mskAuthentication === 'SASL_IAM' ? 'iam' : 'scram'
  const domain = `${method}.${cluster.toLowerCase()}.${random.hex(6)}.c2.kafka.${region}.amazonaws.com`
  return [1, 2, 3].map(broker => `b-${broker}.${domain}`)
}
