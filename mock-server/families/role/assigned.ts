import { invalidAt, Refusal } from '../../words/refusal.ts'
import type { World } from '../../world/world.ts'
import type { Request } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { roles } from './model.ts'

/** The roles of keys, members and invitations, whose records have the ids of their roles. */

/** The roles of these ids as answered, without deleted ones. */
export const presentRoles = (world: World, organizationId: string, ids: readonly string[] = []) =>
  ids.flatMap(id => {
    const role = world.in(roles, organizationId).get(id)
    return role ? [{ roleId: id, roleName: role.name, roleType: role.type }] : []
  })

/** Judges the `assignedRoleIds` of a body, each of which has to be a role of the organization. */
export function acceptRoleIds(request: Request, sent: readonly string[]): readonly string[] {
  const ids = [...new Set(sent.map(id => id.toLowerCase()))]
  const unknown = ids.findIndex(id => !request.in(roles).get(id))
  if (unknown < 0) return ids
  throw invalidAt(['assignedRoleIds', unknown], 'There is no such role', sent[unknown])
}

/** Whether the organization of a call uses custom roles, by its record or by choice. */
export const usesCustomRoles = (request: Request): boolean =>
  request.in(organizations).get(request.ids.organizationId!)?.usesCustomRoles ??
  request.choice('role/legacy-roles') === 'refused'

/** Refuses a legacy role in an organization with custom roles. */
export function refuseLegacyRole(request: Request, field: 'role' | 'roles', sent: unknown): void {
  if (sent === undefined || !usesCustomRoles(request)) return
  const sentence = `Organization has migrated to Custom Roles. Use 'assignedRoleIds' instead of '${field}'.`
  throw new Refusal('malformed', sentence, { gap: 'role/legacy-roles' })
}

/** The roles of a member or an invitation, answered where there are any or custom roles are used. */
export const presentAssigned = (request: Request, ids: readonly string[] = []) =>
  ids.length > 0 || usesCustomRoles(request)
    ? { assignedRoles: presentRoles(request.world, request.ids.organizationId!, ids) }
    : {}

export function acceptRoles<Sent extends { readonly role?: string; readonly assignedRoleIds?: readonly string[] }>(
  request: Request,
  sent: Sent,
): Sent {
  refuseLegacyRole(request, 'role', sent.role)
  const { assignedRoleIds } = sent
  return assignedRoleIds ? { ...sent, assignedRoleIds: acceptRoleIds(request, assignedRoleIds) } : sent
}
