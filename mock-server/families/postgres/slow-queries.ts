import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { type slowQueryPattern, slowQueryPatternDetail } from '../../../fixtures/contract/postgres/insight.ts'
import { hour } from '../../words/durations.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import type { Postgres } from './model.ts'

export type Pattern = ValuesOf<typeof slowQueryPattern.fields>
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

/** What the patterns of queries took in a window of time, from the creation of the service on. */
export function listPatterns(service: Postgres, from: number, to: number): readonly Pattern[] {
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

export function listExecutions(service: Postgres, pattern: Pattern, now: number): readonly Execution[] {
  const { callCount: _, queryId, queryText, dbName, dbUser, dbOperation, app, avgDurationUs } = pattern
  const random = createRandom(seedOf(0, 'executions', service.id, queryId, Math.floor(now / hour)))
  return Array.from({ length: Math.min(10, pattern.callCount) }, (_, index) => {
    const durationUs = Math.round(avgDurationUs * (0.5 + random.next()))
    return {
      ...zero,
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

/** Zero for every number of an execution. */
const zero = Object.fromEntries(
  Object.entries(slowQueryPatternDetail.fields.recentExecutions.items.fields).flatMap(([name, field]) =>
    field.type === 'number' && !('optional' in field) ? [[name, 0]] : [],
  ),
) as unknown as Execution
