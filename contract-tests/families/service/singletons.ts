import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { resultIn } from '../../rules/fields.ts'
import { describeAnswer, observe } from '../../rules/steps.ts'
import { changeAndRestore, setAndDelete } from '../../visits/singleton.ts'
import { visit } from '../../visits/visit.ts'
import { service } from './service.ts'

/** Singletons of a service. The checks of their rules follow from the contract; the one here observes a gap. */

export const checks = {
  // Organizations with the feature are not refused.
  'replicaAwareRouting/not-entitled': observe(['replicaAwareRouting.update'], ([exchange]) =>
    isSuccess(exchange) ? undefined : describeAnswer(exchange),
  ),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'singletons of a service', run => {
  // The endpoint is registered for the organization and outlives the service.
  const endpoint = { id: 'vpce-0a1b2c3d4e5f60718', description: 'stack-parity' }
  const kept = { mockOnly: 'the endpoint would stay registered for the organization' } as const
  const registered = run.call('servicePrivateEndpoint.create', { ...kept, within: service, body: endpoint })
  run.call('organization.update', {
    ...kept,
    name: 'servicePrivateEndpoint.remove',
    why: 'removes the private endpoint from the organization',
    ifSucceeds: registered,
    notJudgedByOperation: true,
    body: context => {
      const got = resultIn(context.exchange('cloud:service.get'))
      const { provider: cloudProvider, region } = got ?? {}
      return got && { privateEndpoints: { remove: [{ ...endpoint, cloudProvider, region }] } }
    },
    from: ['cloud:service.get'],
    skipReason: 'the region of the service is not known',
  })
  run.call('replicaAwareRouting.update', {
    within: service,
    body: { httpEnabled: false },
    why: 'turns replica-aware routing off',
  })
  changeAndRestore(run, 'backupConfiguration', service, { backupPeriodInHours: 12 })
  setAndDelete(run, 'upgradeWindow', service, { weekday: 0, startHourUtc: 6 })
  // No key may query.
  const nobody = { roles: [], openApiKeys: [], allowedOrigins: 'https://stack-parity.invalid' }
  setAndDelete(run, 'serviceQueryEndpoint', service, nobody)
})
