import { replicaScaling } from '../../../fixtures/contract/service/fields.ts'
import type { Faults } from '../../faults/fault.ts'
import { failOperation } from '../../faults/rewrite.ts'
import { forbidden, invalidAt, refused } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import { pick } from '../../world/record.ts'
import type { BodyOf, Handlers, Request } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { restartTimeout, type Service, secondariesOf, services } from './model.ts'
import { answer, find } from './present.ts'
import { baseOf, type Scaling } from './schedule.ts'

type SentScaling = Scaling & { readonly numReplicas?: number }

export const scalingIn = (body: object): SentScaling => pick(body, replicaScaling)

/**
 * Applies the fields of a request, at `path` of its body, to the current scaling. The contract has judged each field;
 * this judges their combination. A missing feature (403) is refused before other mistakes of the mode (400).
 */
export function readScaling(
  request: Request,
  sent: SentScaling,
  before: Scaling,
  path: readonly (string | number)[] = [],
): Scaling {
  const refuse = (field: keyof SentScaling, sentence: string) => invalidAt([...path, field], sentence, sent[field])
  const { numReplicas, ...rest } = sent
  if ((sent.minReplicas === undefined) !== (sent.maxReplicas === undefined))
    throw refuse(sent.minReplicas === undefined ? 'minReplicas' : 'maxReplicas', 'Expected minReplicas and maxReplicas')
  if (numReplicas !== undefined && sent.minReplicas !== undefined)
    throw refuse('numReplicas', 'Expected either numReplicas, or minReplicas and maxReplicas')
  const replicaRange = numReplicas === undefined ? {} : { minReplicas: numReplicas, maxReplicas: numReplicas }
  const scaling: Scaling = { ...before, ...rest, ...replicaRange }
  const { autoscalingMode, minReplicas = 1, maxReplicas = 1 } = scaling
  const { minReplicaMemoryGb: minMemory = 0, maxReplicaMemoryGb: maxMemory = 0 } = scaling
  const isHorizontal = autoscalingMode === 'horizontal'
  if (minMemory > maxMemory)
    throw sent.maxReplicaMemoryGb === undefined
      ? refuse('minReplicaMemoryGb', `Value must be <= ${maxMemory}`)
      : refuse('maxReplicaMemoryGb', `Value must be >= ${minMemory}`)
  if (minReplicas > maxReplicas) throw refuse('maxReplicas', `Value must be >= ${minReplicas}`)
  if (isHorizontal || minReplicas < maxReplicas) {
    const { features = [] } = request.in(organizations).get(request.ids.organizationId!) ?? {}
    if (!features.includes('horizontal-autoscaling'))
      throw forbidden('Horizontal autoscaling is not enabled for the organization')
  }
  if (isHorizontal && minMemory !== maxMemory)
    throw refuse('maxReplicaMemoryGb', `Expected minReplicaMemoryGb, ${minMemory}, with horizontal autoscaling`)
  if (isHorizontal && numReplicas !== undefined)
    throw refuse('numReplicas', 'Expected minReplicas and maxReplicas with horizontal autoscaling')
  if (!isHorizontal && minReplicas < maxReplicas)
    throw refuse('numReplicas', 'Expected a number of replicas with vertical autoscaling')
  return scaling
}

/** Sets the scaling that is in force while no entry of the schedule is. */
export function withScaling(service: Service, { minReplicas, maxReplicas, ...scaling }: Scaling): Service {
  const { numReplicas: _numReplicas, minReplicas: _minReplicas, maxReplicas: _maxReplicas, ...rest } = service
  const replicas =
    scaling.autoscalingMode === 'horizontal' ? { minReplicas, maxReplicas } : { numReplicas: minReplicas }
  return { ...rest, ...scaling, ...replicas } as Service
}

/** The memory of a replica from the legacy totals, which are three times as much, whatever the number of replicas. */
export const memoryOfTotals = ({ minTotalMemoryGb: min, maxTotalMemoryGb: max }: BodyOf<'service.scaling'>) => ({
  ...(min !== undefined && { minReplicaMemoryGb: min / 3 }),
  ...(max !== undefined && { maxReplicaMemoryGb: max / 3 }),
})

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
  'service.scaling': request => scale(request, { ...scalingIn(request.body), ...memoryOfTotals(request.body) }),
} as const satisfies Handlers

export const faults = {
  'service/replica-scaling-answers': failOperation('service.replicaScaling'),
} as const satisfies Faults
