import { reversePrivateEndpoint } from '../../../fixtures/contract/click-pipe/reverse-private-endpoint.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { second } from '../../words/durations.ts'
import { invalidAt } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { keep, recordSchema } from '../../world/record.ts'
import { type BodyOf, type Handlers, type Request, serve } from '../family.ts'
import { serviceOf, services } from '../service/model.ts'
import { endOf, type Timed, timed } from '../timed.ts'

type ReversePrivateEndpoint = ValuesOf<typeof reversePrivateEndpoint.fields, 'record'> & Timed

/** Durations of the statuses that end by themselves; the other side accepts after a minute. */
const durations: Readonly<Partial<Record<ReversePrivateEndpoint['status'], number>>> = {
  Provisioning: 30 * second,
  PendingAcceptance: 60 * second,
  Deleting: 30 * second,
}

const enterState = (
  endpoint: ReversePrivateEndpoint,
  status: ReversePrivateEndpoint['status'],
  at: number,
): ReversePrivateEndpoint => ({ ...endpoint, status, changesAt: endOf(at, durations[status]) })

/** The types whose owner has to accept the connection. */
const typesToAccept: readonly string[] = ['VPC_ENDPOINT_SERVICE', 'GCP_PSC_SERVICE_ATTACHMENT']

export const reversePrivateEndpoints: Model<ReversePrivateEndpoint, 'reversePrivateEndpoint'> = {
  name: 'reversePrivateEndpoint',
  within: services,
  record: recordSchema(reversePrivateEndpoint.fields, timed),
  defaults: (serviceId, _, { newUuid, seed }) => ({
    ...makeEndpoint({ description: 'Kafka', type: 'MSK_MULTI_VPC' }, newUuid(), serviceId, seed),
    status: 'Ready',
  }),
  /** Running services on AWS have an endpoint of the shop's warehouse. */
  *seed(serviceId, { seed, world, isNew }) {
    const service = isNew ? undefined : serviceOf(world, serviceId)
    if (service?.provider !== 'aws' || service.state !== 'running') return
    const id = createRandom(seedOf(seed, 'reverse private endpoints', serviceId)).uuid()
    const vpcEndpointServiceName = `com.amazonaws.vpce.${service.region}.vpce-svc-0a1b2c3d4e5f60718`
    const body = { description: 'Warehouse', type: 'VPC_ENDPOINT_SERVICE', vpcEndpointServiceName } as const
    yield { ...makeEndpoint(body, id, serviceId, seed), status: 'Ready' }
  },
  nextChangeAt: ({ status, changesAt }) => (durations[status] === undefined ? undefined : changesAt),
  applyChange(endpoint, at) {
    const { status, type } = endpoint
    if (status === 'Deleting') return undefined
    const isPending = status === 'Provisioning' && typesToAccept.includes(type)
    return enterState(endpoint, isPending ? 'PendingAcceptance' : 'Ready', at)
  },
}

type Plan = Pick<ReversePrivateEndpoint, 'description' | 'type'> & Partial<ReversePrivateEndpoint>

/** An endpoint from its plan. Its names follow from the seed and its id. */
function makeEndpoint(body: Plan, id: string, serviceId: string, seed: number): ReversePrivateEndpoint {
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

/** The names of the brokers of a cluster, without ports: the vendor's Terraform example makes a pipe from them. */
function brokersOf({ mskClusterArn, mskAuthentication }: Plan, random: Random): string[] {
  const [, region, cluster] = /^arn:aws[\w-]*:kafka:([^:]+):[^:]*:cluster\/([^/]+)/.exec(mskClusterArn ?? '') ?? []
  if (cluster === undefined) return []
  const method = mskAuthentication === 'SASL_IAM' ? 'iam' : 'scram'
  const domain = `${method}.${cluster.toLowerCase()}.${random.hex(6)}.c2.kafka.${region}.amazonaws.com`
  return [1, 2, 3].map(broker => `b-${broker}.${domain}`)
}

export const models = [reversePrivateEndpoints]

const { find, get, list, create, replace } = serve(reversePrivateEndpoints, reversePrivateEndpoint.fields)

type Body = BodyOf<'reversePrivateEndpoint.create'>

/** The required fields by type. */
const requiredFields: Readonly<Record<Body['type'], readonly (keyof Body)[]>> = {
  VPC_ENDPOINT_SERVICE: ['vpcEndpointServiceName'],
  VPC_RESOURCE: ['vpcResourceConfigurationId', 'vpcResourceShareArn'],
  MSK_MULTI_VPC: ['mskClusterArn', 'mskAuthentication'],
  GCP_PSC_SERVICE_ATTACHMENT: ['gcpServiceAttachment'],
}

/** Judges the private DNS names: none with MSK, a target of this endpoint alone, and each unique in the service. */
function judgeNames(request: Request, endpoint: Body & { readonly id?: string }, names: Names): void {
  const { type, id, vpcResourceConfigurationId } = endpoint
  if (type === 'MSK_MULTI_VPC' && names.length > 0)
    throw invalidAt(['customPrivateDnsMappings'], 'Not allowed with MSK_MULTI_VPC')
  const wrong = names.find(({ targetId }) => targetId !== undefined && targetId !== vpcResourceConfigurationId)
  if (wrong) throw invalidAt(['customPrivateDnsMappings'], 'Expected a DNS target of this VPC_RESOURCE', wrong)
  const others = request.list(reversePrivateEndpoints).filter(one => one.id !== id)
  const taken = [...others.flatMap(one => one.customPrivateDnsMappings), ...names].map(one => one.privateDnsName)
  const twice = names.find(({ privateDnsName }) => taken.filter(name => name === privateDnsName).length > 1)
  if (twice) throw invalidAt(['customPrivateDnsMappings'], 'Expected names that the service does not have yet', twice)
}
type Names = ReversePrivateEndpoint['customPrivateDnsMappings']

export const handlers = {
  'reversePrivateEndpoint.list': list,
  'reversePrivateEndpoint.get': get,
  'reversePrivateEndpoint.create': request => {
    const body = request.body
    const missing = requiredFields[body.type].find(name => body[name] == null)
    if (missing) throw invalidAt([missing], `Required with ${body.type}`)
    judgeNames(request, body, body.customPrivateDnsMappings ?? [])
    const { world, ids, now } = request
    const sent = keep(body, reversePrivateEndpoint.fields) as Body
    return create(
      request,
      enterState(makeEndpoint(sent, world.newUuid(), ids.serviceId!, world.seed), 'Provisioning', now),
    )
  },
  'reversePrivateEndpoint.update': request => {
    const before = find(request)
    const { customPrivateDnsMappings = before.customPrivateDnsMappings } = request.body
    judgeNames(request, before, customPrivateDnsMappings)
    return replace(request, { ...before, customPrivateDnsMappings })
  },
  'reversePrivateEndpoint.delete': request => {
    const endpoint = find(request)
    if (endpoint.status !== 'Deleting') replace(request, enterState(endpoint, 'Deleting', request.now))
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'reversePrivateEndpoint/unsent-stays': wrongFieldAfterUpdate(
    'reversePrivateEndpoint',
    'description',
    'Somewhere else',
  ),
} as const satisfies Faults
