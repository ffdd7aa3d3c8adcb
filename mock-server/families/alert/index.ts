import type { Family } from '../family.ts'
import { unsentOfAlert } from './alerts.ts'
import { alertRules } from './body-rules.ts'
import { alerts } from './model.ts'

export { handlers } from './alerts.ts'
export { faults } from './faults.ts'
export const models = [alerts]
export const bodies = { alert: alertRules } as const satisfies Family['bodies']
export const unsent = { 'alert.update': unsentOfAlert } as const satisfies Family['unsent']
