import type { Check } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { findObject } from '../../engine/recognise.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { findMismatch } from '../../rules/fields.ts'
import { visit } from '../../visits/visit.ts'
import { service } from './service.ts'

/** Scaling of the run's own service: little memory, and an idle time-out that is longer than the run. */

const idling = { idleTimeoutMinutes: 60 }
const memory = { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 12 }

export const { steps } = visit('cloud', 'scaling', run => {
  const isScaled = (exchange: Exchange) =>
    !isSuccess(exchange) ||
    findMismatch({ ...idling, ...memory }, findObject(exchange.json, 'service'), '$') === undefined
  const from = [
    run.call('service.scaling', { within: service, body: idling, why: 'scales the service by its deprecated fields' }),
    run.call('service.replicaScaling', { within: service, body: memory, why: 'scales the service' }),
  ]
  run.call('service.get', {
    name: 'service.get-after-scaling',
    why: 'gets the service after its scaling',
    within: service,
    from,
    poll: { after: from, withinSeconds: 600, until: isScaled },
  })
})

export const checks = {
  'service/replica-scaling-answers': answersAsDocumented('service.replicaScaling'),
} as const satisfies Record<string, Check>
