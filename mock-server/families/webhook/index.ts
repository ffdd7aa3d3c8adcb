import { webhooks } from './model.ts'

export { faults } from './faults.ts'
export { handlers } from './webhooks.ts'
export const models = [webhooks]
export const judgesBodies = true
