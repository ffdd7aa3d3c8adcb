import { sources } from './model.ts'

export { handlers } from './sources.ts'
export const models = [sources]
export const judgesBodies = true
