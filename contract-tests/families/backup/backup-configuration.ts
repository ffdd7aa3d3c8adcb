import type { Form } from '../../../fixtures/contract/index.ts'
import type { Step } from '../../engine/step.ts'
import { lifecycle } from '../../rules/lifecycle/index.ts'
import { singletonSteps } from '../../visits/singleton.ts'

export const checks = lifecycle('backupConfiguration')

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? singletonSteps({
        resource: 'backupConfiguration',
        within: { serviceId: 'cloud:service.create-main' },
        change: { backupPeriodInHours: 12 },
      })
    : []
