import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { neverShows, read } from './reads.ts'

export const checks = {
  'service/list-answers': answers(() => ['cloud:service.list']),
  'service/get-answers': answers(() => ['cloud:service.get']),
  'service/password-is-shown-once': neverShows('password', ['cloud:service.list', 'cloud:service.get']),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('service.list'), read('service.get')] : []
