import type { Family } from '../family.ts'
import { sourceRules } from './body-rules.ts'
import { sources } from './model.ts'

export { handlers } from './sources.ts'
export const models = [sources]
export const bodies = { source: sourceRules } as const satisfies Family['bodies']
