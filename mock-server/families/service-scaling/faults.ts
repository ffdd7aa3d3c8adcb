import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { changeResult, failing, succeeds } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

export const faults = {
  'service/scaling-answers': failing('service.scaling'),
  'service/replica-scaling-answers': failing('service.replicaScaling'),
  'service/scaled-is-got': forgetScaling,
} as const satisfies Partial<Record<RuleId, () => Fault>>

/** Answers gets of a service that was scaled with other memory. */
function forgetScaling(): Fault {
  const scaled = new Set<string | undefined>()
  return async (call, next, { operation, params }) => {
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    if (operation === 'service.replicaScaling') scaled.add(params.serviceId)
    if (operation !== 'service.get' || !scaled.has(params.serviceId)) return answer
    return changeResult(answer, thing => (isRecord(thing) ? { ...thing, maxReplicaMemoryGb: 356 } : thing))
  }
}
