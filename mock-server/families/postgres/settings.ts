import { type Issue, invalid } from '../../words/refusal.ts'

/**
 * Settings of Postgres that are numbers, with their bounds; a `step` of 1 is a whole number. The bounds are those of a plain
 * number, in the unit of the parameter: a text may have a unit of its own, or be -1, which turns a setting off.
 */
const numbers = new Map<string, { readonly least: number; readonly most?: number; readonly step?: 1 }>(
  Object.entries({
    max_connections: { step: 1, least: 1 },
    maintenance_work_mem: { step: 1, least: 64 },
    work_mem: { step: 1, least: 64 },
    effective_cache_size: { step: 1, least: 8 },
    random_page_cost: { least: 0 },
    effective_io_concurrency: { step: 1, least: 0 },
    max_worker_processes: { step: 1, least: 0 },
    max_parallel_workers: { step: 1, least: 0 },
    max_parallel_workers_per_gather: { step: 1, least: 0 },
    max_parallel_maintenance_workers: { step: 1, least: 0 },
    shared_memory_percent: { step: 1, least: 25, most: 75 },
    temp_buffers: { step: 1, least: 800 },
    hash_mem_multiplier: { step: 1, least: 1, most: 1000 },
    maintenance_io_concurrency: { step: 1, least: 0, most: 1000 },
    io_workers: { step: 1, least: 1, most: 32 },
    bgwriter_delay: { step: 1, least: 10, most: 10000 },
    bgwriter_flush_after: { step: 1, least: 0, most: 2048 },
    bgwriter_lru_maxpages: { step: 1, least: 0, most: 1073741823 },
    bgwriter_lru_multiplier: { step: 1, least: 0, most: 10 },
    statement_timeout: { step: 1, least: 0 },
    lock_timeout: { step: 1, least: 0 },
    idle_session_timeout: { step: 1, least: 0 },
    idle_in_transaction_session_timeout: { step: 1, least: 0 },
    transaction_timeout: { step: 1, least: 0 },
    wal_sender_timeout: { step: 1, least: 0 },
    wal_keep_size: { step: 1, least: 0 },
    min_wal_size: { step: 1, least: 32768 },
    max_wal_size: { step: 1, least: 32768 },
    checkpoint_timeout: { step: 1, least: 30, most: 3600 },
    max_slot_wal_keep_size: { step: 1, least: 0 },
    wal_buffers: { step: 1, least: 32, most: 262144 },
    max_replication_slots: { step: 1, least: 10, most: 262143 },
    max_wal_senders: { step: 1, least: 10, most: 262143 },
    max_logical_replication_workers: { step: 1, least: 0, most: 262143 },
    max_sync_workers_per_subscription: { step: 1, least: 0, most: 262143 },
    logical_decoding_work_mem: { step: 1, least: 64 },
    autovacuum_max_workers: { step: 1, least: 1 },
    autovacuum_naptime: { step: 1, least: 1 },
    autovacuum_work_mem: { step: 1, least: 1024 },
    autovacuum_vacuum_scale_factor: { least: 0 },
    autovacuum_analyze_scale_factor: { least: 0 },
    autovacuum_vacuum_insert_scale_factor: { least: 0 },
    autovacuum_vacuum_threshold: { step: 1, least: 0, most: 2147483647 },
    autovacuum_analyze_threshold: { step: 1, least: 0, most: 2147483647 },
    autovacuum_vacuum_insert_threshold: { step: 1, least: -1, most: 2147483647 },
    autovacuum_freeze_max_age: { step: 1, least: 100000, most: 2000000000 },
    autovacuum_vacuum_cost_limit: { step: 1, least: 1 },
    autovacuum_vacuum_cost_delay: { step: 1, least: 0 },
    vacuum_cost_delay: { step: 1, least: 0, most: 100 },
    log_min_duration_statement: { step: 1, least: -1, most: 2147483647 },
    log_temp_files: { step: 1, least: -1, most: 2147483647 },
    log_parameter_max_length: { step: 1, least: -1, most: 1073741823 },
    track_activity_query_size: { step: 1, least: 100, most: 1048576 },
  }),
)

/** Settings of Postgres that are words. */
const words = new Map<string, readonly string[]>(
  Object.entries({
    default_transaction_isolation: ['read committed', 'repeatable read', 'serializable'],
    ssl_min_protocol_version: ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'],
    default_toast_compression: ['pglz', 'lz4'],
    enable_parallel_hash: ['on', 'off'],
    io_method: ['sync', 'worker', 'io_uring'],
    wal_compression: ['off', 'on', 'lz4', 'zstd'],
    log_lock_waits: ['on', 'off'],
  }),
)

export type Settings = Readonly<Record<string, string>>

/**
 * Reads the settings of Postgres from a body: texts and numbers, which are kept as texts.
 * @throws Refusal that names each setting that is unknown or out of its bounds.
 */
export function readPostgresSettings(sent: object): Settings {
  const issues = Object.entries(sent).flatMap(([name, value]) => judge(name, value))
  if (issues.length > 0) throw invalid(issues)
  return textsOf(sent)
}

/** Reads the settings of PgBouncer: whatever they are called, their values are texts. */
export function readPgBouncerSettings(sent: object): Settings {
  const issues = Object.entries(sent).flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [issue('pgBouncerConfig', name, 'Expected string', value)],
  )
  if (issues.length > 0) throw invalid(issues)
  return textsOf(sent)
}

const textsOf = (sent: object): Settings =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))

const issue = (map: string, name: string, says: string, received: unknown): Issue => ({
  part: 'Body',
  path: [map, name],
  says,
  received,
})

function judge(name: string, value: unknown): Issue[] {
  const refuse = (says: string) => [issue('pgConfig', name, says, value)]
  const allowed = words.get(name)
  if (allowed) return allowed.includes(String(value)) ? [] : refuse(`Expected one of ${allowed.join(', ')}`)
  const bounds = numbers.get(name)
  if (!bounds) return refuse('There is no such setting')
  if (typeof value === 'string' && (value === '-1' || withUnit.test(value))) return []
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return refuse('Expected number')
  if (bounds.step && !Number.isInteger(number)) return refuse('Expected a whole number')
  const { least, most = Number.POSITIVE_INFINITY } = bounds
  if (number < least) return refuse(`Value must be >= ${least}`)
  return number > most ? refuse(`Value must be <= ${most}`) : []
}

/** The units of Postgres for memory and time, and `m` for minutes, as the vendor's document has it. */
const withUnit = /^\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB|us|ms|s|m|min|h|d)$/

/** Settings that take effect with a restart only. */
export const needsRestart = (name: string): boolean =>
  ['max_connections', 'max_worker_processes', 'autovacuum_max_workers'].includes(name)
