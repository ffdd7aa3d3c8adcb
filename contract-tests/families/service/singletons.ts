import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { look, refusalIn } from '../../rules/observations.ts'
import { changeAndPutBack, setAndDelete } from '../../visits/singleton.ts'
import { visit } from '../../visits/visit.ts'
import { lines as services } from '../service.ts'

/** What a service has one of, or none, and whose checks all follow from the contract. */

export const checks = {
  // Organizations that have the feature are not refused.
  'replicaAwareRouting/not-entitled': look(['replicaAwareRouting.update'], ([came]) =>
    isSuccess(came) ? undefined : refusalIn(came),
  ),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'singletons of a service', run => {
  const { service: within } = services
  run.call('servicePrivateEndpointConfig.get')
  run.call('replicaAwareRouting.get')
  run.call('replicaAwareRouting.update', {
    within,
    body: { httpEnabled: false },
    why: 'turns replica-aware routing off',
  })
  changeAndPutBack(run, 'backupConfiguration', within, { backupPeriodInHours: 12 })
  setAndDelete(run, 'upgradeWindow', within, { weekday: 0, startHourUtc: 6 })
  // No key may query.
  const nobody = { roles: [], openApiKeys: [], allowedOrigins: 'https://stack-parity.invalid' }
  setAndDelete(run, 'serviceQueryEndpoint', within, nobody)
})
