import { type Operation, operations } from '../../fixtures/contract/index.ts'
import { managedPermission } from '../../fixtures/contract/role.ts'

/** Permissions, as the contract abbreviates them (`svc:view`) and as policies have them (`control-plane:service:view`). */

const scopes: Readonly<Record<string, string>> = {
  org: 'control-plane:organization',
  svc: 'control-plane:service',
  pg: 'control-plane:postgres-service',
}

const spell = (permission: string): string => permission.replace(/^\w+/, scope => scopes[scope] ?? scope)

/** The permissions that operations require, with their names in policies. */
const names: ReadonlyMap<string, string> = new Map(
  [managedPermission, ...Object.values<Operation>(operations).flatMap(({ permission = [] }) => permission)]
    .toSorted()
    .map(permission => [permission, spell(permission)]),
)

export const nameOf = (permission: string): string => names.get(permission) ?? spell(permission)

/** The names of all permissions whose abbreviations match. */
export const namesLike = (pattern: RegExp): readonly string[] =>
  [...names].filter(([permission]) => pattern.test(permission)).map(([, name]) => name)

const known: ReadonlySet<string> = new Set(names.values())

/** A permission with those that it includes: viewing with managing, and deleting with managing a service. */
function entail(name: string): readonly string[] {
  const views = name.replace(/:manage(?=-|$)/, ':view')
  return [name, views, ...(name === nameOf('svc:manage') ? [nameOf('svc:delete')] : [])]
}

/** The permissions of a policy: the requested ones, and those that deployments add. */
export const complete = (requested: readonly string[]): readonly string[] => [
  ...new Set(requested.flatMap(name => entail(name).filter(one => one === name || known.has(one)))),
]

/** Whether a permission is one of the organization as a whole; the others are of an instance. */
export const isOfOrganization = (name: string): boolean => name.startsWith(`${scopes.org}:`)
