import type { Step } from '../../engine/step.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { inOwnService, singletonSteps } from '../../visits/singleton.ts'
import { call } from '../calls.ts'

/** What a service has one of, or none, and whose checks all follow from the contract. */

export const steps: readonly Step[] = [
  call('servicePrivateEndpointConfig.get'),
  ...singletonSteps({ resource: 'backupConfiguration', within: inOwnService, change: { backupPeriodInHours: 12 } }),
  ...optionalSteps({ resource: 'upgradeWindow', within: inOwnService, body: { weekday: 0, startHourUtc: 6 } }),
  ...optionalSteps({
    resource: 'serviceQueryEndpoint',
    within: inOwnService,
    // No key may query.
    body: { roles: [], openApiKeys: [], allowedOrigins: 'https://stack-parity.invalid' },
  }),
]
