import type { SourceIds } from '../source/seed.ts'
import type { DashboardBody } from './body/dashboard.ts'

const count = (where = '', alias?: string) => ({
  aggFn: 'count',
  where,
  whereLanguage: 'lucene',
  ...(alias && { alias }),
})
const overDuration = (level: number, where = 'SpanKind:"Server"') => ({
  aggFn: 'quantile',
  level,
  valueExpression: 'Duration',
  where,
  alias: `p${level * 100}`,
})
const gauge = (metricName: string, more: object = {}) => ({
  aggFn: 'avg',
  valueExpression: 'Value',
  metricType: 'gauge',
  metricName,
  ...more,
})

/** Every answered request has a line that names its route. */
const answered = 'LogAttributes.http.route:*'
const [whole, percent] = [
  { output: 'number', thousandSeparated: true, mantissa: 0 },
  { output: 'percent', mantissa: 2 },
] as const
/** Spans say how long they took in nanoseconds. */
const duration = { output: 'duration', factor: 1e-9 } as const

/** The dashboards of a small shop, as somebody would have sent them; the first tile of the first is the one that is watched. */
export const boards = (sources: SourceIds): readonly DashboardBody[] => [
  overview(sources),
  latency(sources),
  payments(sources),
  hosts(sources),
]

const overview = ({ log, trace }: SourceIds): DashboardBody => ({
  name: 'Shop overview',
  tags: ['production', 'on-call'],
  tiles: [
    {
      name: 'Errors by service',
      ...{ x: 0, y: 3, w: 12, h: 5 },
      config: { displayType: 'line', sourceId: log, groupBy: 'ServiceName', select: [count('SeverityText:"ERROR"')] },
    },
    {
      name: 'Requests',
      ...{ x: 0, y: 0, w: 6, h: 3 },
      config: {
        displayType: 'number',
        sourceId: log,
        select: [count(`ServiceName:"web" ${answered}`)],
        numberFormat: whole,
      },
    },
    {
      name: 'About',
      ...{ x: 18, y: 0, w: 6, h: 3 },
      config: {
        displayType: 'markdown',
        markdown: '## Shop\n\nErrors are watched. Ask in **#on-call** before a restart.',
      },
    },
    {
      name: 'Orders',
      ...{ x: 6, y: 0, w: 6, h: 3 },
      config: {
        displayType: 'number',
        sourceId: log,
        select: [count('ServiceName:"checkout" LogAttributes.http.status_code:"201"')],
        numberFormat: whole,
      },
    },
    {
      name: '95 % are answered within',
      ...{ x: 12, y: 0, w: 6, h: 3 },
      config: {
        displayType: 'number',
        sourceId: trace,
        select: [overDuration(0.95, 'ServiceName:"web" SpanKind:"Server"')],
        numberFormat: duration,
      },
    },
    {
      name: 'Error rate',
      ...{ x: 12, y: 3, w: 12, h: 5 },
      config: {
        displayType: 'line',
        sourceId: log,
        asRatio: true,
        select: [count(`SeverityText:"ERROR" ${answered}`), count(answered)],
        numberFormat: percent,
      },
    },
    {
      name: 'Requests by service',
      ...{ x: 0, y: 8, w: 12, h: 5 },
      config: { displayType: 'stacked_bar', sourceId: log, groupBy: 'ServiceName', select: [count(answered)] },
    },
    {
      name: 'Log lines by severity',
      ...{ x: 12, y: 8, w: 12, h: 5 },
      config: { displayType: 'stacked_bar', sourceId: log, groupBy: 'SeverityText', select: [count()] },
    },
    {
      name: 'Latest warnings and errors',
      ...{ x: 0, y: 13, w: 24, h: 7 },
      config: {
        displayType: 'search',
        sourceId: log,
        select: 'Timestamp, ServiceName, SeverityText, Body',
        where: 'SeverityText:"ERROR" OR SeverityText:"WARN"',
        whereLanguage: 'lucene',
      },
    },
  ],
})

const latency = ({ log, trace }: SourceIds): DashboardBody => ({
  name: 'Latency',
  tags: ['production'],
  tiles: [
    {
      name: 'Duration of requests',
      ...{ x: 0, y: 0, w: 12, h: 5 },
      config: {
        displayType: 'line',
        sourceId: trace,
        fillNulls: false,
        select: [overDuration(0.5), overDuration(0.95), overDuration(0.99)],
        numberFormat: duration,
      },
    },
    {
      name: 'Requests traced',
      ...{ x: 12, y: 5, w: 12, h: 5 },
      config: {
        displayType: 'stacked_bar',
        sourceId: trace,
        select: [count('SpanKind:"Server"')],
      },
    },
    {
      name: '95th percentile by service',
      ...{ x: 12, y: 0, w: 12, h: 5 },
      config: {
        displayType: 'line',
        sourceId: trace,
        fillNulls: false,
        groupBy: 'ServiceName',
        select: [overDuration(0.95)],
        numberFormat: duration,
      },
    },
    {
      name: 'Slowest spans',
      ...{ x: 0, y: 5, w: 12, h: 5 },
      config: {
        displayType: 'table',
        sourceId: trace,
        groupBy: 'SpanName',
        select: [
          { aggFn: 'max', valueExpression: 'Duration', alias: 'slowest' },
          overDuration(0.95, ''),
          overDuration(0.5, ''),
        ],
        numberFormat: duration,
      },
    },
    {
      name: 'Requests by answer',
      ...{ x: 0, y: 10, w: 24, h: 5 },
      config: {
        displayType: 'stacked_bar',
        sourceId: log,
        groupBy: "LogAttributes['http.status_code']",
        select: [count(`ServiceName:"web" ${answered}`)],
      },
    },
  ],
  filters: [{ type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: trace }],
})

const payments = ({ log, trace, metric }: SourceIds): DashboardBody => ({
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

const hosts = ({ metric }: SourceIds): DashboardBody => {
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
