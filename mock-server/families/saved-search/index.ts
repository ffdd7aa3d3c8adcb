import { savedSearches } from './model.ts'

export { handlers } from './saved-searches.ts'
export const faults = {}
export const models = [savedSearches]
export const judgesBodies = true
