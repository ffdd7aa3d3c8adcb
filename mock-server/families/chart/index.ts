import type { Handlers } from '../family.ts'
import { queryChartSeries } from './query-chart-series.ts'

export { faults } from './faults.ts'

export const handlers = { 'chart.query': queryChartSeries } as const satisfies Handlers
export const judgesBodies = true
