import type { Family } from '../family.ts'
import { savedSearches } from './model.ts'

export { faults } from './faults.ts'
export { handlers } from './saved-searches.ts'
export const models = [savedSearches]
/** A filter that fits no shape is refused without a reason. */
export const bodies = {
  savedSearchInput: { sentences: { 'filters union': 'Invalid input' } },
} as const satisfies Family['bodies']
