import type { Form } from '../../../fixtures/contract/index.ts'
import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { optional } from '../../rules/optional.ts'
import { optionalSteps } from '../../visits/optional.ts'

export const checks = optional('serviceQueryEndpoint') satisfies Record<string, Check>

/** No key may query. */
const body = { roles: [], openApiKeys: [], allowedOrigins: 'https://stack-parity.invalid' }

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? optionalSteps({ resource: 'serviceQueryEndpoint', within: { serviceId: 'cloud:service.create-main' }, body })
    : []
