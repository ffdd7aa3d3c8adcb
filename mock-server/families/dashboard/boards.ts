import type { SourceIds } from '../source/seed.ts'
import type { DashboardBody } from './body/dashboard.ts'

const count = (where = '') => ({ aggFn: 'count', where, whereLanguage: 'lucene' })
const overDuration = (level: number) => ({
  aggFn: 'quantile',
  level,
  valueExpression: 'Duration',
  alias: `p${level * 100}`,
})

/** The dashboards of a small shop, as somebody would have sent them; the first tile of the first is the one that is watched. */
export const boards = ({ log, trace, metric }: SourceIds): readonly DashboardBody[] => [
  {
    name: 'Shop overview',
    tags: ['production', 'on-call'],
    tiles: [
      {
        name: 'Errors by service',
        ...{ x: 0, y: 0, w: 12, h: 4 },
        config: { displayType: 'line', sourceId: log, groupBy: 'ServiceName', select: [count('SeverityText:"ERROR"')] },
      },
      {
        name: 'Requests',
        ...{ x: 12, y: 0, w: 6, h: 4 },
        config: { displayType: 'number', sourceId: trace, select: [count('SpanKind:"Server"')] },
      },
      {
        name: 'About',
        ...{ x: 18, y: 0, w: 6, h: 4 },
        config: {
          displayType: 'markdown',
          markdown: '## Shop\n\nErrors are watched. Ask in **#on-call** before a restart.',
        },
      },
      {
        name: 'Latest warnings and errors',
        ...{ x: 0, y: 4, w: 24, h: 6 },
        config: {
          displayType: 'search',
          sourceId: log,
          select: 'Timestamp, ServiceName, SeverityText, Body',
          where: 'SeverityText:"ERROR" OR SeverityText:"WARN"',
          whereLanguage: 'lucene',
        },
      },
    ],
  },
  {
    name: 'Latency',
    tags: ['production'],
    tiles: [
      {
        name: 'Duration of requests',
        ...{ x: 0, y: 0, w: 16, h: 4 },
        config: { displayType: 'line', sourceId: trace, select: [overDuration(0.5), overDuration(0.95)] },
      },
      {
        name: 'Slowest spans',
        ...{ x: 16, y: 0, w: 8, h: 4 },
        config: {
          displayType: 'table',
          sourceId: trace,
          groupBy: 'SpanName',
          select: [{ aggFn: 'max', valueExpression: 'Duration', alias: 'slowest' }, count()],
        },
      },
    ],
    filters: [{ type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: trace }],
  },
  {
    name: 'Payments',
    tags: [],
    tiles: [
      {
        name: 'Declined',
        ...{ x: 0, y: 0, w: 8, h: 3 },
        config: { displayType: 'number', sourceId: log, select: [count('ServiceName:"payments" SeverityText:"WARN"')] },
      },
      {
        name: 'By severity',
        ...{ x: 8, y: 0, w: 16, h: 3 },
        config: {
          displayType: 'stacked_bar',
          sourceId: log,
          groupBy: 'SeverityText',
          select: [count('ServiceName:"payments"')],
        },
      },
    ],
    savedQuery: 'ServiceName:"payments"',
    savedQueryLanguage: 'lucene',
  },
  {
    name: 'Hosts',
    tags: ['infrastructure'],
    tiles: [
      {
        name: 'CPU',
        ...{ x: 0, y: 0, w: 12, h: 4 },
        config: {
          displayType: 'line',
          sourceId: metric,
          groupBy: 'ServiceName',
          select: [
            { aggFn: 'avg', valueExpression: 'Value', metricType: 'gauge', metricName: 'system.cpu.utilization' },
          ],
        },
      },
    ],
  },
]
