import { refused } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import { type Key, keys } from '../key/model.ts'
import { type Member, members } from '../organization/member/model.ts'

/** The holders of roles: keys and members, whose records have the ids of their roles. */

type Holder = Pick<Key | Member, 'id' | 'assignedRoleIds'>

/** The members and keys of the organization: actor name, record, and a function that sets its roles. */
function* holders(request: Request): Iterable<[string, Holder, (ids: readonly string[]) => void]> {
  for (const member of request.list(members))
    yield [`user/${member.id}`, member, assignedRoleIds => request.in(members).replace({ ...member, assignedRoleIds })]
  for (const key of request.list(keys))
    if (key.organizationId === request.ids.organizationId)
      yield [`apiKey/${key.id}`, key, assignedRoleIds => request.in(keys).replace({ ...key, assignedRoleIds })]
}

/** The actors of each role of the organization, by its id. */
export function actorsByRole(request: Request): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [actor, { assignedRoleIds = [] }] of holders(request)) {
    for (const id of assignedRoleIds) found.set(id, [...(found.get(id) ?? []), actor])
  }
  return found
}

/** Refuses an actor that is no member and no key of the organization. */
export function judgeActors(request: Request, actors: readonly string[]): void {
  if (actors.length === 0) return
  const known = new Set(Array.from(holders(request), ([actor]) => actor))
  const unknown = actors.find(actor => !known.has(actor))
  if (unknown !== undefined) throw refused(`There is no actor ${unknown} in the organization`)
}

/**
 * Gives a role to exactly these actors. Those who keep it are written, too, because they are answered with its name.
 * @returns The actors who got or lost it, for the activity; undefined if none did.
 */
export function assign(request: Request, roleId: string, actors: readonly string[]): readonly string[] | undefined {
  const changed: string[] = []
  for (const [actor, { assignedRoleIds = [] }, write] of [...holders(request)]) {
    const [has, wanted] = [assignedRoleIds.includes(roleId), actors.includes(actor)]
    if (has || wanted)
      write(wanted ? [...new Set([...assignedRoleIds, roleId])] : assignedRoleIds.filter(id => id !== roleId))
    if (has !== wanted) changed.push(actor)
  }
  return changed.length > 0 ? changed : undefined
}
