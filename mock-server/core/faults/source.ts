import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from './fault.ts'
import { failing } from './rewrite.ts'

export const sourceFaults = {
  'source/list-answers': failing('source.list'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
