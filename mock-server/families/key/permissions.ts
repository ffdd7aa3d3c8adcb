import { isOfOrganization, nameOf } from '../../words/permissions.ts'
import type { World } from '../../world/world.ts'
import { grantsOf } from '../role/model.ts'
import type { Key } from './model.ts'

/**
 * Whether a key has a permission, on an instance or, without one, anywhere. By the legacy roles, an admin may do everything
 * and a developer only read; a key for query endpoints has nothing to do here. By its other roles it may do what a policy
 * allows and none denies.
 */
export function isAllowed(world: World, key: Key, permission: string, instance?: string): boolean {
  const { roles, assignedRoleIds = [], organizationId } = key
  if (roles.includes('admin')) return true
  if (roles.includes('developer') && /:view(-|$)/.test(permission)) return true
  if (assignedRoleIds.length === 0) return false
  const name = nameOf(permission)
  const isHere = (resources: ReadonlySet<string>) =>
    isOfOrganization(name)
      ? resources.has(`organization/${organizationId}`)
      : instance === undefined || resources.has('instance/*') || resources.has(`instance/${instance}`)
  const grants = grantsOf(world, organizationId)
  const about = assignedRoleIds
    .flatMap(id => grants.get(id) ?? [])
    .filter(({ permissions, resources }) => permissions.has(name) && isHere(resources))
  return about.length > 0 && about.every(({ isAllowed }) => isAllowed)
}
