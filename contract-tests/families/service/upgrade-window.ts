import type { Form } from '../../../fixtures/contract/index.ts'
import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { optional } from '../../rules/optional.ts'
import { optionalSteps } from '../../visits/optional.ts'

export const checks = optional('upgradeWindow') satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? optionalSteps({
        resource: 'upgradeWindow',
        within: { serviceId: 'cloud:service.create-main' },
        body: { weekday: 0, startHourUtc: 6 },
      })
    : []
