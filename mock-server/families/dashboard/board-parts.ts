import type { AnyTile, ConfigBody } from './make-dashboard.ts'

/** What the seeded dashboards are put together from: tiles, what they select, and the formats of their numbers. */

/** A tile at `[x, y, width, height]` of the grid. */
export const tile = (
  name: string,
  [x, y, w, h]: readonly [number, number, number, number],
  displayType: ConfigBody['displayType'],
  sourceId: string,
  select: ConfigBody['select'],
  more: object = {},
): AnyTile => ({ name, x, y, w, h, config: { displayType, sourceId, select, ...more } })

/** A count of the rows that a filter of the search dialect finds. */
export const count = (where = '', alias?: string) =>
  ({ aggFn: 'count', where, whereLanguage: 'lucene', ...(alias && { alias }) }) as const
export const overDuration = (level: number, where = 'SpanKind:"Server"') =>
  ({ aggFn: 'quantile', level, valueExpression: 'Duration', where, alias: `p${level * 100}` }) as const
export const gauge = (metricName: string, more: object = {}) =>
  ({ aggFn: 'avg', valueExpression: 'Value', metricType: 'gauge', metricName, where: '', ...more }) as const

/** Every answered request has a line that names its route. */
export const answered = 'LogAttributes.http.route:*'
export const byService = { groupBy: 'ServiceName' }
/** A line is not drawn where there is no value. */
export const withGaps = { fillNulls: false }
export const inWhole = { numberFormat: { output: 'number', thousandSeparated: true, mantissa: 0 } }
/** Spans say how long they took in nanoseconds. */
export const inTime = { numberFormat: { output: 'duration', factor: 1e-9 } }
export const inPercent = (mantissa: number) => ({ numberFormat: { output: 'percent', mantissa } })
