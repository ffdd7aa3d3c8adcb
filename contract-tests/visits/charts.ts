import { isSuccess } from '../engine/exchange.ts'
import { type Past, type Step, stepOf } from '../engine/step.ts'
import { acceptedUnit, chartBody, chartFields, chartQueries, noSource, type TimeUnit } from './samples.ts'
import { skip, visit } from './visit.ts'

/** Charts (§2.5, §4.3): queries by POST, and the methods that must not succeed. */

/**
 * Filters and groupings are tried with several fields, since the specification does not show the fields of a source.
 */
const TRIES = [1, 2, 3] as const
export const chartTries = (name: 'filter' | 'grouping'): readonly string[] =>
  TRIES.map(turn => `selfHosted:chart.${name}${turn === 1 ? '' : `-${turn}`}`)

type Query = ReturnType<typeof chartBody> & object

const path = '/api/v2/charts/series'

/** A query made of the usual one; it is skipped for the reason that `why` returns. */
function query(
  name: string,
  sentence: string,
  change: (body: Query, past: Past) => object = body => body,
  why: (past: Past) => string | undefined = () => undefined,
  more: { readonly unit?: TimeUnit; readonly from?: readonly string[] } = {},
): Step {
  const { unit, from = Object.values(chartQueries) } = more
  const draft: Step['draft'] = past => {
    const reason = why(past)
    if (reason !== undefined) return skip(reason)
    const body = chartBody(past, unit)
    return body ? { path, body: change(body, past) } : noSource
  }
  const request = {
    method: 'POST',
    operation: 'chart.query',
    from: ['selfHosted:source.list-before', ...from],
  } as const
  return stepOf('selfHosted', name.replace('selfHosted:', ''), sentence, draft, request)
}

/** Two units are always tried, to see whether both are accepted; the others if neither is. */
const inUnit = (unit: TimeUnit, sentence: string): Step => {
  const isAlways = unit === 'milliseconds' || unit === 'seconds'
  const why = (past: Past) => (!isAlways && acceptedUnit(past) ? 'times in another unit are accepted' : undefined)
  const names = Object.values<string>(chartQueries)
  const from = names.slice(0, names.indexOf(chartQueries[unit]))
  return query(chartQueries[unit], sentence, undefined, why, { unit, from })
}

/** A further query is compared with an accepted one. */
const unaccepted = (past: Past) => (acceptedUnit(past) ? undefined : 'no chart query was accepted')

const ofSeries = (change: object) => (body: Query) => ({
  ...body,
  series: body.series.map(one => ({ ...one, ...change })),
})

const byField = (name: 'filter' | 'grouping', sentence: string, change: (field: string) => object): readonly Step[] =>
  chartTries(name).map((tried, index, all) => {
    const earlier = all.slice(0, index)
    const isAccepted = (past: Past) => earlier.some(one => isSuccess(past.exchange(one)))
    const why = (past: Past) =>
      unaccepted(past) ??
      (isAccepted(past) || chartFields(past)[index] === undefined ? 'another field was accepted' : undefined)
    const from = [...Object.values(chartQueries), ...earlier]
    return query(tried, sentence, (body, past) => ofSeries(change(chartFields(past)[index]!))(body), why, { from })
  })

const otherMethod = (method: string): Step => {
  const name = `chart.${method.toLowerCase()}`
  const draft = (past: Past) => ({ path, ...(method.startsWith('P') && { body: chartBody(past) ?? {} }) })
  return stepOf('selfHosted', name, `sends ${method} where charts allow POST only`, draft, { method, beyond: true })
}

const lines: readonly Step[] = [
  inUnit('milliseconds', 'queries a day by the hour, with an empty groupBy'),
  inUnit('seconds', 'the same query with times in seconds'),
  inUnit('microseconds', 'the same query with times in microseconds, since neither milliseconds nor seconds succeeded'),
  inUnit('nanoseconds', 'the same query with times in nanoseconds, since no other unit succeeded'),
  ...byField('filter', 'queries with a field:value filter', field => ({ where: `${field}:error` })),
  ...byField('grouping', 'queries with a field to group by', field => ({ groupBy: [field] })),
  query(
    'chart.two-series',
    'queries two series',
    body => ({ ...body, series: [...body.series, ...body.series] }),
    unaccepted,
  ),
  query('chart.query-again', 'the first query once more, to see whether the count stands still', undefined, unaccepted),
  query('chart.free-text', 'queries with a bare word in where', ofSeries({ where: 'checkout' })),
  query('chart.short-names', 'queries with level in where', ofSeries({ where: 'level:error' })),
  query('chart.unreadable-where', 'queries with a filter that cannot be read', ofSeries({ where: 'level:(((' })),
  query(
    'chart.unknown-source',
    'queries a source that does not exist',
    ofSeries({ sourceId: 'ffffffffffffffffffffffff' }),
  ),
  stepOf(
    'selfHosted',
    'chart.malformed-json',
    'queries with a body that is not JSON',
    () => ({ path, rawBody: '{"series": ' }),
    {
      method: 'POST',
    },
  ),
  stepOf('selfHosted', 'twelve-characters', 'gets a dashboard by an id of twelve characters', () => ({
    path: '/api/v2/dashboards/abcdefghijkl',
  })),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map(otherMethod),
]

export const chartSteps: readonly Step[] = visit('selfHosted', 'charts', run => {
  for (const line of lines) run.add(line)
}).steps
