import type { Family } from '../family.ts'
import { connections } from './model.ts'

export { handlers } from './connections.ts'
export const models = [connections]
export const bodies = {
  connectionReplacement: { sentences: { 'hyperdxSettingPrefix type': 'Invalid input' } },
} as const satisfies Family['bodies']
