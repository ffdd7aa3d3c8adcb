import type { Context } from '../core/context.ts'
import { listNotOffered, type Offer } from '../core/dispatch/offer.ts'
import type { FaultContext } from '../faults/fault.ts'
import type { Bases, TargetFile } from '../words/target.ts'
import type { Deployment } from './deployment.ts'

/** The target file of a deployment. An API of which no family gives ids and credentials is left out. */
export function describeTarget(
  { core, world, peekAtStack }: Deployment,
  { segment, offer }: { readonly segment: string; readonly offer: readonly Offer[] | undefined },
  { cloud, selfHosted, control, sql }: Bases,
): TargetFile {
  const notOffered = listNotOffered(core.contract, offer)
  const file: { -readonly [Part in keyof TargetFile]: TargetFile[Part] } = { name: 'mock', writes: true }
  if (core.target && cloud !== undefined) {
    const { references, ...ids } = core.target.describeCloud(world, peekAtStack)
    file.cloud = { baseUrl: cloud, ...ids, observabilitySegment: segment, references }
  }
  if (core.target && selfHosted !== undefined)
    file.selfHosted = { baseUrl: selfHosted, ...core.target.describeSelfHosted(world, peekAtStack) }
  if (control !== undefined) file.control = { baseUrl: control }
  if (sql) file.sql = { host: sql.hosts.replace('*.', ''), port: sql.port, ...(sql.ca && { ca: sql.ca }) }
  if (notOffered.length > 0) file.notOffered = notOffered
  return file
}

const noIds = { organizationId: '', secondOrganizationId: '', serviceId: '', backupId: '' }
const noAuthorizations = { own: '', foreign: '', ingestionKey: '', first: '', second: '' }

/** The context of a call for faults: its operation, and the valid credentials and ids, computed on demand. */
export const faultContextOf = ({ core, world }: Deployment, { match, form, id }: Context): FaultContext => ({
  contract: core.contract,
  form: match.form,
  operation: id,
  params: match.params,
  get authorization() {
    const { organizationId = '' } = match.params
    return core.target?.authorizationsOf(world, organizationId, form !== 'selfHosted') ?? noAuthorizations
  },
  get ids() {
    return core.target?.idsOf(world) ?? noIds
  },
})

/** The context of a call outside the API, for faults. */
export const contextOutsideApi = ({ core: { contract } }: Deployment): FaultContext => ({
  contract,
  form: undefined,
  operation: undefined,
  params: {},
  authorization: noAuthorizations,
  ids: noIds,
})
