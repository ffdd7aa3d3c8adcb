import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import {
  byocInfrastructure,
  byocInfrastructureDetails,
  byocTags,
} from '../../../../fixtures/contract/organization/byoc-infrastructure.ts'
import { regionsByProvider } from '../../../../fixtures/contract/service/fields.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inCalls } from '../../../faults/rewrite.ts'
import { minute } from '../../../words/durations.ts'
import { conflict, invalidField, Refusal, refused } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import { pick, recordSchema } from '../../../world/record.ts'
import { answerObject, type BodyOf, type Handlers, type Request, recordAt, serve } from '../../family.ts'
import { services } from '../../service/model.ts'
import { type Timed, timed } from '../../timed.ts'
import { organizations } from '../model.ts'

const recordFields = { ...byocInfrastructureDetails.fields, ...byocTags.fields }

/** Infrastructure in an account of the customer. */
type ByocInfrastructure = ValuesOf<typeof recordFields> &
  Timed & {
    /** When its set-up began; never part of an answer. */
    readonly beganAt: string
  }

/** How long the set-up takes, and how long removed infrastructure stays listed. */
export const durations = { provisioning: 20 * minute, terminated: 60 * minute }

export const byocInfrastructures: Model<ByocInfrastructure, 'byocInfrastructure'> = {
  name: 'byocInfrastructure',
  within: organizations,
  record: recordSchema(recordFields, { ...timed, beganAt: z.string() }),
  defaults: (_, at, world) => ({
    ...defaultFields,
    id: world.newUuid(),
    state: 'infra-ready',
    accountId: '957102927053',
    regionId: 'eu-central-1',
    cloudProvider: 'aws',
    displayName: 'Own account',
    vpcCidrRange: '10.0.0.0/16',
    vpcAvailabilityZoneList: ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'],
    isByoVpc: false,
    beganAt: new Date(at).toISOString(),
  }),
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange: ({ changesAt: _, ...rest }) =>
    rest.state === 'infra-terminated' ? undefined : { ...rest, state: 'infra-ready' },
}

/** The defaults of infrastructure. */
const defaultFields = {
  enablePrivateLink: false,
  enablePrivateLoadBalancer: false,
  enablePublicLoadBalancer: true,
  tags: {},
} as const

export const models = [byocInfrastructures]

/** The infrastructure as the organization answers it. */
export const present = (infrastructure: ByocInfrastructure) =>
  pick({ ...infrastructure, accountName: infrastructure.accountId }, byocInfrastructure.fields)
const { create, replace } = serve(byocInfrastructures, present)

/** Removed infrastructure stays listed for a while, but other operations refuse it. */
function find(request: Request): ByocInfrastructure {
  const infrastructure = recordAt(request, byocInfrastructures)
  if (infrastructure.state === 'infra-terminated') throw new Refusal('unknownId', infrastructure.id)
  return infrastructure
}

export const handlers = {
  'byocInfrastructure.create': request => {
    const plan = request.body
    checkPlan(plan)
    const { regionId, accountId, displayName = accountId, availabilityZoneSuffixes = ['a', 'b', 'c'], tags = {} } = plan
    const ofCustomer = plan.vpcId !== undefined && {
      byoVpcId: plan.vpcId,
      byoVpcPrivateSubnetIds: plan.privateSubnetIds,
      ...(plan.gcpPodCidrRangeNames && { byoVpcPodCidrRangeNames: plan.gcpPodCidrRangeNames }),
      ...(plan.gcpSharedVpcHostProjectId && { byoVpcSharedVpcHostProjectId: plan.gcpSharedVpcHostProjectId }),
    }
    return create(request, {
      ...defaultFields,
      id: request.world.newUuid(),
      state: 'infra-provisioning',
      accountId,
      regionId,
      displayName,
      tags,
      cloudProvider: providerOf(regionId),
      vpcAvailabilityZoneList: availabilityZoneSuffixes.map(suffix => `${regionId}${suffix}`),
      isByoVpc: plan.vpcId !== undefined,
      ...(ofCustomer || { vpcCidrRange: plan.vpcCidrRange ?? '10.0.0.0/16' }),
      beganAt: new Date(request.now).toISOString(),
      changesAt: request.now + durations.provisioning,
    })
  },
  'byocInfrastructure.validate': request => {
    checkPlan(request.body)
    return answerObject(validateAccount(request.body))
  },
  'byocInfrastructure.get': request => answerObject(pick(find(request), byocInfrastructureDetails.fields)),
  'byocInfrastructure.update': request => {
    const before = find(request)
    const { body } = request
    if (Object.keys(body).length === 0) throw refused('request body: Expected something to change')
    if (body.gcpPscSubnetId !== undefined && body.enablePrivateLink !== true)
      throw refused('gcpPscSubnetId: Expected enablePrivateLink: true beside it')
    const all = request.list(services)
    const linked = all.find(({ privateEndpointIds }) => privateEndpointIds.length > 0)
    if (body.enablePrivateLink === false && linked)
      throw conflict(`The service ${linked.id} has active private endpoints`)
    return replace(request, { ...before, ...body })
  },
  'byocInfrastructure.delete': request => {
    const infrastructure = find(request)
    const used = request.list(services).find(one => one.byocId === infrastructure.id)
    if (used) throw conflict(`The service ${used.id} runs on it`)
    const changesAt = request.now + durations.terminated
    replace(request, { ...infrastructure, state: 'infra-terminated', changesAt })
    return { kind: 'deleted' }
  },
  'byocProgress.get': request => answerObject(progressOf(find(request), request.now)),
  'byocTags.get': request => answerObject({ tags: find(request).tags }),
  'byocPrivateEndpointConfig.get': request => {
    const { id, enablePrivateLink, regionId, cloudProvider } = find(request)
    if (!enablePrivateLink) throw refused('Private link is not enabled on the infrastructure')
    const name = id.slice(0, 8)
    return answerObject({
      endpointName: cloudProvider === 'aws' ? `com.amazonaws.vpce.${regionId}.vpce-svc-${name}` : `clickhouse-${name}`,
      privateDnsHostname: `${name}.${regionId}.byoc.clickhouse.cloud`,
    })
  },
} as const satisfies Handlers

