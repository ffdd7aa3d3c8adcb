import type { FaultContext } from '../faults/fault.ts'
import type { CloudTarget, References, SelfHostedTarget } from '../words/target.ts'
import { selfHosted, type World } from '../world/world.ts'
import { backups } from './backup/model.ts'
import type { Family } from './family.ts'
import { basicOf, deriveKey } from './key/model.ts'
import { organizations } from './organization/model.ts'
import { services } from './service/model.ts'
import type { Stack } from './stack/stack.ts'
import { selfHostedTeam } from './team/index.ts'

/** What the target file names of a world, and the credentials with which faults call. */
export const target: Family['target'] = { idsOf, authorizationsOf, describeCloud, describeSelfHosted }

/** The ids of the mock's own records in the target file; empty if the world has none. */
function idsOf(world: World): FaultContext['ids'] {
  const [first, second] = world.list(organizations)
  const organizationId = first?.id ?? ''
  // Reading what lies within a missing record would seed that place, and a saved state would contain it.
  const serviceId = organizationId && (world.list(services, organizationId)[0]?.id ?? '')
  const backupId = serviceId && (world.list(backups, serviceId)[0]?.id ?? '')
  return { organizationId, secondOrganizationId: second?.id ?? '', serviceId, backupId }
}

function describeCloud(world: World, stackOf: (id: string) => Stack): CloudTarget {
  const { organizationId, secondOrganizationId, serviceId, backupId } = idsOf(world)
  const key = deriveKey(world.seed, organizationId)
  const secondKey = secondOrganizationId === '' ? undefined : deriveKey(world.seed, secondOrganizationId)
  return {
    keyId: key.keyId,
    keySecret: key.keySecret,
    organizationId,
    ...(secondKey && { secondOrganizationId, secondKeyId: secondKey.keyId, secondKeySecret: secondKey.keySecret }),
    serviceId,
    backupId,
    references: referencesOf(serviceId === '' ? undefined : stackOf(serviceId)),
  }
}

function describeSelfHosted(world: World, stackOf: (id: string) => Stack): SelfHostedTarget {
  const { accessKey = '', ingestionKey = '' } = selfHostedTeam(world)
  const stack = stackOf(selfHosted)
  const sources = Object.fromEntries(stack.sources.list().map(({ kind, id }) => [kind, id]))
  return {
    apiKey: accessKey,
    ingestionKey,
    references: {
      ...referencesOf(stack),
      sourceId: sources.log ?? '',
      connectionId: stack.connections.list()[0]?.id ?? '',
      sources,
    },
  }
}

/** The ids of the tile that an alert watches, of its dashboard, and of a generic webhook. */
function referencesOf(stack: Stack | undefined): References {
  const dashboard = stack?.dashboards.list()[0]
  return {
    dashboardId: dashboard?.id ?? '',
    tileId: dashboard?.tiles[0]?.id ?? '',
    webhookId: stack?.webhooks.list().find(({ service }) => service === 'generic')?.id ?? '',
  }
}

function authorizationsOf(world: World, organizationId: string, isCloud: boolean): FaultContext['authorization'] {
  const ids = idsOf(world)
  const { accessKey, ingestionKey } = selfHostedTeam(world)
  const keyOf = (organization: string) => basicOf(deriveKey(world.seed, organization))
  const isOwned = world.in(organizations).get(organizationId) !== undefined
  const [cloud, bearer] = [keyOf(isOwned ? organizationId : ids.organizationId), `Bearer ${accessKey}`]
  return {
    own: isCloud ? cloud : bearer,
    foreign: isCloud ? bearer : cloud,
    ingestionKey: `Bearer ${ingestionKey}`,
    first: keyOf(ids.organizationId),
    second: ids.secondOrganizationId === '' ? '' : keyOf(ids.secondOrganizationId),
  }
}
