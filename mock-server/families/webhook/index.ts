import { answerAbsent, belowManaged } from '../../faults/absent.ts'
import type { Faults } from '../../faults/fault.ts'
import { webhooks } from './model.ts'

export { handlers } from './webhooks.ts'
export const models = [webhooks]
export const judgesBodies = true
export const faults = {
  'webhook/absent-in-managed-form': answerAbsent(belowManaged('webhooks'), '$1/sources'),
} as const satisfies Faults