export const faults = {
  'byocInfrastructure/has-one-network': inCalls('byocInfrastructure.validate', call => ({
    ...call,
    body: call.body.replace(/"vpcCidrRange":"[^"]*",?/, ''),
  })),
} as const satisfies Faults

/** The stages of setting infrastructure up, each with its resources. The vendor's document names `vpc`; the others are the mock's. */
const stages = [
  ['vpc', ['network', 'subnets', 'nat-gateway']],
  ['kubernetes', ['control-plane', 'node-groups']],
  ['clickhouse', ['operator', 'ingress']],
] as const

/** The progress of the set-up, one stage after the other. */
function progressOf({ id, state, beganAt }: ByocInfrastructure, now: number): object {
  const began = Date.parse(beganAt)
  const count = stages.length
  const isProvisioning = state === 'infra-provisioning'
  const ends = (index: number) => began + ((index + 1) * durations.provisioning) / count
  const iso = (at: number) => new Date(at).toISOString()
  const statusOf = (index: number) => {
    if (!isProvisioning || now >= ends(index)) return { status: 'ready', updatedAt: iso(Math.min(ends(index), now)) }
    const begins = ends(index - 1)
    return now >= begins ? { status: 'in_progress', updatedAt: iso(begins) } : { status: 'not_started' }
  }
  return {
    id,
    status: isProvisioning ? 'in_progress' : state === 'infra-degraded' ? 'failed' : 'ready',
    updatedAt: iso(isProvisioning ? began : Math.min(ends(count - 1), now)),
    stages: stages.map(([name, parts], index) => ({
      name,
      ...statusOf(index),
      subStages: parts.map(part => ({ name: part, ...statusOf(index) })),
    })),
  }
}

type Plan = BodyOf<'byocInfrastructure.validate'>

type Region = ByocInfrastructure['regionId']
const providerOf = (region: Region) =>
  (['aws', 'gcp', 'azure'] as const).find(one => (regionsByProvider[one] as readonly Region[]).includes(region))!

/** Refuses fields that belong to another provider, and incomplete or contradictory descriptions of the customer's network. */
function checkPlan(plan: Plan): void {
  const provider = providerOf(plan.regionId)
  const { vpcId, vpcCidrRange, privateSubnetIds = [] } = plan
  if (provider === 'azure')
    for (const field of ['tenantId', 'servicePrincipalClientId'] as const)
      if (plan[field] === undefined) throw invalidField(plan, field, 'Required in a region of Azure')
  const networkField = (['vpcId', 'privateSubnetIds', 'publicSubnetIds'] as const).find(
    field => plan[field] !== undefined,
  )
  if (networkField && vpcCidrRange !== undefined)
    throw invalidField(
      plan,
      'vpcCidrRange',
      `Expected none together with ${networkField}, which names a network of the customer`,
    )
  if (networkField && vpcId === undefined) throw invalidField(plan, 'vpcId', `Required with ${networkField}`)
  if (vpcId === undefined) return
  if (provider === 'azure') throw invalidField(plan, 'vpcId', 'Expected none in a region of Azure')
  if (privateSubnetIds.length === 0) throw invalidField(plan, 'privateSubnetIds', 'Required with vpcId')
  if (provider === 'gcp' && privateSubnetIds.length > 1)
    throw invalidField(plan, 'privateSubnetIds', 'Expected exactly 1 item in a region of GCP')
}

/** The checks of an account by provider: name, action and group; none on Azure. */
const checks = {
  aws: [
    ['Create VPC', 'ec2:CreateVpc', 'vpc-write'],
    ['Create EKS cluster', 'eks:CreateCluster', 'base'],
    ['Create IAM role', 'iam:CreateRole', 'base'],
  ],
  gcp: [
    ['Create network', 'compute.networks.create', 'vpc-write'],
    ['Create GKE cluster', 'container.clusters.create', 'base'],
  ],
  azure: [],
} as const

function validateAccount({ regionId, accountId, vpcId }: Plan): object {
  const cloudProvider = providerOf(regionId)
  // An account id of zeros allows nothing, so that a client can test the refusal.
  const allowed = !/^0+$/.test(accountId)
  const results = checks[cloudProvider]
    // An existing VPC is not created.
    .filter(([, , group]) => vpcId === undefined || group !== 'vpc-write')
    .map(([name, action, group]) => ({ name, action, allowed, ...(!allowed && { reason: 'implicitDeny' }), group }))
  const isSupported = results.length > 0
  return {
    cloudProvider,
    allPassed: allowed || !isSupported,
    anyPassed: isSupported && allowed,
    supported: isSupported,
    checks: results,
  }
}
