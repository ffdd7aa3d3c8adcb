import type { Form } from '../../fixtures/contract/index.ts'
import { absent, type Check, judgeEach } from '../engine/check.ts'
import { listIn } from '../engine/pages.ts'
import type { Past, Step } from '../engine/step.ts'
import { lifecycle } from '../rules/lifecycle/index.ts'
import type { Life } from '../visits/life.ts'
import { lifeSteps } from '../visits/life-steps.ts'
import { resultIn } from './reads.ts'

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

const shown = ['cloud:invitation.create-main', 'cloud:invitation.get']

const emailIsInLowerCase: Check = {
  reads: () => shown,
  judge: evidence =>
    judgeEach(
      evidence.of(...shown),
      exchange => {
        const email = resultIn(exchange)?.email
        if (typeof email !== 'string') return undefined
        const expected = 'an address in lower case'
        return email === email.toLowerCase() ? [] : [{ path: '$.result.email', expected, got: email }]
      },
      () => absent(evidence, ...shown),
    ),
}

export const checks = {
  ...lifecycle('invitation'),
  'invitation/email-is-in-lower-case': emailIsInLowerCase,
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] => (form === 'cloud' ? lifeSteps(life) : [])
