import type { Past, Step } from '../engine/step.ts'
import { lifeSteps } from '../visits/life-steps.ts'

/** A role that nobody has: it lets see dashboards, and then alerts too. */
const body = (_: Past, name: string) => ({
  name,
  description: 'stack-parity',
  permissions: [{ action: 'read', subject: 'Dashboard', integration: 'mongodb' }],
})

const change = (_: Past, name: string) => ({
  name,
  permissions: ['Dashboard', 'Alert'].map(subject => ({ action: 'read', subject, integration: 'mongodb' })),
})

export const steps: readonly Step[] = lifeSteps({ form: 'managed', resource: 'stackRole', body, change })
