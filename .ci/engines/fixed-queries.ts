import type { EngineQuery } from './both.ts'
import { end, hour, oddTexts, start } from './rows.ts'

type Series = EngineQuery['series']

const log = (series: Series, more: Partial<EngineQuery> = {}): EngineQuery => ({ kind: 'log', series, ...more })
const sql = (where: string): Series => ({ where, whereLanguage: 'sql' })
const numbers = ['avg', 'sum', 'min', 'max', 'count_distinct', 'quantile', 'last_value']
const fields = [
  'SeverityNumber',
  'ServiceName',
  "LogAttributes['dur']",
  "toFloat64OrNull(LogAttributes['dur'])",
  "toUInt32OrZero(LogAttributes['dur'])",
  'length(Body)',
  'SeverityNumber / 3',
  'greatest(SeverityNumber / toHour(Timestamp), 3)',
  'nullIf(SeverityNumber, 9)',
  'LogAttributes.dur',
  'NoSuchColumn',
]

const lucene = [
  'SeverityText:error',
  'SeverityText:"error"',
  'SeverityText:ERR',
  'NOT SeverityText:info',
  '-SeverityText:info ServiceName:api',
  'SeverityText:(error OR warn) AND NOT ServiceName:"web"',
  'SeverityText:error OR SeverityText:warn AND ServiceName:web',
  'SeverityNumber:17',
  'SeverityNumber:"17"',
  'SeverityNumber:>9',
  'SeverityNumber:[9 TO 13]',
  'SeverityNumber:{9 TO 17}',
  'SeverityNumber:[9 TO *]',
  'SeverityNumber:high',
  'LogAttributes.dur:>250',
  'LogAttributes.dur:[1 TO 50]',
  'LogAttributes.user.id:*',
  '-LogAttributes.user.id:*',
  'LogAttributes.nothing:x',
  'ResourceAttributes.host.name:h2',
  'Body.user.name:Ada',
  'timeout',
  '*cart*',
  'time*',
  '"GET /cart"',
  'level:error',
  'service:web',
  'nope:1',
  'Timestamp:>2026',
  'LogAttributes:x',
  'a:(((',
]

const conditions = [
  "SeverityText = 'error'",
  "ServiceName IN ('api', 'web', 'o''hara')",
  "ServiceName NOT IN ('api')",
  'SeverityNumber BETWEEN 9 AND 13',
  "Body ILIKE '%TIMEOUT%'",
  "Body LIKE '%100\\\\_ms%'",
  "match(Body, '^(GET|POST) /')",
  "NOT (SeverityText = 'error')",
  "LogAttributes['method'] = 'GET'",
  "mapContains(LogAttributes, 'method')",
  "LogAttributes['dur'] > '200'",
  "toFloat64OrZero(LogAttributes['dur']) > 50",
  "toFloat64OrNull(LogAttributes['dur']) > 50",
  "toFloat64OrNull(LogAttributes['dur']) IS NULL",
  "xor(SeverityNumber > 9, ServiceName = 'api')",
  'CASE WHEN SeverityNumber > 9 THEN 1 ELSE 0 END',
  "hasToken(Body, 'Timeout')",
  "multiSearchAny(Body, ['cart', 'orders'])",
  "Timestamp >= toDateTime('2026-01-05 02:00:00', 'UTC')",
  "Timestamp > toDateTime('2026-01-05 05:00:00', 'UTC') - INTERVAL 2 HOUR",
  'SeverityNumber',
  'Body',
  'Duration > 1',
  '1',
  '0',
  '1 = 0',
  'NULL',
  'true',
  "position(Body, 'cart') > 0",
  "JSONExtractString(Body, 'user', 'name') = 'Ada'",
  'length(TraceId) = 32',
  'SELECT (',
]

const groups = [
  ['ServiceName'],
  ['SeverityText', 'ServiceName'],
  ["LogAttributes['user.id']"],
  ['SeverityNumber'],
  ['toHour(Timestamp)'],
  ['toDate(Timestamp)'],
  ['toStartOfHour(Timestamp)'],
  ["if(SeverityNumber > 9, 'bad', 'good')"],
  ['lower(SeverityText)', 'upper(ServiceName)'],
  ['SeverityNumber > 9'],
  ['SeverityNumber / 2'],
  ['substring(Body, 1, 3)'],
  ["splitByChar('/', Body)[2]"],
  ['TimestampTime'],
  ['LogAttributes'],
  ["'constant'"],
  ['nope'],
]

const granularities = ['30s', '1m', '5m', '10m', '15m', '30m', '1h', '2h', '6h', '12h', '1d', '2d', '7d', '30d', 'auto']

const metrics: readonly EngineQuery[] = ['load', 'requests', 'jobs', 'open', 'latency', 'size'].flatMap(metricName => {
  const metricDataType = metricName === 'load' ? 'gauge' : /latency|size/.test(metricName) ? 'histogram' : 'sum'
  return [...numbers, 'count', 'increase', 'none'].flatMap(aggFn =>
    [[], ["ResourceAttributes['host.name']"], ["Attributes['code']", 'ServiceName']].map(groupBy => ({
      kind: 'metric' as const,
      series: { aggFn, metricName, metricDataType, groupBy, ...(aggFn === 'quantile' && { level: 0.9 }) },
    })),
  )
})

/** The fixed queries: each kind of filter, function, group and granularity, with ordinary and unusual values. */
export const fixedQueries: readonly EngineQuery[] = [
  ...numbers.flatMap(aggFn => fields.map(field => log({ aggFn, field }))),
  ...[0, 0.01, 0.25, 0.95, 1].map(level => log({ aggFn: 'quantile', field: 'SeverityNumber', level })),
  ...lucene.map(where => log({ where })),
  ...conditions.map(where => log(sql(where))),
  ...groups.map(groupBy => log({ groupBy })),
  ...granularities.map(granularity => log({}, { granularity })),
  ...oddTexts.flatMap(text => {
    const [quoted, literal] = [`"${text.replace(/["\\]/g, '\\$&')}"`, `'${text.replace(/[\\']/g, '\\$&')}'`]
    return [
      log({ where: `Body:${quoted}` }),
      log({ where: `LogAttributes.dur:${quoted}` }),
      log({ where: `Body:${text}` }),
      log({ where: text }),
      log(sql(`Body = ${literal}`)),
      log(sql(`Body LIKE ${literal}`)),
      log({ groupBy: [`concat(${literal}, ServiceName)`] }),
    ]
  }),
  ...[
    [start + hour, start + 2 * hour],
    [start + hour + 1, start + hour + 1],
    [start, start],
    [end, end + hour],
    [1_000_000_000_000, end],
  ].map(([startTime, endTime]) => log({}, { startTime, endTime })),
  ...numbers.flatMap(aggFn =>
    ['Duration', 'Duration / 1e6'].map(field => ({
      kind: 'trace' as const,
      series: { aggFn, field, groupBy: ['SpanName'] },
    })),
  ),
  ...['StatusCode:STATUS_CODE_ERROR', 'Duration:>1000000000', 'SpanAttributes.http.status_code:500', 'cart'].map(
    where => ({
      kind: 'trace' as const,
      series: { where, groupBy: ['StatusCode'] },
    }),
  ),
  ...metrics,
]
