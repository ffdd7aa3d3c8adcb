import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'source/list-answers': failing('source.list'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
