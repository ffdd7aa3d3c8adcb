import type { RuleId } from '../../../fixtures/contract/index.ts'
import { answerAbsent, belowManaged } from './absent.ts'
import type { Fault } from './fault.ts'
import { failing } from './rewrite.ts'

export const webhookFaults = {
  'webhook/list-answers': failing('webhook.list'),
  'webhook/absent-in-managed-form': answerAbsent(belowManaged('webhooks'), '$1/sources'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
