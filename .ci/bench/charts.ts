import { startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { ask, call, chartBody, writeRequest } from './requests.ts'
import { cpuOf, memoryOf } from './running.ts'

/** Measures a query that counts a day of rows by hour and service. */
export async function measureCharts({ loader, isQuick, pace }: Bench): Promise<Chapter> {
  const rows = []
  for (const size of isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]) {
    const mock = await startBuiltMock('--logs', String(size))
    try {
      const asked = call(mock, 'query a chart', 'POST', 'charts/series', chartBody(mock.target))
      const began = performance.now()
      const answer = await ask(asked)
      const first = performance.now() - began
      const load = { port: asked.port, requests: [writeRequest(asked)], connections: 1, ms: 2 * pace.ms }
      await loader.run(load)
      const before = cpuOf(mock.pid)
      const { answers, p50, p99 } = await loader.run(load)
      const used = before === undefined ? undefined : (cpuOf(mock.pid)! - before) / answers
      rows.push({
        'log rows': size.toLocaleString('en'),
        'first ms': round(first, 0),
        'p50 ms': round(p50, 2),
        'p99 ms': round(p99, 2),
        'CPU ms': used && round(used, 2),
        points: (JSON.parse(answer.body) as { data: unknown[] }).data.length,
        'RSS MiB': round(memoryOf(mock.pid) ?? 0, 0) || undefined,
      })
    } finally {
      await mock.stop()
    }
  }
  return {
    title: 'Charts',
    description:
      'The log rows of a day counted by hour and by service, over HTTP. The first query lays the rows out in columns.',
    rows,
  }
}
