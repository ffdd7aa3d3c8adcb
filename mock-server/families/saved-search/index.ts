import { savedSearches } from './model.ts'

export { faults } from './faults.ts'
export { handlers } from './saved-searches.ts'
export const models = [savedSearches]
export const judgesBodies = true
