import type { Family, Handlers } from '../family.ts'
import { chartRules } from './body-rules.ts'
import { queryChartSeries } from './query-chart-series.ts'

export { faults } from './faults.ts'

export const handlers = { 'chart.query': queryChartSeries } as const satisfies Handlers
/** By choice, times come in another unit than that in which they are judged. */
export const judgesBodies = ['chart.query'] as const satisfies Family['judgesBodies']
export const bodies = { chartQuery: chartRules } as const satisfies Family['bodies']
