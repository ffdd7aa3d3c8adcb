import type { Form } from '../../../fixtures/contract/index.ts'
import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { read } from '../reads.ts'

export const checks = {
  'servicePrivateEndpointConfig/get-answers': answersAsDocumented('servicePrivateEndpointConfig.get'),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('servicePrivateEndpointConfig.get')] : []
