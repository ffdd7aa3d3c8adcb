import { absent, type Check, type Evidence, held, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { findList } from '../engine/recognise.ts'
import { chartTries } from '../visits/charts.ts'
import { chartQueries, type TimeUnit } from '../visits/samples.ts'
import { anySucceeds, neverSucceeds, observe, observeRefusal, observeSuccess, unobservable } from './observations.ts'
import { countColumn, findRows, sumOf } from './recognise-counts.ts'
import { inForm, wrong } from './steps.ts'

/** §2.5, §4.3 Charts: by POST only, in some unit of time, with consistent counts. */

const queries = Object.values(chartQueries)
const again = 'selfHosted:chart.query-again'

/** The count of a day before and after the queries that are compared with it, since rows may arrive meanwhile. */
function countWhole(evidence: Evidence) {
  const [first, ...more] = evidence.of(...queries, again).filter(isSuccess)
  const rows = first && findRows(first.json)
  const column = rows && countColumn(rows, first)
  if (!first || !rows || column === undefined) return undefined
  const last = more.at(-1)
  const totals = [sumOf(rows, column), last && sumOf(findRows(last.json) ?? [], column)].filter(
    total => total !== undefined,
  )
  return { exchange: first, column, least: Math.min(...totals), most: Math.max(...totals) }
}

type Whole = NonNullable<ReturnType<typeof countWhole>>

/** For rounding errors. */
const slack = (total: number) => Math.abs(total) * 1e-9

const compared = (
  steps: readonly string[],
  holds: (sum: number, whole: Whole) => boolean,
  expected: (whole: Whole) => string,
): Check => ({
  reads: inForm([...queries, ...steps, again]),
  judge: evidence => {
    const exchange = evidence.of(...steps).find(isSuccess)
    if (!exchange) return absent(evidence, ...steps)
    const whole = countWhole(evidence)
    if (!whole) return notApplicable('no count could be recognised in the answer to the query of all rows')
    const rows = findRows(exchange.json) ?? []
    const column = rows[0] && whole.column in rows[0] ? whole.column : countColumn(rows, exchange)
    const sum = rows.length === 0 ? 0 : sumOf(rows, column ?? '')
    if (sum === undefined) return notApplicable('no count could be recognised in the answer')
    if (holds(sum, whole)) return held([exchange])
    return wrong({ expected: expected(whole), got: sum }, exchange, whole.exchange)
  },
})

export const checks = {
  'chart/query-is-accepted': anySucceeds(queries),
  'chart/filter-is-accepted': anySucceeds(chartTries('filter')),
  'chart/filter-never-adds': compared(
    chartTries('filter'),
    (sum, { most }) => sum <= most + slack(most),
    ({ most }) => `a count of at most ${most}, that of the same query without its filter`,
  ),
  'chart/grouping-is-accepted': anySucceeds(chartTries('grouping')),
  'chart/groups-add-up': compared(
    chartTries('grouping'),
    (sum, { least, most }) => sum >= least - slack(most) && sum <= most + slack(most),
    ({ least, most }) =>
      `groups that add up to ${least === most ? most : `${least} to ${most}`}, the count of the same query without groups`,
  ),
  'chart/two-series-are-accepted': anySucceeds(['chart.two-series']),
  'chart/other-methods-never-succeed': neverSucceeds(
    ['get', 'head', 'put', 'patch', 'delete'].map(method => `chart.${method}`),
  ),
  'chart/time-unit': observe(queries, (_, evidence) => {
    const accepted = (Object.keys(chartQueries) as TimeUnit[]).filter(unit =>
      evidence.of(chartQueries[unit]).some(isSuccess),
    )
    return accepted.length > 1 ? 'both accepted' : accepted[0]
  }),
  'chart/fields-present': observe(queries, exchanges => {
    const rows = exchanges.filter(isSuccess).flatMap(({ json }) => findList(json, 'data') ?? [])
    return rows[0] && [...new Set(rows.flatMap(Object.keys))].sort()
  }),
  'chart/free-text': observeSuccess('chart.free-text', 'search', 'refuse'),
  'chart/short-names': observeSuccess('chart.short-names', 'read', 'refuse'),
  'chart/group-names': unobservable('it takes telemetry with attributes, which the specification cannot write'),
  'chart/metric-values': unobservable('it takes telemetry of metrics, which the specification cannot write'),
  'chart/unreadable-where': observeRefusal('chart.unreadable-where'),
  'chart/unknown-source': observeRefusal('chart.unknown-source'),
} as const satisfies Record<string, Check>
