import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMock } from '../../mock-server/mock/mock.ts'
import { connectTelemetry } from '../../mock-server/telemetry/clickhouse/connect.ts'
import { evaluateSeries } from '../../mock-server/telemetry/columns/chart-series.ts'
import { RowStore } from '../../mock-server/telemetry/columns/row-store.ts'
import { planSeries, type SeriesPlan } from '../../mock-server/telemetry/query/plan.ts'
import { parseSqlList } from '../../mock-server/telemetry/query/sql.ts'
import type { Source } from '../../mock-server/words/resources.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { memoryOf } from './running.ts'

const day = 86_400_000
const start = Date.parse('2026-01-05T00:00:00Z')
const end = start + 14 * day

const queries = {
  'a day by hour and service': { from: end - day, bucket: day / 24, groupBy: 'ServiceName' },
  'two weeks by 6 hours and service': { from: start, bucket: day / 4, groupBy: 'ServiceName' },
  'two weeks, a word in the body': { from: start, bucket: day, where: 'Body:timeout' },
  'two weeks, mean of an attribute': { from: start, bucket: day, aggFn: 'avg', field: "LogAttributes['dur']" },
}

function planOf({ from, groupBy, where = '', aggFn = 'count', ...rest }: Record<string, unknown>): SeriesPlan {
  return planSeries({
    ...(rest as { bucket: number; field?: string }),
    aggFn: aggFn as string,
    where: { text: where as string },
    groupBy: groupBy ? parseSqlList(groupBy as string) : [],
    start: from as number,
    end,
    dialect: { kind: 'log', edition: '2.36' },
  })
}

/** Measures the same charts on the same log rows: the embedded engine in this process, and ClickHouse in another one. */
export async function measureEngines({ isQuick }: Bench): Promise<Chapter> {
  const rows = []
  for (const size of isQuick ? [100_000] : [100_000, 1_000_000, 10_000_000]) {
    const server = await serve()
    const before = process.memoryUsage().rss
    const began = performance.now()
    const store = createRows(size)
    const layoutMs = performance.now() - began
    const heldBytes = process.memoryUsage().rss - before
    const beganLoading = performance.now()
    const telemetry = await connectTelemetry(`${server.url}/otel`, { write: 'otel' })
    await server.post(insert(size))
    const loadMs = performance.now() - beganLoading
    const common = { rows: size.toLocaleString('en') }
    rows.push({ ...common, chart: 'load', 'embedded ms': round(layoutMs, 0), 'ClickHouse ms': round(loadMs, 0) })
    for (const [chart, query] of Object.entries(queries)) {
      const plan = planOf(query)
      const columns = await measureFastest(() => evaluateSeries(store, plan))
      const engine = await measureFastest(() => telemetry.chart(source, plan))
      rows.push({ ...common, chart, 'embedded ms': columns, 'ClickHouse ms': engine })
    }
    const mebibytes = (bytes: number) => round(bytes / 1024 / 1024, 0)
    rows.push({
      ...common,
      chart: 'memory, MiB',
      'embedded ms': mebibytes(heldBytes),
      'ClickHouse ms': round(memoryOf(server.pid) ?? 0, 0),
    })
    await telemetry.close()
    await server.stop()
  }
  return {
    title: 'Engines',
    description:
      'Charts over two weeks of log rows, by the embedded engine and by ClickHouse: the fastest of three runs. Load is measured once, and the row of memory is in MiB. A dash stands for a query that failed.',
    rows,
  }
}

const source = createMock({ logs: 0 })
  .deployment()
  .stackOf('self-hosted')
  .sources.list()
  .find(({ kind }) => kind === 'log') as Source

async function measureFastest(run: () => unknown): Promise<number | string> {
  let min = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    const began = performance.now()
    try {
      await run()
    } catch {
      return '–'
    }
    min = Math.min(min, performance.now() - began)
  }
  return round(min, 1)
}

const services = ['web', 'api', 'checkout', 'payments', 'worker']
const bodies = ['GET /cart 200', 'POST /orders 201', 'upstream timeout', 'job done', 'GET /products/{} 200']

/** Rows in order of time. Every hundredth body is unique, and there are a thousand different durations. */
function createRows(size: number): RowStore {
  const store = new RowStore('log')
  for (let i = 0; i < size; i++) {
    store.add(start + Math.floor((i * 14 * day) / size), {
      ServiceName: services[i % 5],
      Body: i % 100 === 0 ? `order ${i}` : bodies[i % 5],
      SeverityText: i % 10 === 0 ? 'ERROR' : 'INFO',
      LogAttributes: { dur: String((i * 7919) % 1000) },
      ResourceAttributes: { 'host.name': `h${i % 20}` },
    })
  }
  return store
}

const list = (texts: readonly string[]) => `[${texts.map(text => `'${text}'`).join(', ')}]`
const insert = (size: number) =>
  `INSERT INTO otel.otel_logs (Timestamp, ServiceName, Body, SeverityText, LogAttributes, ResourceAttributes)
  SELECT fromUnixTimestamp64Milli(toInt64(${start} + intDiv(number * ${14 * day}, ${size}))), ${list(services)}[number % 5 + 1],
  if(number % 100 = 0, concat('order ', toString(number)), ${list(bodies)}[number % 5 + 1]), if(number % 10 = 0, 'ERROR', 'INFO'),
  map('dur', toString(number * 7919 % 1000)), map('host.name', concat('h', toString(number % 20))) FROM numbers(${size})`

/** Starts ClickHouse with its HTTP interface in its own process. */
async function serve() {
  const tool = fileURLToPath(new URL('../engines/index.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', tool, '--serve', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url,
    pid: child.pid!,
    async post(body: string) {
      const answer = await fetch(url, { method: 'POST', body })
      if (!answer.ok) throw new Error(`ask ClickHouse: ${await answer.text()}`)
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
