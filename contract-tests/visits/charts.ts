import { isSuccess } from '../engine/exchange.ts'
import type { RunContext } from '../engine/step.ts'
import { acceptedUnit, chartBody, chartFields, chartQuerySteps, skipWithoutSource, type TimeUnit } from './samples.ts'
import { type CallOptions, visit } from './visit.ts'

/** Charts (§2.5, §4.3): queries by POST, methods that must not succeed; and an id of twelve characters (§4.3). */

/** Filters and groupings are tried with several fields, since the specification does not show the fields of a source. */
export const chartAttemptSteps = (name: 'filter' | 'grouping'): readonly string[] =>
  [1, 2, 3].map(attempt => `selfHosted:chart.${name}${attempt === 1 ? '' : `-${attempt}`}`)

type Query = NonNullable<ReturnType<typeof chartBody>>

const path = '/api/v2/charts/series'
const unitSteps = Object.values<string>(chartQuerySteps)

/** Why to skip a query that is compared with an accepted one: none was accepted. */
const skipReasonIfNoneAccepted = (context: RunContext) =>
  acceptedUnit(context) ? undefined : 'no chart query was accepted'

const changeSeries = (change: object) => (body: Query) => ({
  ...body,
  series: body.series.map(one => ({ ...one, ...change })),
})

export const { steps: chartSteps } = visit('selfHosted', 'charts', run => {
  /** Adds a query; `change` changes the default body. */
  const query = (
    name: string,
    why: string,
    change: (body: Query, context: RunContext) => object = body => body,
    { unit, from = unitSteps, unless }: Pick<CallOptions, 'from' | 'unless'> & { readonly unit?: TimeUnit } = {},
  ) =>
    run.call('chart.query', {
      // Some names have the form already, which `call` adds.
      name: name.replace('selfHosted:', ''),
      why,
      from: ['selfHosted:source.list-before', ...from],
      unless,
      body: context => {
        const body = chartBody(context, unit)
        return body && change(body, context)
      },
      skipReason: () => skipWithoutSource,
    })
  /** Always tries milliseconds and seconds, to see whether both are accepted; another unit only if none before it was. */
  const inUnit = (unit: TimeUnit, why: string) => {
    const isAlways = unit === 'milliseconds' || unit === 'seconds'
    const unless = (context: RunContext) =>
      !isAlways && acceptedUnit(context) ? 'times in another unit are accepted' : undefined
    query(chartQuerySteps[unit], why, undefined, {
      unit,
      from: unitSteps.slice(0, unitSteps.indexOf(chartQuerySteps[unit])),
      unless,
    })
  }
  const byField = (name: 'filter' | 'grouping', why: string, change: (field: string) => object) => {
    for (const [index, step] of chartAttemptSteps(name).entries()) {
      const earlier = chartAttemptSteps(name).slice(0, index)
      const isAccepted = (context: RunContext) => earlier.some(one => isSuccess(context.exchange(one)))
      const unless = (context: RunContext) =>
        skipReasonIfNoneAccepted(context) ?? (isAccepted(context) ? 'another field was accepted' : undefined)
      query(step, why, (body, context) => changeSeries(change(chartFields(context)[index]!))(body), {
        from: [...unitSteps, ...earlier],
        unless,
      })
    }
  }
  inUnit('milliseconds', 'queries a day by the hour, with an empty groupBy')
  inUnit('seconds', 'sends the same query with times in seconds')
  inUnit(
    'microseconds',
    'sends the same query with times in microseconds, since neither milliseconds nor seconds succeeded',
  )
  inUnit('nanoseconds', 'sends the same query with times in nanoseconds, since no other unit succeeded')
  byField('filter', 'queries with a field:value filter', field => ({ where: `${field}:error` }))
  byField('grouping', 'queries with a field to group by', field => ({ groupBy: [field] }))
  const doubled = (body: Query) => ({ ...body, series: [...body.series, ...body.series] })
  query('chart.two-series', 'queries two series', doubled, { unless: skipReasonIfNoneAccepted })
  query('chart.query-again', 'sends the first query once more, to see whether the count has changed', undefined, {
    unless: skipReasonIfNoneAccepted,
  })
  query('chart.free-text', 'queries with a bare word in `where`', changeSeries({ where: 'checkout' }))
  query('chart.short-names', 'queries with the short name `level` in `where`', changeSeries({ where: 'level:error' }))
  query('chart.unreadable-where', 'queries with a filter that cannot be read', changeSeries({ where: 'level:(((' }))
  const unknownSource = { sourceId: 'ffffffffffffffffffffffff' }
  query('chart.unknown-source', 'queries a source that does not exist', changeSeries(unknownSource))
  run.send('chart.malformed-json', 'queries with a body that is not JSON', () => ({ path, rawBody: '{"series": ' }), {
    method: 'POST',
  })
  run.send('twelve-characters', 'gets a dashboard by an id of twelve characters', () => ({
    path: '/api/v2/dashboards/abcdefghijkl',
  }))
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const makeRequest = (context: RunContext) => ({
      path,
      ...(['PUT', 'PATCH'].includes(method) && { body: chartBody(context) ?? {} }),
    })
    const why = `sends ${method} where charts allow POST only`
    run.send(`chart.${method.toLowerCase()}`, why, makeRequest, { method })
  }
})
