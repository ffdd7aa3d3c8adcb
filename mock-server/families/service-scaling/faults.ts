import type { Faults } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'service/replica-scaling-answers': failing('service.replicaScaling'),
} as const satisfies Faults
