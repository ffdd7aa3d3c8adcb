import type { Draft, Past, Step } from '../harness/step.ts'
import { chartBody, noSource } from './samples.ts'
import type { MakeStep } from './things.ts'

/** The requests that judge charts (§2.5, §4.3): queries by POST, and the methods that are never to succeed. */

export function chartSteps(step: MakeStep): Step[] {
  const path = '/api/v2/charts/series'
  const query = { method: 'POST', operation: 'chart.query', from: ['selfHosted:source.list'] } as const
  const draft =
    (change: (body: Record<string, unknown>) => object, unit: 1 | 1000 = 1) =>
    (past: Past): Draft => {
      const body = chartBody(past, unit)
      return body ? { path, body: change(body as Record<string, unknown>) } : noSource
    }
  const series = (change: object) => (body: Record<string, unknown>) => ({
    ...body,
    series: (body.series as object[]).map(one => ({ ...one, ...change })),
  })
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
    step(
      'chart.query',
      7,
      'queries the last day by the hour, with an empty groupBy',
      draft(body => body),
      query,
    ),
    step(
      'chart.query-in-seconds',
      7,
      'the same query with times in seconds',
      draft(body => body, 1000),
      query,
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
    step('twelve-characters', 7, 'gets a dashboard by an id of twelve characters', () => ({
      path: '/api/v2/dashboards/abcdefghijkl',
    })),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map(other),
  ]
}
