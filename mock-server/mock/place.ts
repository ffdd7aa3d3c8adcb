import type { Context } from '../core/context.ts'
import { dealKey } from '../families/key/model.ts'
import { organizations } from '../families/organization/model.ts'
import { teams } from '../families/team/model.ts'
import type { Place } from '../faults/fault.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'
import { authorizationOf, nameIds } from './target.ts'

/** What a fault may know of a call: its target, and the valid credentials and ids, which are drawn when a fault reads them. */
export function describePlace(deployment: Deployment, { match, form, id }: Context): Place {
  return {
    form: match.form,
    operation: id,
    params: match.params,
    get authorization() {
      return authorizationIn(deployment, match.params.organizationId ?? '', form !== 'selfHosted')
    },
    get ids() {
      return nameIds(deployment)
    },
  }
}

function authorizationIn(deployment: Deployment, organizationId: string, isCloud: boolean): Place['authorization'] {
  const { world } = deployment
  const ids = nameIds(deployment)
  const team = world.in(teams, selfHosted).get('team')
  const of = (organization: string) => authorizationOf(dealKey(world.seed, organization))
  const isOwned = world.in(organizations).get(organizationId) !== undefined
  const [cloud, bearer] = [of(isOwned ? organizationId : ids.organizationId), `Bearer ${team?.accessKey}`]
  return {
    own: isCloud ? cloud : bearer,
    foreign: isCloud ? bearer : cloud,
    ingestionKey: `Bearer ${team?.ingestionKey}`,
    first: of(ids.organizationId),
    second: ids.secondOrganizationId === '' ? '' : of(ids.secondOrganizationId),
  }
}

/** That of a call of an interface beside the API. */
export const beside: Place = {
  form: undefined,
  operation: undefined,
  params: {},
  authorization: { own: '', foreign: '', ingestionKey: '', first: '', second: '' },
  ids: { organizationId: '', secondOrganizationId: '', serviceId: '', backupId: '' },
}
