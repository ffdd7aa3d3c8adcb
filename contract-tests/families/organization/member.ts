import type { Check } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { visit } from '../../visits/visit.ts'
import { changesNothing, sendUnchanged } from '../calls.ts'

/** Members as the vendor's document describes them; `rules/2.2-member.ts` judges them by the specification. */

export const checks = { 'member/update-answers': changesNothing('member') } as const satisfies Record<string, Check>

/** The field of an update that sets the roles of a member: ids of roles if the organization has custom roles, else `role`. */
const rolesOf = ({ role, assignedRoles }: JsonObject) =>
  Array.isArray(assignedRoles)
    ? { assignedRoleIds: assignedRoles.map(one => (isObject(one) ? one.roleId : one)) }
    : { role }

export const { steps } = visit('cloud', 'member', run => {
  const got = run.call('member.get')
  sendUnchanged(run, 'member.update', got, rolesOf)
  // The API cannot add a member: a removal is final.
  const restricted = { needsAllowedEffect: true, mockOnly: "no member is the run's own" } as const
  const deleted = run.call('member.delete', {
    ...restricted,
    why: 'removes the developer who joined last',
    from: ['cloud:member.list-once-more'],
    values: context => {
      const developers = listIn(context.exchange('cloud:member.list-once-more'), 'member')?.filter(
        one => one.role === 'developer',
      )
      const userId = developers?.at(-1)?.userId
      return typeof userId === 'string' ? { userId } : undefined
    },
    skipReason: 'the organization has no developer',
  })
  run.call('member.list', { name: 'member.list-after-delete', from: [deleted] })
})
