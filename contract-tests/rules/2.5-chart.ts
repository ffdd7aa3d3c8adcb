import { type Check, type Evidence, held, noAnswer, notJudged } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { findList } from '../engine/recognise.ts'
import { chartAttemptSteps } from '../visits/charts.ts'
import { chartQuerySteps, type TimeUnit } from '../visits/samples.ts'
import { findCountColumn, findRows, sumOf } from './recognise-counts.ts'
import {
  anySucceeds,
  brokenBy,
  checkOf,
  neverSucceeds,
  observe,
  observeRefusal,
  observeSuccess,
  unobservable,
} from './steps.ts'

/** §2.5, §4.3 Charts: by POST only, in some unit of time, with consistent counts. */

const queries = Object.values(chartQuerySteps)
const repeatedQuery = 'selfHosted:chart.query-again'

/** Counts a day by its first and its last query. `min` and `max` differ if events arrived in between. */
function countDay(evidence: Evidence) {
  const [first, ...more] = evidence.exchangesOf(...queries, repeatedQuery).filter(isSuccess)
  const rows = first && findRows(first.json)
  const column = rows && findCountColumn(rows, first)
  if (!first || !rows || column === undefined) return undefined
  const last = more.at(-1)
  const totals = [sumOf(rows, column), last && sumOf(findRows(last.json) ?? [], column)].filter(
    total => total !== undefined,
  )
  return { exchange: first, column, min: Math.min(...totals), max: Math.max(...totals) }
}

type DayCount = NonNullable<ReturnType<typeof countDay>>

const tolerance = (total: number) => Math.abs(total) * 1e-9

const compareWithDay = (
  steps: readonly string[],
  holds: (sum: number, dayCount: DayCount) => boolean,
  expected: (dayCount: DayCount) => string,
): Check =>
  checkOf([...queries, ...steps, repeatedQuery], (_, evidence) => {
    const exchange = evidence.exchangesOf(...steps).find(isSuccess)
    if (!exchange) return noAnswer(evidence, ...steps)
    const dayCount = countDay(evidence)
    if (!dayCount) return notJudged('no count could be recognised in the answer to the query without filter and groups')
    const rows = findRows(exchange.json) ?? []
    const column = rows[0] && dayCount.column in rows[0] ? dayCount.column : findCountColumn(rows, exchange)
    const sum = rows.length === 0 ? 0 : sumOf(rows, column ?? '')
    if (sum === undefined) return notJudged('no count could be recognised in the answer')
    if (holds(sum, dayCount)) return held([exchange])
    return brokenBy({ expected: expected(dayCount), got: sum }, exchange, dayCount.exchange)
  })

export const checks = {
  'chart/query-is-accepted': anySucceeds(queries),
  'chart/filter-is-accepted': anySucceeds(chartAttemptSteps('filter')),
  'chart/filter-never-adds': compareWithDay(
    chartAttemptSteps('filter'),
    (sum, { max }) => sum <= max + tolerance(max),
    ({ max }) => `a count of at most ${max}, that of the same query without its filter`,
  ),
  'chart/grouping-is-accepted': anySucceeds(chartAttemptSteps('grouping')),
  'chart/groups-add-up': compareWithDay(
    chartAttemptSteps('grouping'),
    (sum, { min, max }) => sum >= min - tolerance(max) && sum <= max + tolerance(max),
    ({ min, max }) =>
      `groups that add up to ${min === max ? max : `${min} to ${max}`}, the count of the same query without groups`,
  ),
  'chart/two-series-are-accepted': anySucceeds(['chart.two-series']),
  'chart/other-methods-never-succeed': neverSucceeds(
    ['get', 'head', 'put', 'patch', 'delete'].map(method => `chart.${method}`),
  ),
  'chart/time-unit': observe(queries, (_, evidence) => {
    const accepted = (Object.keys(chartQuerySteps) as TimeUnit[]).filter(unit =>
      evidence.exchangesOf(chartQuerySteps[unit]).some(isSuccess),
    )
    return accepted.length > 1 ? 'both accepted' : accepted[0]
  }),
  'chart/fields-present': observe(queries, exchanges => {
    const rows = exchanges.filter(isSuccess).flatMap(({ json }) => findList(json, 'data') ?? [])
    return rows[0] && [...new Set(rows.flatMap(Object.keys))].sort()
  }),
  'chart/free-text': observeSuccess('chart.free-text', 'search', 'refuse'),
  'chart/short-names': observeSuccess('chart.short-names', 'read', 'refuse'),
  'chart/group-names': unobservable(
    'it requires telemetry with attributes, and the specification has no operation that writes telemetry',
  ),
  'chart/metric-values': unobservable(
    'it requires metrics, and the specification has no operation that writes telemetry',
  ),
  'chart/unreadable-where': observeRefusal('chart.unreadable-where'),
  'chart/unknown-source': observeRefusal('chart.unknown-source'),
} as const satisfies Record<string, Check>
