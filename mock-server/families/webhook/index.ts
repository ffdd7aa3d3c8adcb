import { answerAbsent, belowManaged } from '../../faults/absent.ts'
import type { Faults } from '../../faults/fault.ts'
import type { Family } from '../family.ts'
import { webhookRules } from './body-rules.ts'
import { webhooks } from './model.ts'

export { handlers } from './webhooks.ts'
/** What is validated is told what is wrong, not refused. */
export const judgesBodies = ['webhook.validate'] as const satisfies Family['judgesBodies']
export const models = [webhooks]
export const bodies = { webhook: webhookRules } as const satisfies Family['bodies']
export const faults = {
  'webhook/absent-in-managed-form': answerAbsent(belowManaged('webhooks'), '$1/sources', ['GET']),
} as const satisfies Faults
