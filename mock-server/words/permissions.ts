import { type Operation, operations } from '../../fixtures/built-contract/index.ts'
import { managedPermission } from '../../fixtures/contract/role.ts'

/** Permissions: the contract abbreviates them (`svc:view`), policies write them out (`control-plane:service:view`). */

const scopes: Readonly<Record<string, string>> = {
  org: 'control-plane:organization',
  svc: 'control-plane:service',
  pg: 'control-plane:postgres-service',
}

const spell = (permission: string): string => permission.replace(/^\w+/, scope => scopes[scope] ?? scope)

/** The permissions that operations require: their names in policies, by abbreviation. */
const namesByPermission: ReadonlyMap<string, string> = new Map(
  [managedPermission, ...Object.values<Operation>(operations).flatMap(({ permission = [] }) => permission)]
    .toSorted()
    .map(permission => [permission, spell(permission)]),
)

export const nameOf = (permission: string): string => namesByPermission.get(permission) ?? spell(permission)

/** The names of all permissions whose abbreviations match. */
export const namesLike = (pattern: RegExp): readonly string[] =>
  [...namesByPermission].filter(([permission]) => pattern.test(permission)).map(([, name]) => name)

const knownNames: ReadonlySet<string> = new Set(namesByPermission.values())

/** A permission and those that it includes: managing includes viewing, and managing a service includes deleting it. */
function listIncluded(name: string): readonly string[] {
  const viewing = name.replace(/:manage(?=-|$)/, ':view')
  return [name, viewing, ...(name === nameOf('svc:manage') ? [nameOf('svc:delete')] : [])]
}

/** The permissions of a policy: the requested ones, and those that deployments add. */
export const complete = (requested: readonly string[]): readonly string[] => [
  ...new Set(requested.flatMap(name => listIncluded(name).filter(other => other === name || knownNames.has(other)))),
]

/** Whether a permission concerns the whole organization. All others concern an instance. */
export const isOfOrganization = (name: string): boolean => name.startsWith(`${scopes.org}:`)
