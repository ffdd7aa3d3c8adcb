import { reversePrivateEndpoint as resource } from '../../../fixtures/contract/click-pipe/reverse-private-endpoint.ts'
import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import { invalidAt } from '../../words/refusal.ts'
import { keep } from '../../world/record.ts'
import { type BodyOf, type Handlers, type Request, serve } from '../family.ts'
import { become, makeEndpoint, type ReversePrivateEndpoint, reversePrivateEndpoints } from './model.ts'

export const models = [reversePrivateEndpoints]

const { find, get, list, create, replace } = serve(reversePrivateEndpoints, resource.fields)

type Body = BodyOf<'reversePrivateEndpoint.create'>

/** What each type leads to. */
const required: Readonly<Record<Body['type'], readonly (keyof Body)[]>> = {
  VPC_ENDPOINT_SERVICE: ['vpcEndpointServiceName'],
  VPC_RESOURCE: ['vpcResourceConfigurationId', 'vpcResourceShareArn'],
  MSK_MULTI_VPC: ['mskClusterArn', 'mskAuthentication'],
  GCP_PSC_SERVICE_ATTACHMENT: ['gcpServiceAttachment'],
}

/** The names of connections: not with MSK, and each of them once in a service. */
function judgeNames(request: Request, endpoint: Body & { readonly id?: string }, names: Names): void {
  const { type, id, vpcResourceConfigurationId } = endpoint
  if (type === 'MSK_MULTI_VPC' && names.length > 0)
    throw invalidAt(['customPrivateDnsMappings'], 'Not allowed with MSK_MULTI_VPC')
  const aimed = names.find(({ targetId }) => targetId !== undefined && targetId !== vpcResourceConfigurationId)
  if (aimed) throw invalidAt(['customPrivateDnsMappings'], 'Expected a DNS target of this VPC_RESOURCE', aimed)
  const others = request
    .in(reversePrivateEndpoints)
    .list()
    .filter(one => one.id !== id)
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
    const lacking = required[body.type].find(name => body[name] == null)
    if (lacking) throw invalidAt([lacking], `Required with ${body.type}`)
    judgeNames(request, body, body.customPrivateDnsMappings ?? [])
    const { world, ids, now } = request
    const sent = keep(body, resource.fields) as Body
    return create(request, become(makeEndpoint(sent, world.newUuid(), ids.serviceId!, world.seed), 'Provisioning', now))
  },
  'reversePrivateEndpoint.update': request => {
    const before = find(request)
    const { customPrivateDnsMappings = before.customPrivateDnsMappings } = request.body
    judgeNames(request, before, customPrivateDnsMappings)
    return replace(request, { ...before, customPrivateDnsMappings })
  },
  'reversePrivateEndpoint.delete': request => {
    const endpoint = find(request)
    if (endpoint.status !== 'Deleting') replace(request, become(endpoint, 'Deleting', request.now))
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'reversePrivateEndpoint/unsent-stays': mistakeUpdated('reversePrivateEndpoint', 'description', 'Somewhere else'),
} as const satisfies Faults
