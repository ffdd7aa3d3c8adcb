import { managedPermission } from '../../fixtures/contract/role.ts'
import { organizations } from '../families/organization/model.ts'
import { nameOf } from '../families/role/permissions.ts'
import { Refusal } from '../words/refusal.ts'
import { readUuid } from './accept/accept-ids.ts'
import type { Context } from './context.ts'

/** Refuses an organization that is not the key's. */
export function authoriseOrganization({ actor, match: { params }, deployment: { world } }: Context): void {
  const { organizationId } = params
  const own = actor?.kind === 'key' ? actor.organizationId : undefined
  if (organizationId === undefined || organizationId === own) return
  const id = readUuid('organizationId', organizationId)
  if (id === own) return
  throw world.in(organizations).get(id)
    ? new Refusal('forbidden', 'The key belongs to another organization', { gap: 'auth/key-of-another-organization' })
    : new Refusal('unknownId', id, { gap: 'path/unknown-organization' })
}

/** Refuses what the roles of the key do not allow. */
export function authorise({ actor, operation, form, ids }: Context): void {
  const permission = form === 'managed' ? managedPermission : operation?.permission
  if (permission === undefined || actor?.kind !== 'key') return
  const lacking = [permission].flat().find(one => !actor.may(one, ids.serviceId ?? ids.postgresId))
  if (lacking === undefined) return
  const says = `The key lacks the permission ${nameOf(lacking)}`
  throw new Refusal('forbidden', says, { rule: 'role/permissions-decide' })
}
