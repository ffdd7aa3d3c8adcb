import { writeLabels } from '../../families/prometheus/exposition.ts'
import type { Mock } from '../../mock/mock.ts'

/** The media type of the text format of Prometheus. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

type Sample = readonly [suffix: string, labels: Readonly<Record<string, string>>, value: number]

/** The mock itself in the text format of Prometheus: what it answered, how many worlds there are, and what they take. */
export function renderMetrics(mock: Mock, version = 'unknown'): string {
  const { calls, durations } = mock.statistics()
  const worlds = [mock, ...mock.worlds.all()]
  const rows = worlds.reduce((sum, world) => sum + world.deployment().heldRows(), 0)
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    family('stack_parity_info', 'gauge', 'The release that runs.', [['', { version }, 1]]),
    family(
      'stack_parity_calls_total',
      'counter',
      'Calls that were answered; status 0: the connection was closed without an answer.',
      calls.map(({ form, operation = 'none', status, count }) => [
        '',
        { form, operation, status: String(status) },
        count,
      ]),
    ),
    family(
      'stack_parity_call_duration_seconds',
      'histogram',
      'How long answers took, without the waiting of chaos.',
      durations.flatMap(({ form, buckets, sum }): Sample[] => [
        ...buckets.map(({ atMost, count }): Sample => ['_bucket', { form, le: writeBound(atMost) }, count]),
        ['_sum', { form }, sum],
        ['_count', { form }, buckets.at(-1)!.count],
      ]),
    ),
    single('stack_parity_worlds', 'gauge', 'Worlds that are open beside the first.', worlds.length - 1),
    single('stack_parity_worlds_limit', 'gauge', 'How many may be open beside the first.', mock.limits.worlds),
    single('stack_parity_rows', 'gauge', 'Rows of telemetry in memory, of all worlds.', rows),
    single('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss),
    single('nodejs_heap_size_used_bytes', 'gauge', 'Heap of the process that is in use.', heapUsed),
    single('process_cpu_seconds_total', 'counter', 'Processor time of the process.', (user + system) / 1e6),
    single('process_start_time_seconds', 'gauge', 'When the process started, since the epoch.', startedAt),
  ].join('')
}

const startedAt = performance.timeOrigin / 1000

const single = (name: string, type: string, help: string, value: number) => family(name, type, help, [['', {}, value]])

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${writeLabels(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

const writeBound = (seconds: number) => (seconds === Number.POSITIVE_INFINITY ? '+Inf' : String(seconds))
