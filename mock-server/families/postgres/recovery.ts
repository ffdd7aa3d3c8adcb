import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { postgresLog } from '../../../fixtures/contract/postgres/recovery.ts'
import type { Faults } from '../../faults/fault.ts'
import { inList } from '../../faults/rewrite.ts'
import { day, minute, second } from '../../words/durations.ts'
import { invalidAt } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { answerList, type Handlers } from '../family.ts'
import { readWindow } from './insight.ts'
import { find, firstBackupDelay, type Postgres } from './model.ts'

/** How long a base backup is kept; the mock makes one each day. */
const retention = 7 * day

/** The moments of the base backups that are kept, the newest first. A replica has none of its own. */
function listBackupTimes({ createdAt, isPrimary }: Postgres, now: number): readonly number[] {
  if (!isPrimary) return []
  const first = Date.parse(createdAt) + firstBackupDelay
  const count = Math.floor((now - first) / day) + 1
  return Array.from({ length: Math.max(0, count) }, (_, number) => first + number * day)
    .filter(at => at > now - retention)
    .toReversed()
}

/** The first moment that a service can be restored to: its oldest backup. */
export const earliestRestore = (service: Postgres, now: number): number | undefined =>
  listBackupTimes(service, now).at(-1)

type Entry = ValuesOf<typeof postgresLog.fields>

const checkpointInterval = 5 * minute

/** The log of a server: its checkpoints, and occasional errors. The seed of the world counts through the id alone. */
function* entriesOf({ id, createdAt }: Postgres, from: number, to: number): Iterable<Entry> {
  const firstNumber = Math.ceil(Math.max(from, Date.parse(createdAt)) / checkpointInterval)
  for (let number = firstNumber; number * checkpointInterval <= to; number++) {
    const at = number * checkpointInterval
    const random = createRandom(seedOf(0, 'postgres log', id, number))
    yield entry(
      at,
      'LOG',
      `checkpoint complete: wrote ${random.int(20, 900)} buffers; distance=${random.int(90, 4_000)} kB`,
    )
    const kind = random.int(0, 40)
    if (at + second > to) continue
    if (kind === 0) yield entry(at + second, 'ERROR', 'duplicate key value violates unique constraint "orders_pkey"')
    if (kind === 1) yield entry(at + second, 'WARNING', 'there is no transaction in progress')
    if (kind === 2) yield entry(at + second, 'FATAL', 'password authentication failed for user "reports"')
  }
}

const entry = (at: number, severity: string, body: string): Entry => ({
  timestamp: new Date(at).toISOString(),
  severity,
  body,
})

const maxWindow = 30 * day

export const handlers = {
  'postgresBackup.list': request => {
    const service = find(request)
    const listed = listBackupTimes(service, request.now).map(at => {
      const segment = createRandom(seedOf(0, 'base backup', service.id, at))
        .hex(8)
        .toUpperCase()
      const key = `basebackups_005/0000000100000000${segment}_backup_stop_sentinel.json`
      return { key, status: 'ready', lastModified: new Date(at).toISOString() }
    })
    return answerList(listed)
  },
  'postgresLog.list': request => {
    const { query, now } = request
    const service = find(request)
    const { from, to } = readWindow(request)
    if (to - from > maxWindow)
      throw invalidAt(['to_date'], 'Expected at most 30 days after from_date', undefined, 'Query')
    const severity = query.get('severity')
    const text = query.get('body_contains') ?? ''
    const found = [...entriesOf(service, from, Math.min(to, now))].filter(
      one => (severity === null || one.severity === severity) && one.body.includes(text),
    )
    return answerList(query.get('sort_order') === 'asc' ? found : found.toReversed())
  },
} as const satisfies Handlers

export const faults = {
  'postgresLog/window-is-kept': inList('postgresLog.list', list =>
    list.map(one => ({ ...one, timestamp: '1999-12-31T00:00:00.000Z' })),
  ),
} as const satisfies Faults
