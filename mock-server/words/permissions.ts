import type { Contract, Operation } from '../../fixtures/built-contract/index.ts'
import { managedPermission } from '../../fixtures/contract/role.ts'
import { onceFor } from './memoize.ts'

/** Permissions: the contract abbreviates them (`svc:view`), policies write them out (`control-plane:service:view`). */

const scopes: Readonly<Record<string, string>> = {
  org: 'control-plane:organization',
  svc: 'control-plane:service',
  pg: 'control-plane:postgres-service',
}

/** The name of a permission in policies. */
export const nameOf = (permission: string): string => permission.replace(/^\w+/, scope => scopes[scope] ?? scope)

/** The permissions that operations require: their names in policies, by abbreviation. */
const namesByPermission = onceFor(
  ({ operations }: Contract): ReadonlyMap<string, string> =>
    new Map(
      [managedPermission, ...Object.values<Operation>(operations).flatMap(({ permission = [] }) => permission)]
        .toSorted()
        .map(permission => [permission, nameOf(permission)]),
    ),
)

/** The names of all permissions whose abbreviations match. */
export const namesLike = (contract: Contract, pattern: RegExp): readonly string[] =>
  [...namesByPermission(contract)].filter(([permission]) => pattern.test(permission)).map(([, name]) => name)

/** A permission and those that it includes: managing includes viewing, and managing a service includes deleting it. */
function listIncluded(name: string): readonly string[] {
  const viewing = name.replace(/:manage(?=-|$)/, ':view')
  return [name, viewing, ...(name === nameOf('svc:manage') ? [nameOf('svc:delete')] : [])]
}

/** The permissions of a policy: the requested ones, and those that deployments add. */
export function complete(contract: Contract, requested: readonly string[]): readonly string[] {
  const known = new Set(namesByPermission(contract).values())
  return [...new Set(requested.flatMap(name => listIncluded(name).filter(other => other === name || known.has(other))))]
}

/** Whether a permission concerns the whole organization. All others concern an instance. */
export const isOfOrganization = (name: string): boolean => name.startsWith(`${scopes.org}:`)
