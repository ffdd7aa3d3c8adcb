import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { type slowQueryPattern, slowQueryPatternDetail } from '../../../fixtures/contract/postgres/insight.ts'
import { hour, minute } from '../../words/durations.ts'
import { invalidAt, Refusal } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { answerList, answerObject, type Handlers, type Request, readMoment } from '../family.ts'
import { find, type Postgres, postgresServices } from './model.ts'

/** The window of time that a query asks for, in epoch milliseconds; `to` is exclusive. */
export function readWindow(request: Request): { readonly from: number; readonly to: number } {
  const [from, to] = [readMoment(request, 'from_date')!, readMoment(request, 'to_date')!]
  if (to > from) return { from, to }
  throw invalidAt(['to_date'], 'Expected a moment after from_date', request.query.get('to_date'), 'Query')
}

/** The measures of a service; `mean` varies by `swing` over the day. */
const measureRows = [
  ['cpu_usage', 'CPU usage', '%', 'Used', 24, 14, 'Share of the processor time in use.'],
  ['memory_usage', 'Memory usage', '%', 'Used', 61, 4, 'Share of the memory in use.'],
  ['disk_usage', 'Disk usage', '%', 'Used', 38, 1, 'Share of the storage in use.'],
  ['disk_iops', 'Disk operations', 'IOPS', 'Reads', 420, 260, 'Operations of the storage in a second.'],
  ['network_receive', 'Network in', 'bytes/s', 'Received', 1_400_000, 900_000, 'Bytes received in a second.'],
  ['connection_count', 'Connections', 'count', 'Open', 46, 21, 'Connections of clients.'],
  ['cache_hit_ratio', 'Cache hits', '%', 'Hits', 98.6, 0.7, 'Share of the blocks that were in memory.'],
  ['transactions', 'Transactions', 'count/s', 'Committed', 310, 190, 'Transactions committed in a second.'],
] as const
const measures = measureRows.map(([key, name, unit, label, mean, swing, description]) => {
  return { key, name, unit, label, mean, swing, description }
})

/** The value of a measure at a moment, always the same for the same moment. */
function measureAt({ id }: Postgres, { key, mean, swing }: (typeof measures)[number], at: number): number {
  const dayTime = Math.sin(((at / hour - 9) / 24) * 2 * Math.PI)
  const noise = createRandom(seedOf(0, 'postgres measure', id, key, at)).next() - 0.5
  return Math.round((mean + swing * (0.7 * dayTime + 0.3 * noise)) * 100) / 100
}

const maxPoints = 250

/** The starts of the buckets, in seconds. The default bucket size gives at most 100 buckets. */
function bucketsOf(request: Request): readonly number[] {
  const { from, to } = readWindow(request)
  const defaultSize = Math.max(1, Math.ceil((to - from) / 1000 / 100))
  const seconds = Number(request.query.get('bucket_size_seconds') ?? defaultSize)
  const count = Math.ceil((to - from) / 1000 / seconds)
  if (count > maxPoints) {
    const sentence = `Expected a size that gives at most ${maxPoints} buckets`
    throw invalidAt(['bucket_size_seconds'], sentence, seconds, 'Query')
  }
  return Array.from({ length: count }, (_, index) => Math.floor(from / 1000) + index * seconds)
}

function measureService(service: Postgres, seconds: readonly number[], now: number): object {
  const [first, last] = [Date.parse(service.createdAt), now]
  const existing = seconds.filter(at => at * 1000 >= first && at * 1000 <= last)
  return {
    metrics: measures.map(measure => {
      const { key, name, unit, label, description } = measure
      const dataPoints = existing.map(timestamp => ({
        timestamp,
        value: measureAt(service, measure, timestamp * 1000),
      }))
      return { key, name, unit, description, series: [{ label, dataPoints }] }
    }),
  }
}

/** Fields by the values of the query parameter `sort_by`. */
const sortFields: Readonly<Record<string, keyof Pattern>> = {
  total_duration: 'totalDurationUs',
  avg_duration: 'avgDurationUs',
  max_duration: 'maxDurationUs',
  p50_duration: 'p50DurationUs',
  p95_duration: 'p95DurationUs',
  p99_duration: 'p99DurationUs',
  call_count: 'callCount',
  error_count: 'errorCount',
  total_rows: 'totalRows',
  total_blks_read: 'totalSharedBlksRead',
  total_shared_blks_hit: 'totalSharedBlksHit',
  total_cpu_time: 'totalCpuTimeUs',
  total_wal_bytes: 'totalWalBytes',
}

const filters = { db_name: 'dbName', db_user: 'dbUser', db_operation: 'dbOperation', app: 'app' } as const

const matchesFilters = ({ query }: Request, pattern: Pattern) =>
  Object.entries(filters).every(([name, field]) => query.get(name) === null || query.get(name) === pattern[field])

function writeMetrics(services: readonly Postgres[], now: number): string {
  const running = services.filter(({ state }) => state === 'running')
  const families = measures.map(measure => {
    const { key, description } = measure
    const name = `Postgres_${key}`
    const samples = running.map(service => {
      const value = measureAt(service, measure, Math.floor(now / minute) * minute)
      return `${name}{postgres_service="${service.id}",postgres_service_name=${JSON.stringify(service.name)}} ${value}\n`
    })
    return samples.length > 0 ? `# HELP ${name} ${description}\n# TYPE ${name} gauge\n${samples.join('')}` : ''
  })
  return families.join('')
}

