import type { SourceIds } from '../source/seed.ts'
import type { DashboardBody } from './body/dashboard.ts'
import { hosts } from './hosts-board.ts'
import { payments } from './payments-board.ts'
import { answered, count, duration, overDuration, percent, whole } from './select-items.ts'

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
