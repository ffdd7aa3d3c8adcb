import type { Form } from '../../../fixtures/contract/index.ts'
import { absent, type Check, judgeEach } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { findObject } from '../../engine/recognise.ts'
import type { Step } from '../../engine/step.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { mismatch, sentIn } from '../../rules/fields.ts'
import { stepsOn } from '../../visits/singleton.ts'

/** The scaling of the service that the run created: little memory, and a time-out that no other step waits for. */

const within = { serviceId: 'cloud:service.create-main' }
const [scaled, got] = ['cloud:service.replicaScaling', 'cloud:service.get-after-scaling'] as const
const memory = { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 12 }

export function steps(form: Form): readonly Step[] {
  if (form !== 'cloud') return []
  const step = stepsOn({ resource: 'service', within })
  return [
    step('scaling', 'service.scaling', 23, 'scales the service by the fields of old', () => ({
      idleTimeoutMinutes: 60,
    })),
    step('replicaScaling', 'service.replicaScaling', 24, 'scales the service', () => memory),
    {
      ...step('get-after-scaling', 'service.get', 25, 'gets the service after its scaling'),
      from: [...Object.values(within), scaled],
      settled: {
        after: [scaled],
        withinSeconds: 600,
        shows: came => !isSuccess(came) || mismatch(memory, findObject(came.json, 'service'), '$') === undefined,
      },
    },
  ]
}

const scaledIsGot: Check = {
  reads: () => [scaled, got],
  judge: evidence => {
    const [written] = evidence.of(scaled).filter(isSuccess)
    return judgeEach(
      written ? evidence.of(got).filter(isSuccess) : [],
      ({ json }) => {
        const found = mismatch(sentIn(written), findObject(json, 'service'), '$')
        return found ? [{ ...found, expected: `${found.expected}, as it was scaled` }] : []
      },
      () => absent(evidence, scaled, got),
    )
  },
}

export const checks = {
  'service/scaling-answers': answersAsDocumented('service.scaling'),
  'service/replica-scaling-answers': answersAsDocumented('service.replicaScaling'),
  'service/scaled-is-got': scaledIsGot,
} as const satisfies Record<string, Check>
