import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { read } from './reads.ts'

export const checks = {
  'activity/list-answers': answers(() => ['cloud:activity.list']),
  'activity/get-answers': answers(() => ['cloud:activity.get']),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('activity.list'), read('activity.get', 'activity.list')] : []
