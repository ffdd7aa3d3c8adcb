import type { OperationId } from '../../../fixtures/contract/index.ts'
import type { Handler } from '../family.ts'
import { search } from './search.ts'

export { faults } from './faults.ts'
export const handlers = { 'search.query': search } as const satisfies Partial<Record<OperationId, Handler>>
export const judgesBodies = true
