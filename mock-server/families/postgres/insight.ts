import { hour, minute } from '../../words/durations.ts'
import { invalidAt, Refusal } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { answerList, answerObject, type Handlers, type Request } from '../family.ts'
import { find, type Postgres, postgresServices } from './model.ts'
import { listExecutions, listPatterns, type Pattern } from './slow-queries.ts'
import { readWindow } from './window.ts'

/** The measures of a service: key, name, unit, label, mean value, daily swing, and description. */
const measures = [
  ['cpu_usage', 'CPU usage', '%', 'Used', 24, 14, 'Share of the processor time in use.'],
  ['memory_usage', 'Memory usage', '%', 'Used', 61, 4, 'Share of the memory in use.'],
  ['disk_usage', 'Disk usage', '%', 'Used', 38, 1, 'Share of the storage in use.'],
  ['disk_iops', 'Disk operations', 'IOPS', 'Reads', 420, 260, 'Operations of the storage in a second.'],
  ['network_receive', 'Network in', 'bytes/s', 'Received', 1_400_000, 900_000, 'Bytes received in a second.'],
  ['connection_count', 'Connections', 'count', 'Open', 46, 21, 'Connections of clients.'],
  ['cache_hit_ratio', 'Cache hits', '%', 'Hits', 98.6, 0.7, 'Share of the blocks that were in memory.'],
  ['transactions', 'Transactions', 'count/s', 'Committed', 310, 190, 'Transactions committed in a second.'],
] as const

/** A measure at a moment. It varies with the hour of the day, and is deterministic. */
function measureAt({ id }: Postgres, [key, , , , mean, swing]: (typeof measures)[number], at: number): number {
  const dayTime = Math.sin(((at / hour - 9) / 24) * 2 * Math.PI)
  const noise = createRandom(seedOf(0, 'postgres measure', id, key, at)).next() - 0.5
  return Math.round((mean + swing * (0.7 * dayTime + 0.3 * noise)) * 100) / 100
}

const maxPoints = 250

/** The starts of the buckets, in seconds. The default bucket size gives at most 100 buckets. */
function bucketsOf(request: Request): readonly number[] {
  const { from, to } = readWindow(request)
  const usual = Math.max(1, Math.ceil((to - from) / 1000 / 100))
  const seconds = Number(request.query.get('bucket_size_seconds') ?? usual)
  const count = Math.ceil((to - from) / 1000 / seconds)
  if (count > maxPoints) {
    const sentence = `Expected a size that gives at most ${maxPoints} buckets`
    throw invalidAt(['bucket_size_seconds'], sentence, seconds, 'Query')
  }
  return Array.from({ length: count }, (_, index) => Math.floor(from / 1000) + index * seconds)
}

function measure(service: Postgres, seconds: readonly number[], now: number): object {
  const [first, last] = [Date.parse(service.createdAt), now]
  const existing = seconds.filter(at => at * 1000 >= first && at * 1000 <= last)
  return {
    metrics: measures.map(measure => {
      const [key, name, unit, label, , , description] = measure
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
    const [key, , , , , , description] = measure
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
    return answerObject(measure(service, bucketsOf(request), request.now))
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
