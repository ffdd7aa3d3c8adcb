import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { role } from '../../../fixtures/contract/role.ts'
import { recordsIn } from '../../words/check-options.ts'
import { complete, isOfOrganization, namesLike } from '../../words/permissions.ts'
import { invalidAt, Refusal } from '../../words/refusal.ts'
import type { CapturedAnswer, Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { patch, type Request } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { services } from '../service/model.ts'

const { actors: _, ...recordFields } = role.fields

/** A role without its actors, which follow from keys and members. */
export type Role = ValuesOf<typeof recordFields, 'answer'>
type Policy = Role['policies'][number]
/** A policy in a request body. */
export type PolicyPlan = Pick<Policy, 'allowDeny' | 'permissions' | 'resources' | 'tags'>

/** The system roles, each with a pattern of the permissions that it gives everywhere in the organization. */
const systemRoles = {
  Admin: /^/,
  Member: /^org:view$/,
  Billing: /^org:view$/,
  'Organization API Reader': /^org:view/,
  'Service Admin': /^(svc|pg):/,
  'Service Reader': /^(svc|pg):view/,
  'Service API Admin': /^(svc|pg):/,
  'Service API Reader': /^(svc|pg):view/,
  'Basic Service API Reader': /^(svc|pg):view$/,
} as const

/** The seeded custom roles, of the first organization and of organizations that use custom roles. */
type CustomName = 'Deployer' | 'Production Operator'
export type RoleName = keyof typeof systemRoles | CustomName

/** The id of a seeded role, by its name. */
export const seededRoleId = (seed: number, organizationId: string, name: RoleName): string =>
  createRandom(seedOf(seed, 'role', organizationId, name)).uuid()

export const roles: Model<Role, 'role'> = {
  name: 'role',
  within: organizations,
  inEmptyWorld: () => true,
  namedBy: ['assignedRoleIds'],
  record: recordSchema(recordFields),
  *seed(organizationId, { seed, world }) {
    const organization = world.in(organizations).get(organizationId)
    if (!organization) return
    const { createdAt, usesCustomRoles } = organization
    const make = (type: Role['type'], name: RoleName, policies: readonly PolicyPlan[]): Role => {
      const id = seededRoleId(seed, organizationId, name)
      const random = createRandom(seedOf(seed, 'policies', id))
      return makeRole(world, { id, organizationId, name, type, createdAt, policies }, () => random.uuid())
    }
    const policy = (resource: string, permissions: readonly string[]): PolicyPlan[] =>
      permissions.length === 0 ? [] : [{ allowDeny: 'ALLOW', permissions, resources: [resource] }]
    const own = `organization/${organizationId}`
    for (const [name, pattern] of Object.entries(systemRoles)) {
      const all = namesLike(world.contract, pattern)
      const [ofOrganization, ofInstances] = [all.filter(isOfOrganization), all.filter(one => !isOfOrganization(one))]
      yield make('system', name as RoleName, [...policy(own, ofOrganization), ...policy('instance/*', ofInstances)])
    }
    if (!usesCustomRoles && organizationId !== world.list(organizations)[0]?.id) return
    yield make('custom', 'Deployer', [
      ...policy(own, namesLike(world.contract, /^org:(view|create-service)$/)),
      ...policy('instance/*', namesLike(world.contract, /^svc:(view|manage|delete)$/)),
    ])
    const [production] = world.list(services, organizationId)
    if (production)
      yield make(
        'custom',
        'Production Operator',
        policy(`instance/${production.id}`, namesLike(world.contract, /^svc:/)),
      )
  },
}

type RolePlan = Pick<Role, 'id' | 'name' | 'type' | 'createdAt'> & {
  readonly organizationId: string
  readonly policies: readonly PolicyPlan[]
}

export function makeRole(world: World, { organizationId, policies, ...plan }: RolePlan, newId: () => string): Role {
  const tenantId = `organization/${organizationId}`
  return {
    ...plan,
    tenantId,
    ownerId: tenantId,
    policies: makePolicies(world, { roleId: plan.id, tenantId }, policies, newId),
    updatedAt: plan.createdAt,
  }
}

export const makePolicies = (
  { contract }: World,
  { roleId, tenantId }: Pick<Policy, 'roleId' | 'tenantId'>,
  plans: readonly PolicyPlan[],
  newId: () => string,
) => plans.map(plan => ({ id: newId(), roleId, tenantId, ...plan, permissions: complete(contract, plan.permissions) }))

/** The policies of each role, cached until a role changes. */
export const grantsOf = (world: World, organizationId: string) =>
  world
    .in(roles, organizationId)
    .derive('grants', list => new Map(list.map(({ id, policies }) => [id, policies.map(indexPolicy)])))

/** Puts permissions and resources of a policy into sets for look-ups. */
const indexPolicy = ({ allowDeny, permissions, resources }: Policy) => ({
  isAllowed: allowDeny === 'ALLOW',
  permissions: new Set<string>(permissions),
  resources: new Set<string>(resources),
})

/** The roles of keys, members and invitations, whose records have the ids of their roles. */

/** The roles with these ids as answers show them; deleted roles are left out. */
export const presentRoles = (world: World, organizationId: string, ids: readonly string[] = []) =>
  ids.flatMap(id => {
    const role = world.in(roles, organizationId).get(id)
    return role ? [{ roleId: id, roleName: role.name, roleType: role.type }] : []
  })

/** Judges the `assignedRoleIds` of a body: each has to be a role of the organization. */
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

/** The roles of a member or an invitation; answers have them if there are any or the organization uses custom roles. */
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

/** The ids of the roles of a captured invitation, key or member. */
export const assignedRoleIdsIn = ({ assignedRoles }: CapturedAnswer['fields']) =>
  assignedRoles === undefined ? {} : { assignedRoleIds: recordsIn(assignedRoles).map(one => one.roleId) }

/** The same of a key or member, by which the organization has custom roles. */
export function rolesOfCaptured(fields: CapturedAnswer['fields'], organizationId: string, world: World) {
  if (fields.assignedRoles !== undefined) patch(world, organizations, '', organizationId, { usesCustomRoles: true })
  return assignedRoleIdsIn(fields)
}
