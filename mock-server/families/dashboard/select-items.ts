/** What the tiles of the seeded dashboards select, and the formats of their numbers. */

/** A count of the rows that a filter of the search dialect finds. */
export const count = (where = '', alias?: string) => ({
  aggFn: 'count',
  where,
  whereLanguage: 'lucene',
  ...(alias && { alias }),
})
export const overDuration = (level: number, where = 'SpanKind:"Server"') => ({
  aggFn: 'quantile',
  level,
  valueExpression: 'Duration',
  where,
  alias: `p${level * 100}`,
})
export const gauge = (metricName: string, more: object = {}) => ({
  aggFn: 'avg',
  valueExpression: 'Value',
  metricType: 'gauge',
  metricName,
  ...more,
})

/** Every answered request has a line that names its route. */
export const answered = 'LogAttributes.http.route:*'
export const [whole, percent] = [
  { output: 'number', thousandSeparated: true, mantissa: 0 },
  { output: 'percent', mantissa: 2 },
] as const
/** Spans say how long they took in nanoseconds. */
export const duration = { output: 'duration', factor: 1e-9 } as const
