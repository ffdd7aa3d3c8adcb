import { sources } from './model.ts'

export { faults } from './faults.ts'
export { handlers } from './sources.ts'
export const models = [sources]
export const judgesBodies = true
