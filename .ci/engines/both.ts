import { createHash } from 'node:crypto'
import { createMock, type ExternalEngine, type Mock } from '../../mock-server/mock/mock.ts'
import { end, makeRows, start } from './rows.ts'

/** A chart query with one series, and the kind of the source that it reads. */
export interface EngineQuery {
  readonly kind: 'log' | 'trace' | 'metric'
  readonly series: Readonly<Record<string, unknown>>
  readonly granularity?: string
  readonly startTime?: number
  readonly endTime?: number
}

/** The answer of a mock: sorted rows, or a refusal. */
export type EngineAnswer = readonly string[] | 'refused'

type Ask = (asked: EngineQuery) => Promise<{ readonly answered: EngineAnswer; readonly description?: string }>

/** Returns a function that queries a mock with the rows of `rows.ts`. Its world is always the same: only the engines differ. */
export async function createAsk(telemetry?: ExternalEngine, edition: '2.24' | '2.36' = '2.36'): Promise<Ask> {
  // As a deployment of this edition answers, whatever the defaults are.
  const selfHosted = {
    'version/self-hosted-edition': edition,
    'chart/metric-values': edition,
    'chart/unreadable-where': '500 json',
  }
  const mock = createMock({ seed: 1, now: end, freeze: true, logs: 0, telemetry, choices: { selfHosted } })
  const { sources } = mock.target({ selfHosted: '' }).selfHosted!.references
  for (const [kind, rows] of Object.entries(makeRows())) await mock.loadRows(sources![kind as 'log']!, rows)
  return asked => ask(mock, sources![asked.kind]!, asked)
}

async function ask(mock: Mock, sourceId: string, asked: EngineQuery) {
  const { apiKey } = mock.target({ selfHosted: '' }).selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const { granularity = '1h', startTime = start, endTime = end, series } = asked
  const fullSeries = { sourceId, aggFn: 'count', where: '', groupBy: [], ...series }
  const body = JSON.stringify({ startTime, endTime, granularity, series: [fullSeries] })
  const answer = await mock.answer(
    { method: 'POST', path: '/api/v2/charts/series', query: '', headers, body },
    'selfHosted',
  )
  if (answer.status !== 200) return { answered: 'refused' as const, description: `${answer.status} ${answer.body}` }
  const { data } = JSON.parse(answer.body) as { data: Record<string, unknown>[] }
  return { answered: data.map(row => JSON.stringify(Object.entries(row).map(roundEntry))).sort() }
}

/** Rounds to twelve digits, because sums of fractions depend on their order, and sorts the keys of maps. */
function roundEntry([name, value]: [string, unknown]): unknown {
  const round = (one: unknown): unknown => {
    if (typeof one === 'number') return Number(one.toPrecision(12))
    if (Array.isArray(one)) return one.map(round)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return [name, round(value)]
}

/** Replaces a long answer by its digest, to keep the recording small. */
export function shorten(answered: EngineAnswer): string {
  const text = JSON.stringify(answered)
  return text.length <= 200 ? text : createHash('sha256').update(text).digest('hex').slice(0, 32)
}
