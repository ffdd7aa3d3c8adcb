import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Past, Step } from '../engine/step.ts'
import { lifecycle } from '../rules/lifecycle/index.ts'
import { lifeSteps } from '../visits/life-steps.ts'

/** A role that nobody has: it lets see dashboards, and then alerts too. */
const body = (_: Past, name: string) => ({
  name,
  description: 'stack-parity',
  permissions: [{ action: 'read', subject: 'dashboard' }],
})

const change = (_: Past, name: string) => ({
  name,
  permissions: ['dashboard', 'alert'].map(subject => ({ action: 'read', subject })),
})

export const checks = { ...lifecycle('stackRole') } as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'managed' ? lifeSteps({ form, resource: 'stackRole', body, change }) : []
