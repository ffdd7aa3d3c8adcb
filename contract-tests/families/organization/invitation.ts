import type { Check } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import type { RunContext } from '../../engine/step.ts'
import { resultIn } from '../../rules/fields.ts'
import { eachAnswerTo } from '../../rules/operations.ts'
import { lifeOf } from '../../visits/life.ts'
import { visit } from '../../visits/visit.ts'

/** Invitations to addresses that do not exist. */

/** The role with the fewest permissions: an empty list if the members show that the organization uses custom roles. */
function leastRole(context: RunContext): object {
  const [member] = listIn(context.exchange('cloud:member.list'), 'member') ?? []
  return member?.assignedRoles ? { assignedRoleIds: [] } : { role: 'developer' }
}

export const checks = {
  'invitation/email-is-in-lower-case': eachAnswerTo(['invitation.create', 'invitation.get'], exchange => {
    const email = resultIn(exchange)?.email
    if (typeof email !== 'string') return undefined
    const expected = 'an address in lower case'
    return email === email.toLowerCase() ? [] : [{ path: '$.result.email', expected, got: email }]
  }),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'invitation', run => {
  lifeOf(run, 'invitation', {
    body: (context, name) => ({ email: `${name.replaceAll(/\W/g, '.')}@EXAMPLE.com`, ...leastRole(context) }),
    from: () => ['cloud:member.list'],
  }).live()
})
