import { dealKey } from '../families/key/model.ts'
import { organizations } from '../families/organization/model.ts'
import { teams } from '../families/team/model.ts'
import type { Place } from '../faults/fault.ts'
import { selfHosted } from '../world/world.ts'
import type { Context } from './context.ts'
import type { Deployment } from './deployment.ts'
import { authorizationOf, nameIds } from './target.ts'

/** What a fault may know of a call: its target, and the valid credentials and ids. */
export function describePlace(deployment: Deployment, { match, form, id }: Context): Place {
  const { world } = deployment
  const ids = nameIds(deployment)
  const { params } = match
  const team = world.in(teams, selfHosted).get('team')
  const isOwned = world.in(organizations).get(params.organizationId ?? '') !== undefined
  const key = dealKey(world.seed, isOwned ? params.organizationId! : ids.organizationId)
  const [cloud, bearer] = [authorizationOf(key), `Bearer ${team?.accessKey}`]
  const isCloud = form !== 'selfHosted'
  return {
    form: match.form,
    operation: id,
    params,
    authorization: {
      own: isCloud ? cloud : bearer,
      foreign: isCloud ? bearer : cloud,
      ingestionKey: `Bearer ${team?.ingestionKey}`,
      first: authorizationOf(dealKey(world.seed, ids.organizationId)),
      second: ids.secondOrganizationId === '' ? '' : authorizationOf(dealKey(world.seed, ids.secondOrganizationId)),
    },
    ids,
  }
}
