import type { Context } from '../core/context.ts'
import { listNotOffered, type Offer } from '../core/dispatch/offer.ts'
import { backups } from '../families/backup/model.ts'
import { deriveKey } from '../families/key/model.ts'
import { organizations } from '../families/organization/model.ts'
import { services } from '../families/service/model.ts'
import type { Stack } from '../families/stack/stack.ts'
import { teams } from '../families/team/index.ts'
import type { FaultContext } from '../faults/fault.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'

/** The addresses, credentials and ids of a deployment: the file that `stack-parity verify --target` reads. */
export interface TargetFile {
  readonly name: string
  readonly cloud?: {
    readonly baseUrl: string
    readonly keyId: string
    readonly keySecret: string
    readonly organizationId: string
    readonly secondOrganizationId?: string
    readonly secondKeyId?: string
    readonly secondKeySecret?: string
    readonly serviceId: string
    readonly backupId: string
    readonly observabilitySegment: string
    readonly references: References
  }
  readonly selfHosted?: {
    readonly baseUrl: string
    readonly apiKey: string
    readonly ingestionKey: string
    readonly references: References & {
      readonly sourceId: string
      readonly connectionId: string
      readonly sources: Readonly<Record<string, string>>
    }
  }
  readonly control?: { readonly baseUrl: string }
  /** The listener for the SQL of services, and the file of its certificate authority. */
  readonly sql?: { readonly host: string; readonly port: number; readonly ca?: string }
  /** Forms and operations that the mock does not offer. */
  readonly notOffered?: readonly string[]
  readonly writes: true
}

export interface References {
  readonly dashboardId: string
  readonly tileId: string
  readonly webhookId: string
}

/** The addresses of the listeners; an API without one is left out of the target. */
export interface Bases {
  readonly cloud?: string
  readonly selfHosted?: string
  readonly control?: string
  /** The host of a service, in which `*` stands for the part of the service, and the port. */
  readonly sql?: { readonly hosts: string; readonly port: number; readonly ca?: string }
}

export function describeTarget(
  deployment: Deployment,
  { segment, offer }: { readonly segment: string; readonly offer: readonly Offer[] | undefined },
  bases: Bases,
): TargetFile {
  const notOffered = listNotOffered(deployment.core.contract, offer)
  const { cloud, selfHosted, control, sql } = bases
  return {
    name: 'mock',
    ...(cloud !== undefined && { cloud: { baseUrl: cloud, ...describeCloud(deployment, segment) } }),
    ...(selfHosted !== undefined && { selfHosted: { baseUrl: selfHosted, ...describeSelfHosted(deployment) } }),
    ...(control !== undefined && { control: { baseUrl: control } }),
    ...(sql !== undefined && {
      sql: { host: sql.hosts.replace('*.', ''), port: sql.port, ...(sql.ca && { ca: sql.ca }) },
    }),
    ...(notOffered.length > 0 && { notOffered }),
    writes: true,
  }
}

function describeCloud(deployment: Deployment, segment: string) {
  const { seed } = deployment.world
  const { organizationId, secondOrganizationId, serviceId, backupId } = idsOf(deployment)
  const key = deriveKey(seed, organizationId)
  const secondKey = secondOrganizationId === '' ? undefined : deriveKey(seed, secondOrganizationId)
  return {
    keyId: key.keyId,
    keySecret: key.keySecret,
    organizationId,
    ...(secondKey && { secondOrganizationId, secondKeyId: secondKey.keyId, secondKeySecret: secondKey.keySecret }),
    serviceId,
    backupId,
    observabilitySegment: segment,
    references: referencesOf(serviceId === '' ? undefined : deployment.peekAtStack(serviceId)),
  }
}

function describeSelfHosted(deployment: Deployment) {
  const { accessKey = '', ingestionKey = '' } = deployment.world.in(teams, selfHosted).get('team') ?? {}
  const stack = deployment.peekAtStack(selfHosted)
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

/** The ids of the mock's own records in the target file; empty if the world has none. */
function idsOf({ world }: Deployment) {
  const [first, second] = world.list(organizations)
  const organizationId = first?.id ?? ''
  // Reading what lies within a missing record would seed that place, and a saved state would contain it.
  const serviceId = organizationId && (world.list(services, organizationId)[0]?.id ?? '')
  const backupId = serviceId && (world.list(backups, serviceId)[0]?.id ?? '')
  return { organizationId, secondOrganizationId: second?.id ?? '', serviceId, backupId }
}

/** The context of a call for faults: its operation, and the valid credentials and ids, computed on demand. */
export function faultContextOf(deployment: Deployment, { match, form, id }: Context): FaultContext {
  return {
    contract: deployment.core.contract,
    form: match.form,
    operation: id,
    params: match.params,
    get authorization() {
      return authorizationIn(deployment, match.params.organizationId ?? '', form !== 'selfHosted')
    },
    get ids() {
      return idsOf(deployment)
    },
  }
}

function authorizationIn(
  deployment: Deployment,
  organizationId: string,
  isCloud: boolean,
): FaultContext['authorization'] {
  const { world } = deployment
  const ids = idsOf(deployment)
  const team = world.in(teams, selfHosted).get('team')
  const keyOf = (organization: string) => {
    const { keyId, keySecret } = deriveKey(world.seed, organization)
    return `Basic ${btoa(`${keyId}:${keySecret}`)}`
  }
  const isOwned = world.in(organizations).get(organizationId) !== undefined
  const [cloud, bearer] = [keyOf(isOwned ? organizationId : ids.organizationId), `Bearer ${team?.accessKey}`]
  return {
    own: isCloud ? cloud : bearer,
    foreign: isCloud ? bearer : cloud,
    ingestionKey: `Bearer ${team?.ingestionKey}`,
    first: keyOf(ids.organizationId),
    second: ids.secondOrganizationId === '' ? '' : keyOf(ids.secondOrganizationId),
  }
}

/** The context of a call outside the API, for faults. */
export const contextOutsideApi = ({ core: { contract } }: Deployment): FaultContext => ({
  contract,
  form: undefined,
  operation: undefined,
  params: {},
  authorization: { own: '', foreign: '', ingestionKey: '', first: '', second: '' },
  ids: { organizationId: '', secondOrganizationId: '', serviceId: '', backupId: '' },
})
