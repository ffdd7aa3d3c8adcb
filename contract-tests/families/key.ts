import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { neverShows, read } from './reads.ts'

export const checks = {
  'key/list-answers': answers(() => ['cloud:key.list']),
  'key/get-answers': answers(() => ['cloud:key.get']),
  'key/secret-is-shown-once': neverShows('keySecret', ['cloud:key.list', 'cloud:key.get']),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('key.list'), read('key.get', 'key.list')] : []
