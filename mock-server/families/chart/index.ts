import type { OperationId } from '../../../fixtures/contract/index.ts'
import type { Handler } from '../family.ts'
import { queryChartSeries } from './query-chart-series.ts'

export { faults } from './faults.ts'

export const handlers = { 'chart.query': queryChartSeries } as const satisfies Partial<Record<OperationId, Handler>>
export const judgesBodies = true
