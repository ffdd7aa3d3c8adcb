import { role as resource } from '../../../fixtures/contract/role.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { retryWithOwnKey } from '../../faults/retry-with-own-key.ts'
import { isOfOrganization } from '../../words/permissions.ts'
import { conflict, forbidden, refused } from '../../words/refusal.ts'
import { pick } from '../../world/record.ts'
import { answerList, answerObject, type Handlers, type Request, recordAt } from '../family.ts'
import { type Key, keys } from '../key/model.ts'
import { type Member, members } from '../organization/member/index.ts'
import { makePolicies, makeRole, type PolicyPlan, type Role, roles } from './model.ts'

export const models = [roles]

function present(request: Request, list: readonly Role[]): object[] {
  const actors = actorsByRole(request)
  return list.map(role => pick({ ...role, actors: actors.get(role.id) ?? [] }, resource.fields))
}

const answer = (request: Request, role: Role) => answerObject(present(request, [role])[0]!)

const find = (request: Request) => recordAt(request, roles)

function findCustom(request: Request): Role {
  const role = find(request)
  if (role.type === 'system') throw forbidden('System roles cannot be changed or deleted')
  return role
}

function judgeName(request: Request, name: string, id?: string): void {
  const other = request.list(roles).find(role => role.name === name && role.id !== id)
  if (other) throw conflict(`There is a role "${name}" already`)
}

const pattern = /^(?:organization\/(?<organization>.+)|instance\/(?:\*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))$/i

/** A policy has one scope: the organization of the role, or instances. */
function judgePolicies({ ids }: Request, policies: readonly PolicyPlan[]): void {
  for (const { permissions, resources } of policies) {
    const unknown = permissions.find(one => !/^[a-z-]+(:[a-z-]+){2}$/.test(one))
    if (unknown !== undefined) throw refused(`There is no permission ${unknown}`)
    const scopes = new Set(permissions.map(isOfOrganization))
    for (const named of resources) {
      const match = pattern.exec(named)
      if (!match) throw refused(`Expected organization/<id>, instance/<id> or instance/*, received ${named}`)
      const { organization } = match.groups!
      if (organization !== undefined && organization.toLowerCase() !== ids.organizationId)
        throw refused(`Organization ${organization} must match the role's organization`)
      scopes.add(organization !== undefined)
    }
    if (scopes.size > 1) throw refused('All permissions in a policy must target the same resource scope')
  }
}

export const handlers = {
  'role.list': request => answerList(present(request, request.list(roles))),
  'role.get': request => answer(request, find(request)),
  'role.create': request => {
    const { name, actors, policies } = request.body
    judgeName(request, name)
    judgePolicies(request, policies)
    judgeActors(request, actors)
    const { world, now } = request
    const organizationId = request.ids.organizationId!
    const createdAt = new Date(now).toISOString()
    const plan = { id: world.newUuid(), organizationId, name, type: 'custom', createdAt, policies } as const
    const role = makeRole(world, plan, world.newUuid)
    request.in(roles).create(role)
    const targetActorIds = assign(request, role.id, actors)
    request.log({ type: 'role_create', targetRoleIds: [role.id], targetRoleNames: [name], targetActorIds })
    return answer(request, role)
  },
  'role.update': request => {
    // Of a system role, only the actors can be changed.
    const hasActorsOnly = Object.keys(request.body).join() === 'actors'
    const before = hasActorsOnly ? find(request) : findCustom(request)
    const { name = before.name, actors, policies } = request.body
    judgeName(request, name, before.id)
    judgePolicies(request, policies ?? [])
    judgeActors(request, actors ?? [])
    const role: Role = {
      ...before,
      name,
      ...(policies && {
        policies: makePolicies(request.world, { ...before, roleId: before.id }, policies, request.world.newUuid),
      }),
      updatedAt: new Date(request.now).toISOString(),
    }
    request.in(roles).replace(role)
    const targetActorIds = assign(request, role.id, actors ?? actorsByRole(request).get(role.id) ?? [])
    request.log({ type: 'role_update', targetRoleIds: [role.id], targetRoleNames: [name], targetActorIds })
    return answer(request, role)
  },
  'role.delete': request => {
    const { id, name } = findCustom(request)
    const targetActorIds = assign(request, id, [])
    request.log({ type: 'role_delete', targetRoleIds: [id], targetRoleNames: [name], targetActorIds })
    request.in(roles).remove(id)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'role/unsent-stays': wrongFieldAfterUpdate('role', 'ownerId', 'organization/another'),
  'role/permissions-decide': retryWithOwnKey('lacks the permission', {
    createdWith: ({ assignedRoleIds }) => Array.isArray(assignedRoleIds) && assignedRoleIds.length > 0,
  }),
} as const satisfies Faults

/** The holders of roles: keys and members, whose records have the ids of their roles. */

type Holder = Pick<Key | Member, 'id' | 'assignedRoleIds'>

/** The members and keys of the organization: the name of the actor, the record, and a function that sets its roles. */
function* listHolders(request: Request): Iterable<[string, Holder, (ids: readonly string[]) => void]> {
  for (const member of request.list(members))
    yield [`user/${member.id}`, member, assignedRoleIds => request.in(members).replace({ ...member, assignedRoleIds })]
  for (const key of request.list(keys))
    if (key.organizationId === request.ids.organizationId)
      yield [`apiKey/${key.id}`, key, assignedRoleIds => request.in(keys).replace({ ...key, assignedRoleIds })]
}

/** The actors of each role of the organization, by the id of the role. */
function actorsByRole(request: Request): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [actor, { assignedRoleIds = [] }] of listHolders(request)) {
    for (const id of assignedRoleIds) found.set(id, [...(found.get(id) ?? []), actor])
  }
  return found
}

/** Refuses an actor that is no member and no key of the organization. */
function judgeActors(request: Request, actors: readonly string[]): void {
  if (actors.length === 0) return
  const known = new Set(Array.from(listHolders(request), ([actor]) => actor))
  const unknown = actors.find(actor => !known.has(actor))
  if (unknown !== undefined) throw refused(`There is no actor ${unknown} in the organization`)
}

/**
 * Gives a role to exactly these actors. Actors who keep it are written, too, because cached answers have its name.
 * @returns The actors who got or lost it, for the activity; undefined if none did.
 */
function assign(request: Request, roleId: string, actors: readonly string[]): readonly string[] | undefined {
  const changed: string[] = []
  for (const [actor, { assignedRoleIds = [] }, write] of [...listHolders(request)]) {
    const [hadRole, isWanted] = [assignedRoleIds.includes(roleId), actors.includes(actor)]
    if (hadRole || isWanted)
      write(isWanted ? [...new Set([...assignedRoleIds, roleId])] : assignedRoleIds.filter(id => id !== roleId))
    if (hadRole !== isWanted) changed.push(actor)
  }
  return changed.length > 0 ? changed : undefined
}
