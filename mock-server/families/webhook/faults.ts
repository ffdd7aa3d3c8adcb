import type { RuleId } from '../../../fixtures/contract/index.ts'
import { answerAbsent, belowManaged } from '../../faults/absent.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'webhook/list-answers': failing('webhook.list'),
  'webhook/absent-in-managed-form': answerAbsent(belowManaged('webhooks'), '$1/sources'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
