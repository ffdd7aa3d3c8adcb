import { managedPermission } from '../../fixtures/contract/role.ts'
import { nameOf } from '../words/permissions.ts'
import { Refusal } from '../words/refusal.ts'
import { readUuid } from './accept/accept-ids.ts'
import type { Context } from './context.ts'
import { refuseBelow } from './families.ts'

/** Refuses an organization that is not the key's. */
export function authoriseOrganization(context: Context): void {
  const { actor, match, form, deployment } = context
  const { organizationId } = match.params
  const own = actor?.kind === 'key' ? actor.organizationId : undefined
  if (organizationId === undefined || organizationId === own) return
  const id = readUuid('organizationId', organizationId)
  if (id !== own) throw refuseBelow.organizationId!({ world: deployment.world, form, ids: { organizationId: id } })
}

/** Refuses what the roles of the key do not allow. */
export function authorise({ actor, operation, form, ids }: Context): void {
  const permission = form === 'managed' ? managedPermission : operation?.permission
  if (permission === undefined || actor?.kind !== 'key') return
  const lacking = [permission].flat().find(one => !actor.may(one, ids.serviceId ?? ids.postgresId))
  if (lacking === undefined) return
  const sentence = `The key lacks the permission ${nameOf(lacking)}`
  throw new Refusal('forbidden', sentence, { rule: 'role/permissions-decide' })
}

/** Refuses a path below a service that is not there. A service at the end of a path is looked up by its handler. */
export function authoriseService({ form, ids, deployment: { world }, match: { route } }: Context): void {
  if (ids.serviceId === undefined || route!.path.endsWith('{serviceId}')) return
  const refusal = refuseBelow.serviceId!({ world, form, ids })
  if (refusal) throw refusal
}
