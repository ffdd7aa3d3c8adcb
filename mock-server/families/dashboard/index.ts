import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import { dashboards } from './model.ts'

export { handlers } from './dashboards.ts'
export const models = [dashboards]
export const judgesBodies = true
export const faults = {
  'dashboard/unsent-stays': mistakeUpdated('dashboard', 'tags', ['reset']),
} as const satisfies Faults
