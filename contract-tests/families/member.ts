import type { Check } from '../engine/check.ts'
import { isObject, type JsonObject } from '../engine/recognise.ts'
import { visit } from '../visits/visit.ts'
import { changesNothing, rewrite } from './calls.ts'

/** What the vendor documents of members; what the specification says of them is judged by `rules/2.2-member.ts`. */

export const checks = { 'member/update-answers': changesNothing('member') } as const satisfies Record<string, Check>

/** The roles that a member has, as its organization takes them: by their ids where it has moved to custom roles. */
const rolesOf = ({ role, assignedRoles }: JsonObject) =>
  Array.isArray(assignedRoles)
    ? { assignedRoleIds: assignedRoles.map(one => (isObject(one) ? one.roleId : one)) }
    : { role }

export const { steps } = visit('cloud', 'member', run => {
  rewrite(run, 'member.update', run.call('member.get'), rolesOf)
})
