import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { isObject, type JsonObject } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { changesNothing, listAgreesWithGet, read, rewrite } from './reads.ts'

/** What the vendor documents of members; what the specification says of them is judged by `rules/2.2-member.ts`. */

export const checks = {
  'member/get-answers': answersAsDocumented('member.get'),
  'member/list-agrees-with-get': listAgreesWithGet('member'),
  'member/update-answers': changesNothing('member'),
} as const satisfies Record<string, Check>

/** The roles that a member has, as its organization takes them: by their ids where it has moved to custom roles. */
const rolesOf = ({ role, assignedRoles }: JsonObject) =>
  Array.isArray(assignedRoles)
    ? { assignedRoleIds: assignedRoles.map(one => (isObject(one) ? one.roleId : one)) }
    : { role }

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('member.get', 'member.list'), rewrite('member.update', rolesOf)] : []
