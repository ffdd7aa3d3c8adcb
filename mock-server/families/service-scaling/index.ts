import type { Faults } from '../../faults/fault.ts'
import { failOperation } from '../../faults/rewrite.ts'
import { refused } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import type { Handlers, Request } from '../family.ts'
import { restartTimeout } from '../service/life.ts'
import { secondariesOf, services } from '../service/model.ts'
import { answer, find } from '../service/present.ts'
import { memoryOfTotals, readScaling, type SentScaling, withScaling } from '../service/scaling.ts'
import { baseOf } from '../service/schedule.ts'

const activities = [
  ['service_update_autoscaling_memory', ['minReplicaMemoryGb', 'maxReplicaMemoryGb']],
  ['service_update_autoscaling_replicas', ['numReplicas', 'minReplicas', 'maxReplicas']],
  ['service_update_autoscaling_idling', ['idleScaling', 'idleTimeoutMinutes']],
] as const

function scale(request: Request, sent: SentScaling): Reply {
  const before = find(request)
  const scaling = readScaling(request, sent, baseOf(before))
  if (scaling.minReplicas === 1 && secondariesOf(request.list(services), before).length > 0)
    throw refused('The primary service of a warehouse must have at least 2 replicas')
  const changed = restartTimeout(withScaling(before, scaling), request.now)
  request.in(services).replace(changed)
  for (const [type, fields] of activities) {
    if (fields.some(field => changed[field] !== before[field])) request.log({ type, serviceId: changed.id })
  }
  return answer(request, changed)
}

export const handlers = {
  'service.replicaScaling': request => scale(request, request.body),
  'service.scaling': request => {
    const { minTotalMemoryGb, maxTotalMemoryGb, ...sent } = request.body
    return scale(request, { ...sent, ...memoryOfTotals({ minTotalMemoryGb, maxTotalMemoryGb }) })
  },
} as const satisfies Handlers

export const faults = {
  'service/replica-scaling-answers': failOperation('service.replicaScaling'),
} as const satisfies Faults
