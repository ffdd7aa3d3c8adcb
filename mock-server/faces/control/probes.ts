import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Mock } from '../../mock/mock.ts'
import { writeLabels } from '../../telemetry/write-labels.ts'

/** In the phase `ready` alone, all ports accept calls. */
export type Phase = 'starting' | 'ready' | 'draining'

/** Health probes need no token, and answer under any host name, because they reveal nothing of the world. */
export const isProbe = (path: string): boolean => path === '/health' || path === '/ready'

interface ProbeContext {
  readonly phase: () => Phase
  readonly saveProblem?: (() => string | undefined) | undefined
  readonly version?: string | undefined
}

export function addProbes(router: Router, mock: Mock, { phase, saveProblem, version }: ProbeContext): void {
  router.get('/health', ctx => answerProbe(ctx, 200, { status: 'ok' }))
  // A mock that cannot save still answers calls: a 503 would have it restarted, and its world lost.
  router.get('/ready', ctx =>
    answerProbe(ctx, phase() === 'ready' ? 200 : 503, { status: phase(), unsaved: saveProblem?.() }),
  )
  router.get('/metrics', ctx => {
    ctx.set('cache-control', 'no-store')
    ctx.type = 'text/plain; version=0.0.4; charset=utf-8'
    ctx.body = renderMetrics(mock, version)
  })
}

function answerProbe(ctx: RouterContext, status: number, body: object): void {
  ctx.set('cache-control', 'no-store')
  ctx.status = status
  ctx.type = 'json'
  ctx.body = `${JSON.stringify(body)}\n`
}

type Sample = readonly [suffix: string, labels: Readonly<Record<string, string>>, value: number]

/** Calls, worlds and resources of the mock in the text format of Prometheus. */
function renderMetrics(mock: Mock, version = 'unknown'): string {
  const { calls, durations } = mock.statistics()
  const worlds = [mock, ...mock.worlds.all()]
  const rows = worlds.reduce((sum, world) => sum + world.deployment().rowsInMemory(), 0)
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    writeFamily('stack_parity_info', 'gauge', 'The release that runs.', [['', { version }, 1]]),
    writeFamily(
      'stack_parity_calls_total',
      'counter',
      'Calls that were answered; status 0: the connection was closed without an answer.',
      calls.map(({ form, operation = 'none', status, count }) => [
        '',
        { form, operation, status: String(status) },
        count,
      ]),
    ),
    writeFamily(
      'stack_parity_call_duration_seconds',
      'histogram',
      'Duration of answers, without the latency of chaos.',
      durations.flatMap(({ form, buckets, sum }): Sample[] => [
        ...buckets.map(
          ({ atMost, count }): Sample => [
            '_bucket',
            { form, le: atMost === Number.POSITIVE_INFINITY ? '+Inf' : String(atMost) },
            count,
          ],
        ),
        ['_sum', { form }, sum],
        ['_count', { form }, buckets.at(-1)!.count],
      ]),
    ),
    writeSingle('stack_parity_worlds', 'gauge', 'Open worlds besides the first.', worlds.length - 1),
    writeSingle('stack_parity_worlds_limit', 'gauge', 'Limit of open worlds besides the first.', mock.limits.worlds),
    writeSingle('stack_parity_rows', 'gauge', 'Rows of telemetry in memory, of all worlds.', rows),
    writeSingle('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss),
    writeSingle('nodejs_heap_size_used_bytes', 'gauge', 'Heap of the process that is in use.', heapUsed),
    writeSingle('process_cpu_seconds_total', 'counter', 'Processor time of the process.', (user + system) / 1e6),
    writeSingle(
      'process_start_time_seconds',
      'gauge',
      'When the process started, since the epoch.',
      performance.timeOrigin / 1000,
    ),
  ].join('')
}

const writeSingle = (name: string, type: string, help: string, value: number) =>
  writeFamily(name, type, help, [['', {}, value]])

function writeFamily(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${writeLabels(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
