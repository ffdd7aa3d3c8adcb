import { isSuccess } from '../engine/exchange.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { skip } from './life.ts'
import { acceptedUnit, chartBody, chartFields, chartQueries, noSource, type TimeUnit } from './samples.ts'
import type { MakeStep } from './things.ts'

/** The requests that judge charts (§2.5, §4.3): queries by POST, and the methods that are never to succeed. */

/** Filters and groupings are tried with one field after the other, since the fields of a source are not shown. */
const TRIES = [1, 2, 3] as const
export const chartTries = (name: 'filter' | 'grouping'): readonly string[] =>
  TRIES.map(turn => `selfHosted:chart.${name}${turn === 1 ? '' : `-${turn}`}`)

type Query = Record<string, unknown>

export function chartSteps(step: MakeStep): Step[] {
  const path = '/api/v2/charts/series'
  const query = {
    method: 'POST',
    operation: 'chart.query',
    from: ['selfHosted:source.list', ...Object.values(chartQueries)],
  } as const
  const draft =
    (change: (body: Query) => object) =>
    (past: Past): Draft => {
      const body = chartBody(past)
      return body ? { path, body: change(body) } : noSource
    }
  const series = (change: object) => (body: Query) => ({
    ...body,
    series: (body.series as object[]).map(one => ({ ...one, ...change })),
  })
  const inUnit = (unit: TimeUnit, why: string) =>
    step(
      chartQueries[unit].replace('selfHosted:', ''),
      7,
      why,
      past => {
        // Two units are always tried, to see whether both are accepted; the others when neither is.
        if (unit !== 'milliseconds' && unit !== 'seconds' && acceptedUnit(past))
          return skip('times in another unit are accepted')
        const body = chartBody(past, unit)
        return body ? { path, body } : noSource
      },
      { ...query, from: unit === 'milliseconds' ? ['selfHosted:source.list'] : query.from.filter(isBefore(unit)) },
    )
  /** Steps that judge what an accepted query may carry: there is nothing to compare with when none was accepted. */
  const further = (name: string, why: string, change: (past: Past) => ((body: Query) => object) | string) =>
    step(
      name,
      7,
      why,
      past => {
        if (!acceptedUnit(past)) return skip('no chart query was accepted')
        const how = change(past)
        return typeof how === 'string' ? skip(how) : draft(how)(past)
      },
      query,
    )
  const byField = (name: 'filter' | 'grouping', why: string, change: (field: string) => object) =>
    chartTries(name).map((tried, index, all) => ({
      ...further(tried.replace('selfHosted:', ''), why, past => {
        const accepted = all.slice(0, index).some(earlier => {
          const exchange = past.exchange(earlier)
          return exchange !== undefined && isSuccess(exchange)
        })
        const field = chartFields(past)[index]
        if (accepted || field === undefined) return 'another field was accepted'
        return series(change(field))
      }),
      from: [...query.from, ...all.slice(0, index)],
    }))
  const other = (method: string) =>
    step(
      `chart.${method.toLowerCase()}`,
      7,
      `sends ${method} where charts allow POST only`,
      past => ({
        path,
        ...(method === 'PUT' || method === 'PATCH' ? { body: chartBody(past) ?? {} } : {}),
      }),
      { method, beyond: true },
    )
  return [
    inUnit('milliseconds', 'queries a day by the hour, with an empty groupBy'),
    inUnit('seconds', 'the same query with times in seconds'),
    inUnit(
      'microseconds',
      'the same query with times in microseconds, since neither milliseconds nor seconds succeeded',
    ),
    inUnit('nanoseconds', 'the same query with times in nanoseconds, since no other unit succeeded'),
    ...byField('filter', 'queries with a field:value filter', field => ({ where: `${field}:error` })),
    ...byField('grouping', 'queries with a field to group by', field => ({ groupBy: [field] })),
    further('chart.two-series', 'queries two series', () => body => ({
      ...body,
      series: [...(body.series as object[]), ...(body.series as object[])],
    })),
    further(
      'chart.query-again',
      'the first query once more, to see whether the count stands still',
      () => body => body,
    ),
    step('chart.free-text', 7, 'queries with a bare word in where', draft(series({ where: 'checkout' })), query),
    step('chart.short-names', 7, 'queries with level in where', draft(series({ where: 'level:error' })), query),
    step(
      'chart.unreadable-where',
      7,
      'queries with a filter that cannot be read',
      draft(series({ where: 'level:(((' })),
      query,
    ),
    step(
      'chart.unknown-source',
      7,
      'queries a source that does not exist',
      draft(series({ sourceId: 'ffffffffffffffffffffffff' })),
      query,
    ),
    step('chart.malformed-json', 7, 'queries with a body that is not JSON', () => ({ path, rawBody: '{"series": ' }), {
      method: 'POST',
    }),
    step('twelve-characters', 7, 'gets a dashboard by an id of twelve characters', () => ({
      path: '/api/v2/dashboards/abcdefghijkl',
    })),
    ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map(other),
  ]
}

/** The source list, and the queries in the units that are tried before this one. */
function isBefore(unit: TimeUnit): (step: string) => boolean {
  const tried = Object.values<string>(chartQueries)
  return step => tried.indexOf(step) < tried.indexOf(chartQueries[unit])
}
