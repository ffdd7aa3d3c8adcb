import { connections } from './model.ts'

export { handlers } from './connections.ts'
export const models = [connections]
export const judgesBodies = true
