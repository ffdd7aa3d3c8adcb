import { dashboards } from './model.ts'

export { handlers } from './dashboards.ts'
export { faults } from './faults.ts'
export const models = [dashboards]
export const judgesBodies = true
