import type { Form } from '../../fixtures/contract/index.ts'
import { absent, type Check, describe, type Evidence, held, notApplicable, type Verdict } from '../engine/check.ts'
import { type Exchange, isSuccess, parseJson } from '../engine/exchange.ts'
import { isObject } from '../engine/recognise.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { countColumn, findRows, sumOf } from '../rules/recognise-counts.ts'
import { acceptedUnit, chartBody, chartFields, chartQueries, noSource, sourceId } from '../visits/samples.ts'
import { whyNot } from './why-not.ts'

/** Searches of the rows themselves, and a chart that counts the same rows. */

const first = 'selfHosted:search.query'
const whole = 'selfHosted:search.whole'
const chart = 'selfHosted:search.chart'

const hour = 3_600_000
const few = 3
/** The most that the vendor's document allows. */
const most = 2000

/** The last full hour but one, whose rows have all come in: the end of the range that charts are asked for. */
function rangeOf({ now }: Past) {
  const end = Math.floor(now / hour) * hour - hour
  return { startTime: new Date(end - hour).toISOString(), endTime: new Date(end).toISOString() }
}

const rowsIn = (exchange: Exchange | undefined): readonly unknown[] | undefined => {
  const { json } = exchange ?? {}
  return exchange && isSuccess(exchange) && isObject(json) && Array.isArray(json.data) ? json.data : undefined
}

/** A field with its value in a row that was found; nothing, so that all rows are counted, where none is recognised. */
function filterOf(past: Past): string {
  const [row] = rowsIn(past.exchange(first)) ?? []
  if (!isObject(row)) return ''
  const field = chartFields(past).find(name => /^\w+$/.test(String(row[name] ?? '')))
  return field === undefined ? '' : `${field}:"${row[field]}"`
}

const post = (name: string, phase: number, why: string, draft: Step['draft'], more: Partial<Step> = {}): Step => ({
  name,
  ...{ form: 'selfHosted', phase, method: 'POST', operation: 'search.query', as: 'key', why, draft },
  from: ['selfHosted:source.list'],
  ...more,
})

const path = '/api/v2/search'
const afterFirst = (past: Past, draft: () => Draft): Draft => {
  const skip = whyNot(past, first)
  return skip === undefined ? draft() : { skip }
}

export const steps = (form: Form): readonly Step[] =>
  form === 'selfHosted'
    ? [
        post(first, 7, `searches an hour for ${few} rows`, past => {
          const source = sourceId(past, 'selfHosted')
          return source ? { path, body: { sourceId: source, ...rangeOf(past), maxResults: few } } : noSource
        }),
        post(
          whole,
          8,
          'searches the hour with a filter',
          past =>
            afterFirst(past, () => ({
              path,
              body: {
                sourceId: sourceId(past, 'selfHosted'),
                ...rangeOf(past),
                where: filterOf(past),
                maxResults: most,
              },
            })),
          { from: [first, 'selfHosted:source.list'] },
        ),
        post(
          chart,
          8,
          'counts the rows of the hour with the same filter',
          past =>
            afterFirst(past, () => {
              const body = chartBody(past)
              if (!body || !acceptedUnit(past)) return { skip: 'no chart query was accepted' }
              const [start, end] = [Number(body.startTime), Number(body.endTime)]
              const series = (body.series as object[]).map(one => ({ ...one, where: filterOf(past) }))
              return { path: '/api/v2/charts/series', body: { ...body, startTime: end - (end - start) / 24, series } }
            }),
          { operation: 'chart.query', from: [first, 'selfHosted:source.list', ...Object.values(chartQueries)] },
        ),
      ]
    : []

const wrong = (expected: string, got: unknown, at: string, ...exchanges: [Exchange, ...Exchange[]]): Verdict => ({
  outcome: 'broken',
  detail: describe({ path: at, expected, got }, exchanges[0]),
  exchanges,
})

/** Judges each search that succeeded. */
const eachSearch = (judge: (exchange: Exchange, rows: readonly unknown[]) => Verdict | undefined): Check => ({
  reads: () => [first, whole],
  judge: evidence => {
    const found = evidence.of(first, whole).filter(isSuccess)
    if (found.length === 0) return absent(evidence, first)
    for (const exchange of found) {
      const rows = rowsIn(exchange)
      const verdict = rows ? judge(exchange, rows) : wrong('an array in `data`', exchange.json, '$.data', exchange)
      if (verdict) return verdict
    }
    return held(found)
  },
})

const asked = ({ request }: Exchange): number => {
  const body = parseJson(request.body ?? '')
  return isObject(body) ? Number(body.maxResults) : most
}

function agree(evidence: Evidence): Verdict {
  const [searched] = evidence.of(whole)
  const [counted] = evidence.of(chart)
  const rows = rowsIn(searched)
  if (!searched || !rows || !counted || !isSuccess(counted)) return absent(evidence, whole, chart)
  if (rows.length >= most) return notApplicable('there are more rows than one answer may hold')
  const points = findRows(counted.json)
  const query = parseJson(counted.request.body ?? '')
  const start = isObject(query) ? query.startTime : undefined
  const column = points && countColumn(points, start)
  const sum = points?.length === 0 ? 0 : points && column ? sumOf(points, column) : undefined
  if (sum === undefined) return notApplicable('the counts of the chart could not be recognised')
  return sum === rows.length
    ? held([searched])
    : wrong(`${sum} rows, as a chart counts them`, rows.length, '$.data', searched, counted)
}

export const checks = {
  'search/query-answers': answers(() => [first]),
  'search/rows-are-counted': eachSearch((exchange, rows) => {
    const { rows: number } = exchange.json as { rows?: unknown }
    return number === rows.length ? undefined : wrong(String(rows.length), number, '$.rows', exchange)
  }),
  'search/gives-no-more-than-asked': eachSearch((exchange, rows) =>
    rows.length > asked(exchange)
      ? wrong(`at most ${asked(exchange)} rows`, rows.length, '$.data', exchange)
      : undefined,
  ),
  'search/agrees-with-chart': { reads: () => [whole, chart], judge: agree },
} satisfies Record<string, Check>
