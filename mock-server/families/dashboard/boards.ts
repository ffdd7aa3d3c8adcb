import type { SourceIds } from '../source/seed.ts'
import type { AnyDashboard, AnyTile, ConfigBody } from './make-dashboard.ts'

/** The seeded dashboards, and the parts that they are made of: tiles, selections and number formats. */

/** A tile at `[x, y, width, height]` of the grid. */
const tile = (
  name: string,
  [x, y, w, h]: readonly [number, number, number, number],
  displayType: ConfigBody['displayType'],
  sourceId: string,
  select: ConfigBody['select'],
  config: object = {},
): AnyTile => ({ name, x, y, w, h, config: { displayType, sourceId, select, ...config } })

/** A count of the rows that a Lucene filter finds. */
const count = (where = '', alias?: string) =>
  ({ aggFn: 'count', where, whereLanguage: 'lucene', ...(alias && { alias }) }) as const
const overDuration = (level: number, where = 'SpanKind:"Server"') =>
  ({ aggFn: 'quantile', level, valueExpression: 'Duration', where, alias: `p${level * 100}` }) as const
const metricOf = <Type extends string, Aggregation extends object>(type: Type, name: string, how: Aggregation) =>
  ({ ...how, valueExpression: 'Value', metricType: type, metricName: name, where: '' }) as const
const gauge = (name: string) => metricOf('gauge', name, { aggFn: 'avg' } as const)

/** Matches the log lines of answered requests: one line each, with the route. */
const answered = 'LogAttributes.http.route:*'
const byService = { groupBy: 'ServiceName' }
/** The line of a chart has a gap where there is no value, instead of a zero. */
const withGaps = { fillNulls: false }
const asInteger = { numberFormat: { output: 'number', thousandSeparated: true, mantissa: 0 } }
/** The unit of span durations is the nanosecond. */
const asDuration = { numberFormat: { output: 'duration', factor: 1e-9 } }
const asPercentage = (mantissa: number) => ({ numberFormat: { output: 'percent', mantissa } })

/** The bodies of the seeded dashboards of a small shop; an alert watches the first tile of the first dashboard. */
export const dashboardsOf = (sources: SourceIds): readonly AnyDashboard[] => [
  overview(sources),
  latency(sources),
  payments(sources),
  hosts(sources),
]

const overview = ({ log, trace }: SourceIds): AnyDashboard => ({
  name: 'Shop overview',
  tags: ['production', 'on-call'],
  tiles: [
    tile('Errors by service', [0, 3, 12, 5], 'line', log, [count('SeverityText:"ERROR"')], byService),
    tile('Requests', [0, 0, 6, 3], 'number', log, [count(`ServiceName:"web" ${answered}`)], asInteger),
    {
      name: 'About',
      x: 18,
      y: 0,
      w: 6,
      h: 3,
      config: {
        displayType: 'markdown',
        markdown: '## Shop\n\nErrors are watched. Ask in **#on-call** before a restart.',
      },
    },
    tile(
      'Orders',
      [6, 0, 6, 3],
      'number',
      log,
      [count('ServiceName:"checkout" LogAttributes.http.status_code:"201"')],
      asInteger,
    ),
    tile(
      '95 % are answered within',
      [12, 0, 6, 3],
      'number',
      trace,
      [overDuration(0.95, 'ServiceName:"web" SpanKind:"Server"')],
      asDuration,
    ),
    tile('Error rate', [12, 3, 12, 5], 'line', log, [count(`SeverityText:"ERROR" ${answered}`), count(answered)], {
      asRatio: true,
      ...asPercentage(2),
    }),
    tile('Requests by service', [0, 8, 12, 5], 'stacked_bar', log, [count(answered)], byService),
    tile('Log lines by severity', [12, 8, 12, 5], 'stacked_bar', log, [count()], { groupBy: 'SeverityText' }),
    tile('Latest warnings and errors', [0, 13, 24, 7], 'search', log, 'Timestamp, ServiceName, SeverityText, Body', {
      where: 'SeverityText:"ERROR" OR SeverityText:"WARN"',
      whereLanguage: 'lucene',
    }),
  ],
})

