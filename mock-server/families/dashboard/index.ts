import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import type { Family } from '../family.ts'
import { dashboardRules } from './body-rules.ts'
import { unsentOfDashboard } from './dashboards.ts'
import { dashboards } from './model.ts'

export { handlers } from './dashboards.ts'
export const models = [dashboards]
/** A dry run answers with what is wrong. */
export const judgesBodies = ['dashboard.validate'] as const satisfies Family['judgesBodies']
export const bodies = {
  dashboard: dashboardRules,
  dashboardReplacement: dashboardRules,
} as const satisfies Family['bodies']
export const unsent = { 'dashboard.update': unsentOfDashboard } as const satisfies Family['unsent']
export const faults = {
  'dashboard/unsent-stays': mistakeUpdated('dashboard', 'tags', ['reset']),
} as const satisfies Faults
