import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'service/replica-scaling-answers': failing('service.replicaScaling'),
  'service/scaled-is-got': mistakeUpdated('service', 'maxReplicaMemoryGb', 356, 'replicaScaling'),
} as const satisfies Faults