const latency = ({ log, trace }: SourceIds): AnyDashboard => ({
  name: 'Latency',
  tags: ['production'],
  tiles: [
    tile(
      'Duration of requests',
      [0, 0, 12, 5],
      'line',
      trace,
      [0.5, 0.95, 0.99].map(level => overDuration(level)),
      { ...withGaps, ...asDuration },
    ),
    tile('Requests traced', [12, 5, 12, 5], 'stacked_bar', trace, [count('SpanKind:"Server"')]),
    tile('95th percentile by service', [12, 0, 12, 5], 'line', trace, [overDuration(0.95)], {
      ...withGaps,
      ...byService,
      ...asDuration,
    }),
    tile(
      'Slowest spans',
      [0, 5, 12, 5],
      'table',
      trace,
      [
        { aggFn: 'max', valueExpression: 'Duration', alias: 'slowest', where: '' },
        overDuration(0.95, ''),
        overDuration(0.5, ''),
      ],
      { groupBy: 'SpanName', ...asDuration },
    ),
    tile('Requests by answer', [0, 10, 24, 5], 'stacked_bar', log, [count(`ServiceName:"web" ${answered}`)], {
      groupBy: "LogAttributes['http.status_code']",
    }),
  ],
  filters: [{ type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: trace }],
})

/** For incidents of the payments: failures, durations and reasons. */
const payments = ({ log, trace, metric }: SourceIds): AnyDashboard => {
  const own = 'ServiceName:"payments"'
  const charges = 'SpanName:"POST /charges"'
  return {
    name: 'Payments',
    tags: [],
    tiles: [
      tile('Declined', [0, 0, 6, 4], 'number', log, [count(`${own} SeverityText:"WARN"`)], asInteger),
      tile('By severity', [6, 0, 18, 4], 'stacked_bar', log, [count(own)], { groupBy: 'SeverityText' }),
      tile(
        'Duration of charges',
        [0, 4, 12, 5],
        'line',
        trace,
        [overDuration(0.5, charges), overDuration(0.95, charges)],
        { ...withGaps, ...asDuration },
      ),
      tile(
        'Connections of the pool',
        [12, 4, 12, 5],
        'line',
        metric,
        [
          { ...gauge('db.client.connections.usage'), where: own, alias: 'in use' },
          { ...gauge('db.client.connections.pending_requests'), where: own, alias: 'requests that wait' },
        ],
        withGaps,
      ),
      tile(
        'Why payments fail',
        [0, 9, 24, 6],
        'table',
        log,
        [count(`${own} (SeverityText:"ERROR" OR SeverityText:"WARN")`, 'lines')],
        { groupBy: 'SeverityText, Body', ...asInteger },
      ),
    ],
    savedQuery: own,
    savedQueryLanguage: 'lucene',
  }
}

/** Metrics alone: gauges, counters and histograms by service. */
const hosts = ({ metric }: SourceIds): AnyDashboard => {
  const utilization = { ...withGaps, ...byService, ...asPercentage(0) }
  const requests = metricOf('sum', 'http.server.requests', { aggFn: 'sum' } as const)
  const percentile = metricOf('histogram', 'http.server.duration', { aggFn: 'quantile', level: 0.95 } as const)
  return {
    name: 'Hosts',
    tags: ['infrastructure'],
    tiles: [
      tile('CPU', [0, 0, 12, 5], 'line', metric, [gauge('system.cpu.utilization')], utilization),
      tile('Memory', [12, 0, 12, 5], 'line', metric, [gauge('system.memory.utilization')], utilization),
      tile('Requests by the counters', [0, 5, 12, 5], 'stacked_bar', metric, [requests], byService),
      tile('95th percentile by the histograms', [12, 5, 12, 5], 'line', metric, [percentile], {
        ...withGaps,
        ...byService,
        numberFormat: { output: 'duration', factor: 1e-3 },
      }),
    ],
  }
}
