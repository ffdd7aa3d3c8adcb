import { createRandom } from '../../mock-server/world/random.ts'

export const start = Date.parse('2026-01-05T00:00:00Z')
export const hour = 3_600_000
export const end = start + 6 * hour

/** Texts that are difficult for queries. */
export const oddTexts = [
  '',
  ' ',
  "it's",
  "''",
  '"quoted"',
  'back\\slash',
  '100%',
  'a_b',
  'naïve',
  '東京',
  '😀',
  'a:b',
  '(a OR b)',
  '[1 TO 2]',
  "x' OR '1'='1",
  "'); DROP TABLE otel_logs; --",
  '{v0:String}',
  'line\nbreak\ttab',
  'ÄÖ ß',
  '-7',
  '1e3',
  '0x1F',
  ' 12 ',
  '3.50',
  'nan',
  'NULL',
  '18446744073709551616',
]

type Rows = readonly Readonly<Record<string, unknown>>[]

const services = ['api', 'web', 'billing-api', "o'hara", '']
const severities = [
  ['error', 17],
  ['warn', 13],
  ['info', 9],
  ['INFO', 9],
  ['', 0],
] as const

/** The rows of the comparison: too few for aggregates to sample, and unusual enough to show differences. */
export function makeRows(): Readonly<Record<'log' | 'trace' | 'metric', Rows>> {
  const random = createRandom(7)
  const pick = <T>(list: readonly T[]): T => list[random.int(0, list.length - 1)]!
  const at = (index: number, size: number) => start + Math.floor((index / size) * 5.5 * hour) + random.int(0, 999) / 4
  const bodies = [
    'Timeout of 100_ms',
    'GET /cart 200',
    'POST /orders 500',
    '{"user":{"name":"Ada","age":36},"ok":true}',
  ]
  const log = Array.from({ length: 400 }, (_, index) => {
    const [SeverityText, SeverityNumber] = pick(severities)
    const dur = pick(['10', '30', '250', '99.5', 'long', ...oddTexts])
    return {
      Timestamp: isoOf(at(index, 400)),
      TraceId: random.int(0, 3) === 0 ? '' : random.hex(32),
      ServiceName: pick(services),
      SeverityText,
      SeverityNumber,
      Body: random.int(0, 2) === 0 ? pick(oddTexts) : pick(bodies),
      LogAttributes: {
        ...(random.int(0, 3) > 0 && { dur }),
        ...(random.int(0, 1) > 0 && { 'user.id': `u${random.int(1, 9)}` }),
        ...(random.int(0, 4) > 3 && { method: pick(['GET', 'POST', '']) }),
      },
      ResourceAttributes: { 'host.name': `h${random.int(1, 3)}` },
    }
  })
  const trace = Array.from({ length: 150 }, (_, index) => ({
    Timestamp: isoOf(at(index, 150)),
    TraceId: random.hex(32),
    SpanId: random.hex(16),
    SpanName: pick(['GET /cart', 'POST /orders', "o'span"]),
    SpanKind: pick(['SPAN_KIND_SERVER', 'SPAN_KIND_CLIENT']),
    ServiceName: pick(services),
    Duration: random.int(1, 3_000_000_000),
    StatusCode: pick(['STATUS_CODE_OK', 'STATUS_CODE_ERROR', 'STATUS_CODE_UNSET']),
    SpanAttributes: { 'http.status_code': String(pick([200, 404, 500])) },
  }))
  return { log, trace, metric: makeMetrics(random) }
}

const isoOf = (time: number) => new Date(time).toISOString()

/**
 * Points of four series of each metric, two of which restart. Times are full seconds, as collectors write them, and no two
 * series share a time, because nothing decides which of two simultaneous points is the last.
 */
function makeMetrics(random: ReturnType<typeof createRandom>): Rows {
  const rows: Record<string, unknown>[] = []
  for (const [first, host] of ['h1', 'h2'].entries()) {
    for (const [second, code] of ['200', '500'].entries()) {
      let total = random.int(0, 50)
      let counts = [0, 0, 0, 0]
      const common = { ServiceName: `svc-${host}`, ResourceAttributes: { 'host.name': host }, Attributes: { code } }
      for (let minute = 0; minute < 330; minute += 7) {
        const seconds = 4 * random.int(0, 12) + 2 * first + second
        const TimeUnix = isoOf(start + minute * 60_000 + seconds * 1000)
        const isRestarted = minute > 150 && minute < 158 && host === 'h2'
        total = isRestarted ? 3 : total + random.int(0, 20)
        counts = isRestarted ? [1, 0, 0, 0] : counts.map(count => count + random.int(0, 4))
        const point = { ...common, TimeUnix }
        rows.push(
          { ...point, MetricType: 'gauge', MetricName: 'load', Value: random.int(0, 1000) / 8 },
          sum(point, 'requests', total, 2),
          sum(point, 'jobs', random.int(0, 9), 1),
          { ...sum(point, 'open', random.int(0, 99), 2), IsMonotonic: 0 },
          histogram(point, 'latency', counts, 2),
          histogram(point, 'size', [random.int(0, 5), random.int(0, 5), random.int(0, 2), 0], 1),
        )
      }
    }
  }
  return rows
}

const sum = (point: object, MetricName: string, Value: number, AggregationTemporality: number) => ({
  ...point,
  MetricType: 'sum',
  MetricName,
  Value,
  IsMonotonic: 1,
  AggregationTemporality,
})

function histogram(point: object, MetricName: string, BucketCounts: readonly number[], AggregationTemporality: number) {
  const Count = BucketCounts.reduce((sum, count) => sum + count, 0)
  return {
    ...point,
    MetricType: 'histogram',
    MetricName,
    BucketCounts,
    ExplicitBounds: [10, 50, 250],
    Count,
    Sum: Count * 20,
    AggregationTemporality,
  }
}
