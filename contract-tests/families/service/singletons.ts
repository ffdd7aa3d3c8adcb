import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import type { Step } from '../../engine/step.ts'
import { look, refusalIn } from '../../rules/observations.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { inOwnService, singletonSteps, stepsOn } from '../../visits/singleton.ts'
import { call } from '../calls.ts'

/** What a service has one of, or none, and whose checks all follow from the contract. */

const routing = stepsOn({ resource: 'replicaAwareRouting', within: inOwnService })

export const checks = {
  // Organizations that have the feature are not refused.
  'replicaAwareRouting/not-entitled': look(['replicaAwareRouting.update'], ([came]) =>
    isSuccess(came) ? undefined : refusalIn(came),
  ),
} as const satisfies Record<string, Check>

export const steps: readonly Step[] = [
  call('servicePrivateEndpointConfig.get'),
  call('replicaAwareRouting.get'),
  routing('update', 'replicaAwareRouting.update', 11, 'turns replica-aware routing off', () => ({
    httpEnabled: false,
  })),
  ...singletonSteps({ resource: 'backupConfiguration', within: inOwnService, change: { backupPeriodInHours: 12 } }),
  ...optionalSteps({ resource: 'upgradeWindow', within: inOwnService, body: { weekday: 0, startHourUtc: 6 } }),
  ...optionalSteps({
    resource: 'serviceQueryEndpoint',
    within: inOwnService,
    // No key may query.
    body: { roles: [], openApiKeys: [], allowedOrigins: 'https://stack-parity.invalid' },
  }),
]
