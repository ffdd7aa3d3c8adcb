import type { SourceIds } from '../source/seed.ts'
import type { DashboardBody } from './body/dashboard.ts'
import { count, duration, gauge, overDuration, whole } from './select-items.ts'

/** Where an incident of the payments is understood: what fails, how long it takes, and why. */
export const payments = ({ log, trace, metric }: SourceIds): DashboardBody => ({
  name: 'Payments',
  tags: [],
  tiles: [
    {
      name: 'Declined',
      ...{ x: 0, y: 0, w: 6, h: 4 },
      config: {
        displayType: 'number',
        sourceId: log,
        select: [count('ServiceName:"payments" SeverityText:"WARN"')],
        numberFormat: whole,
      },
    },
    {
      name: 'By severity',
      ...{ x: 6, y: 0, w: 18, h: 4 },
      config: {
        displayType: 'stacked_bar',
        sourceId: log,
        groupBy: 'SeverityText',
        select: [count('ServiceName:"payments"')],
      },
    },
    {
      name: 'Duration of charges',
      ...{ x: 0, y: 4, w: 12, h: 5 },
      config: {
        displayType: 'line',
        sourceId: trace,
        fillNulls: false,
        select: [overDuration(0.5, 'SpanName:"POST /charges"'), overDuration(0.95, 'SpanName:"POST /charges"')],
        numberFormat: duration,
      },
    },
    {
      name: 'Connections of the pool',
      ...{ x: 12, y: 4, w: 12, h: 5 },
      config: {
        displayType: 'line',
        sourceId: metric,
        fillNulls: false,
        select: [
          gauge('db.client.connections.usage', { where: 'ServiceName:"payments"', alias: 'in use' }),
          gauge('db.client.connections.pending_requests', {
            where: 'ServiceName:"payments"',
            alias: 'requests that wait',
          }),
        ],
      },
    },
    {
      name: 'Why payments fail',
      ...{ x: 0, y: 9, w: 24, h: 6 },
      config: {
        displayType: 'table',
        sourceId: log,
        groupBy: 'SeverityText, Body',
        select: [count('ServiceName:"payments" (SeverityText:"ERROR" OR SeverityText:"WARN")', 'lines')],
        numberFormat: whole,
      },
    },
  ],
  savedQuery: 'ServiceName:"payments"',
  savedQueryLanguage: 'lucene',
})
