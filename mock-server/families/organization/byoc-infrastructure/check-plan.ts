import { regionsOf } from '../../../../fixtures/contract/service/fields.ts'
import { invalidAt } from '../../../words/refusal.ts'
import type { BodyOf } from '../../family.ts'
import type { ByocInfrastructure } from './model.ts'

export type Plan = BodyOf<'byocInfrastructure.validate'>

type Region = ByocInfrastructure['regionId']
export const providerOf = (region: Region) =>
  (['aws', 'gcp', 'azure'] as const).find(one => (regionsOf[one] as readonly Region[]).includes(region))!

const refuse = (plan: Plan, field: keyof Plan, sentence: string) => invalidAt([field], sentence, plan[field])

/** Refuses fields that belong to another provider, and incomplete or contradictory descriptions of the customer's network. */
export function checkPlan(plan: Plan): void {
  const provider = providerOf(plan.regionId)
  const { vpcId, vpcCidrRange, privateSubnetIds = [] } = plan
  if (provider === 'azure')
    for (const field of ['tenantId', 'servicePrincipalClientId'] as const)
      if (plan[field] === undefined) throw refuse(plan, field, 'Required in a region of Azure')
  const networkField = (['vpcId', 'privateSubnetIds', 'publicSubnetIds'] as const).find(
    field => plan[field] !== undefined,
  )
  if (networkField && vpcCidrRange !== undefined)
    throw refuse(
      plan,
      'vpcCidrRange',
      `Expected none together with ${networkField}, which names a network of the customer`,
    )
  if (networkField && vpcId === undefined) throw refuse(plan, 'vpcId', `Required with ${networkField}`)
  if (vpcId === undefined) return
  if (provider === 'azure') throw refuse(plan, 'vpcId', 'Expected none in a region of Azure')
  if (privateSubnetIds.length === 0) throw refuse(plan, 'privateSubnetIds', 'Required with vpcId')
  if (provider === 'gcp' && privateSubnetIds.length > 1)
    throw refuse(plan, 'privateSubnetIds', 'Expected exactly 1 item in a region of GCP')
}

/** The checks of an account by provider; none on Azure. */
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

/** An account id of zeros allows nothing, so that a client can test the refusal. */
const allows = (accountId: string) => !/^0+$/.test(accountId)

export function validateAccount({ regionId, accountId, vpcId }: Plan): object {
  const cloudProvider = providerOf(regionId)
  const allowed = allows(accountId)
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
