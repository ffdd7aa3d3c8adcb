import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { read } from './reads.ts'

export const checks = {
  'organization/list-answers': answers(() => ['cloud:organization.list']),
  'organization/get-answers': answers(() => ['cloud:organization.get']),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('organization.list'), read('organization.get')] : []
