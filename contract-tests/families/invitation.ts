import type { Check } from '../engine/check.ts'
import { listIn } from '../engine/pages.ts'
import type { Past, Step } from '../engine/step.ts'
import { resultIn } from '../rules/fields.ts'
import { each } from '../rules/steps.ts'
import type { Life } from '../visits/life.ts'
import { lifeSteps } from '../visits/life-steps.ts'

/** The life of invitations to addresses that nobody has. */

const life: Life = {
  form: 'cloud',
  resource: 'invitation',
  body: (past, name) => ({ email: `${name.replaceAll(/\W/g, '.')}@EXAMPLE.com`, ...roleIn(past) }),
  from: () => ['cloud:members'],
}

/** The least of roles: none, in an organization whose members show that it has moved to custom roles. */
function roleIn(past: Past): object {
  const [member] = listIn(past.exchange('cloud:members'), 'member') ?? []
  return member?.assignedRoles ? { assignedRoleIds: [] } : { role: 'developer' }
}

export const checks = {
  'invitation/email-is-in-lower-case': each(['invitation.create-main', 'invitation.get'], exchange => {
    const email = resultIn(exchange)?.email
    if (typeof email !== 'string') return undefined
    const expected = 'an address in lower case'
    return email === email.toLowerCase() ? [] : [{ path: '$.result.email', expected, got: email }]
  }),
} as const satisfies Record<string, Check>

export const steps: readonly Step[] = lifeSteps(life)