export const handlers = {
  'postgresMetrics.get': request => {
    const service = find(request)
    return answerObject(measureService(service, bucketsOf(request), request.now))
  },
  'slowQueryPattern.list': request => {
    const service = find(request)
    const { from, to } = readWindow(request)
    const { query } = request
    const field = sortFields[query.get('sort_by') ?? 'total_duration']!
    const sign = query.get('sort_order') === 'asc' ? 1 : -1
    const patterns = listPatterns(service, from, Math.min(to, request.now))
      .filter(pattern => matchesFilters(request, pattern))
      .sort((a, b) => sign * (Number(a[field]) - Number(b[field])))
    return answerList(patterns)
  },
  'slowQueryPattern.get': request => {
    const service = find(request)
    const { queryId = '' } = request.ids
    const all = listPatterns(service, 0, request.now).filter(pattern => matchesFilters(request, pattern))
    const aggregate = all.find(pattern => pattern.queryId === queryId)
    if (!aggregate) throw new Refusal('unknownId', queryId)
    const recentExecutions = listExecutions(service, aggregate, request.now)
    return answerObject({ aggregate, recentExecutions })
  },
  'organizationPostgresPrometheus.get': request => ({
    kind: 'text',
    text: writeMetrics(request.list(postgresServices), request.now),
  }),
  'postgresPrometheus.get': request => ({ kind: 'text', text: writeMetrics([find(request)], request.now) }),
} as const satisfies Handlers

type Pattern = ValuesOf<typeof slowQueryPattern.fields>
type Execution = ValuesOf<typeof slowQueryPatternDetail.fields>['recentExecutions'][number]

/** The queries of the shop: operation, application, text, calls per hour, and microseconds per call. */
const queries = [
  ['SELECT', 'checkout', 'SELECT * FROM orders WHERE customer_id = $1 ORDER BY created_at DESC LIMIT $2', 340, 41_000],
  ['SELECT', 'search', 'SELECT id, name FROM products WHERE name ILIKE $1', 120, 187_000],
  ['UPDATE', 'warehouse', 'UPDATE stock SET amount = amount - $1 WHERE product_id = $2', 510, 9_400],
  ['INSERT', 'checkout', 'INSERT INTO order_items (order_id, product_id, amount) VALUES ($1, $2, $3)', 620, 3_100],
  ['SELECT', 'reports', 'SELECT date_trunc($1, created_at), sum(total) FROM orders GROUP BY 1', 4, 5_300_000],
  ['DELETE', 'worker', 'DELETE FROM sessions WHERE expires_at < now()', 12, 640_000],
] as const

/** The query patterns with their totals in a window of time, as far as the service existed. */
function listPatterns(service: Postgres, from: number, to: number): readonly Pattern[] {
  const hours = Math.max(0, to - Math.max(from, Date.parse(service.createdAt))) / hour
  return queries.flatMap(([dbOperation, app, queryText, calls, microseconds]) => {
    const callCount = Math.floor(calls * hours)
    if (callCount === 0) return []
    const queryId = createRandom(seedOf(0, 'slow query', queryText)).hex(16)
    const totalDurationUs = callCount * microseconds
    return {
      queryId,
      queryText,
      dbName: 'shop',
      dbUser: 'app',
      dbOperation,
      app,
      callCount,
      errorCount: Math.floor(callCount / 500),
      totalDurationUs,
      avgDurationUs: microseconds,
      maxDurationUs: microseconds * 9,
      p50DurationUs: Math.round(microseconds * 0.8),
      p95DurationUs: microseconds * 2,
      p99DurationUs: microseconds * 4,
      totalRows: callCount * 12,
      totalSharedBlksRead: Math.round(totalDurationUs / 9_000),
      totalSharedBlksHit: Math.round(totalDurationUs / 120),
      totalCpuTimeUs: Math.round(totalDurationUs * 0.6),
      totalWalBytes: dbOperation === 'SELECT' ? 0 : callCount * 210,
    }
  })
}

function listExecutions(service: Postgres, pattern: Pattern, now: number): readonly Execution[] {
  const { callCount: _, queryId, queryText, dbName, dbUser, dbOperation, app, avgDurationUs } = pattern
  const random = createRandom(seedOf(0, 'executions', service.id, queryId, Math.floor(now / hour)))
  return Array.from({ length: Math.min(10, pattern.callCount) }, (_, index) => {
    const durationUs = Math.round(avgDurationUs * (0.5 + random.next()))
    return {
      ...zeroExecution,
      queryId,
      queryText,
      dbName,
      dbUser,
      dbOperation,
      app,
      durationUs,
      timestamp: new Date(now - (index + 1) * 47_000).toISOString(),
      pid: String(random.int(300, 9_000)),
      rows: 12,
      sharedBlksHit: Math.round(durationUs / 120),
      cpuUserTimeUs: Math.round(durationUs * 0.5),
      cpuSysTimeUs: Math.round(durationUs * 0.1),
      serverRole: service.isPrimary ? 'primary' : 'replica',
    }
  })
}

/** Zero for every required number of an execution. */
const zeroExecution = Object.fromEntries(
  Object.entries(slowQueryPatternDetail.fields.recentExecutions.items.fields).flatMap(([name, field]) =>
    field.type === 'number' && !('optional' in field) ? [[name, 0]] : [],
  ),
) as unknown as Execution
