import type { SourceIds } from '../source/seed.ts'
import type { DashboardBody } from './body/dashboard.ts'
import { gauge } from './select-items.ts'

/** Metrics alone: gauges, counters and histograms by service. */
export const hosts = ({ metric }: SourceIds): DashboardBody => {
  const line = { displayType: 'line', sourceId: metric, fillNulls: false, groupBy: 'ServiceName' } as const
  const utilization = { output: 'percent', mantissa: 0 } as const
  return {
    name: 'Hosts',
    tags: ['infrastructure'],
    tiles: [
      {
        name: 'CPU',
        ...{ x: 0, y: 0, w: 12, h: 5 },
        config: { ...line, select: [gauge('system.cpu.utilization')], numberFormat: utilization },
      },
      {
        name: 'Memory',
        ...{ x: 12, y: 0, w: 12, h: 5 },
        config: { ...line, select: [gauge('system.memory.utilization')], numberFormat: utilization },
      },
      {
        name: 'Requests by the counters',
        ...{ x: 0, y: 5, w: 12, h: 5 },
        config: {
          displayType: 'stacked_bar',
          sourceId: metric,
          groupBy: 'ServiceName',
          select: [{ aggFn: 'sum', valueExpression: 'Value', metricType: 'sum', metricName: 'http.server.requests' }],
        },
      },
      {
        name: '95th percentile by the histograms',
        ...{ x: 12, y: 5, w: 12, h: 5 },
        config: {
          ...line,
          select: [
            {
              aggFn: 'quantile',
              level: 0.95,
              valueExpression: 'Value',
              metricType: 'histogram',
              metricName: 'http.server.duration',
            },
          ],
          numberFormat: { output: 'duration', factor: 1e-3 },
        },
      },
    ],
  }
}
