import type { Handlers } from '../family.ts'
import { search } from './search.ts'

export { faults } from './faults.ts'
export const handlers = { 'search.query': search } as const satisfies Handlers
export const judgesBodies = true
