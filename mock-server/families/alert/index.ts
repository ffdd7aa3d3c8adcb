import { alerts } from './model.ts'

export { handlers } from './alerts.ts'
export { faults } from './faults.ts'
export const models = [alerts]
export const judgesBodies = true
