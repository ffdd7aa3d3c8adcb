import { managedPath, offerAbsentPath } from '../../faults/absent.ts'
import type { Fault, Faults } from '../../faults/fault.ts'
import { change, failOperation, type Json, readObject, refuse, succeeds } from '../../faults/rewrite.ts'
import type { Call } from '../../words/call.ts'
import { isRecord } from '../../words/check-options.ts'

interface Series {
  readonly where?: unknown
  readonly groupBy?: unknown
}

function seriesOf({ body }: Call): readonly Series[] {
  const query = readObject(body)
  return Array.isArray(query?.series) ? query.series.filter(isRecord) : []
}

/** Whether the first series has a filter such as `ServiceName:web`, which no deployment refuses. */
const isFiltered = ([one]: readonly Series[]) => /^\w+:\w+$/.test(String(one?.where))
const isGrouped = ([one]: readonly Series[]) => Array.isArray(one?.groupBy) && one.groupBy.length > 0
const hasTwoSeries = ({ length }: readonly Series[]) => length === 2

/** Refuses the queries whose series match. */
const refusing =
  (matches: (series: readonly Series[]) => boolean): (() => Fault) =>
  () =>
  async (call, next, context) => {
    const answer = await next(call)
    return context.operation === 'chart.query' && succeeds(answer) && matches(seriesOf(call))
      ? refuse(answer, context, 400, 'A query of this kind is not accepted.')
      : answer
  }

/** Changes the rows of the queries whose series match; `unfiltered` are the rows of the same query without filter and groups. */
const changeRows =
  (
    matches: (series: readonly Series[]) => boolean,
    changed: (rows: readonly Json[], unfiltered: readonly Json[]) => readonly Json[],
  ): (() => Fault) =>
  () =>
  async (call, next, context) => {
    const answer = await next(call)
    const query = readObject(call.body)
    if (context.operation !== 'chart.query' || !succeeds(answer) || !matches(seriesOf(call))) return answer
    const series = seriesOf(call).map(one => ({ ...one, where: '', groupBy: [] }))
    const unfiltered = readObject((await next({ ...call, body: JSON.stringify({ ...query, series }) })).body)?.data
    return change(answer, json =>
      Array.isArray(json.data) && Array.isArray(unfiltered) ? { ...json, data: changed(json.data, unfiltered) } : json,
    )
  }

/** Adds to the value of the first series, which is a string in answers. */
const add = (row: Json, more: number): Json => ({
  ...row,
  'series_0.data': String(Number(row['series_0.data']) + more),
})

export const faults = {
  'chart/query-is-accepted': failOperation('chart.query'),
  'chart/filter-is-accepted': refusing(isFiltered),
  'chart/filter-never-adds': changeRows(isFiltered, (_, whole) => whole.map(row => add(row, 1))),
  'chart/grouping-is-accepted': refusing(isGrouped),
  'chart/groups-add-up': changeRows(isGrouped, rows => rows.slice(1)),
  'chart/two-series-are-accepted': refusing(hasTwoSeries),
  'chart/other-methods-never-succeed': offerAbsentPath(/^\/api\/v2\/charts\/series\/?$/i, '/api/v2/sources', [
    'GET',
    'HEAD',
    'PUT',
    'PATCH',
    'DELETE',
  ]),
  'chart/absent-in-managed-form': offerAbsentPath(managedPath('charts'), '$1/sources'),
} as const satisfies Faults
