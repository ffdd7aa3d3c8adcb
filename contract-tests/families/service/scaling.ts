import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { findObject } from '../../engine/recognise.ts'
import type { Step } from '../../engine/step.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { mismatch, sentIn } from '../../rules/fields.ts'
import { agrees, together } from '../../rules/steps.ts'
import { inOwnService, stepsOn } from '../../visits/singleton.ts'

/** The scaling of the service that the run created: little memory, and a time-out that no other step waits for. */

const [scaled, got] = ['cloud:service.replicaScaling', 'cloud:service.get-after-scaling'] as const
const memory = { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 12 }
const step = stepsOn({ resource: 'service', within: inOwnService })

export const steps: readonly Step[] = [
  step('scaling', 'service.scaling', 23, 'scales the service by the fields of old', () => ({ idleTimeoutMinutes: 60 })),
  step('replicaScaling', 'service.replicaScaling', 24, 'scales the service', () => memory),
  {
    ...step('get-after-scaling', 'service.get', 25, 'gets the service after its scaling'),
    from: [inOwnService.serviceId, scaled],
    settled: {
      after: [scaled],
      withinSeconds: 600,
      shows: came => !isSuccess(came) || mismatch(memory, findObject(came.json, 'service'), '$') === undefined,
    },
  },
]

export const checks = {
  'service/replica-scaling-answers': answersAsDocumented('service.replicaScaling'),
  'service/scaled-is-got': together([scaled, got], ([written, read]) =>
    written && isSuccess(written) && read && isSuccess(read)
      ? agrees(mismatch(sentIn(written), findObject(read.json, 'service'), '$'), ', as it was scaled', read)
      : undefined,
  ),
} as const satisfies Record<string, Check>
