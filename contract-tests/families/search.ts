import { type Check, type Finding, notJudged } from '../engine/check.ts'
import { type Exchange, isSuccess, sentIn } from '../engine/exchange.ts'
import { isObject } from '../engine/recognise.ts'
import type { RunContext } from '../engine/step.ts'
import { eachAnswerTo } from '../rules/operations.ts'
import { findCountColumn, findRows, sumOf } from '../rules/recognise-counts.ts'
import { heldUnless, judgeTogether } from '../rules/steps.ts'
import {
  acceptedUnit,
  chartBody,
  chartFields,
  chartQuerySteps,
  skipWithoutSource,
  sourceId,
} from '../visits/samples.ts'
import { visit } from '../visits/visit.ts'

/** Searches for rows, and a chart that counts the same rows. */

const firstSearch = 'selfHosted:search.query'
const filteredSearch = 'selfHosted:search.whole'
const countingChart = 'selfHosted:search.chart'

const HOUR_MS = 3_600_000
const FEW_ROWS = 3
/** The maximum of the vendor's document. */
const MAX_ROWS = 2000

/** The last hours before the end of the chart queries. All their rows have arrived. */
function rangeOf({ now }: RunContext, hours: number) {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS
  return { startTime: new Date(end - hours * HOUR_MS).toISOString(), endTime: new Date(end).toISOString() }
}

const rowsIn = (exchange: Exchange | undefined): readonly unknown[] | undefined =>
  isSuccess(exchange) && isObject(exchange.json) && Array.isArray(exchange.json.data) ? exchange.json.data : undefined

/** A filter by a field of the first row that was found; empty if no field is recognised. */
function filterOf(context: RunContext): string {
  const [row] = rowsIn(context.exchange(firstSearch)) ?? []
  if (!isObject(row)) return ''
  const field = chartFields(context).find(name => /^\w+$/.test(String(row[name] ?? '')))
  return field === undefined ? '' : `${field}:"${row[field]}"`
}

export const { steps } = visit('selfHosted', 'search', run => {
  const source = ['selfHosted:source.list-before']
  run.call('search.query', {
    why: `searches a day for ${FEW_ROWS} rows`,
    from: source,
    skipReason: () => skipWithoutSource,
    body: context => {
      const id = sourceId(context, 'selfHosted')
      return id && { sourceId: id, ...rangeOf(context, 24), maxResults: FEW_ROWS }
    },
  })
  run.call('search.query', {
    name: 'search.whole',
    why: 'searches an hour of the day with a filter',
    ifSucceeds: firstSearch,
    from: source,
    body: context => ({
      sourceId: sourceId(context, 'selfHosted'),
      ...rangeOf(context, 1),
      where: filterOf(context),
      maxResults: MAX_ROWS,
    }),
  })
  run.call('chart.query', {
    name: 'search.chart',
    why: 'counts the rows of the hour with the same filter',
    ifSucceeds: firstSearch,
    from: [...source, ...Object.values(chartQuerySteps)],
    body: context => {
      const body = chartBody(context)
      if (!body || !acceptedUnit(context)) return undefined
      const [start, end] = [Number(body.startTime), Number(body.endTime)]
      const series = (body.series as object[]).map(one => ({ ...one, where: filterOf(context) }))
      return { ...body, startTime: end - (end - start) / 24, series }
    },
    skipReason: 'no chart query was accepted',
  })
})

const eachSearch = (judge: (exchange: Exchange, rows: readonly unknown[]) => Finding | undefined): Check =>
  eachAnswerTo(['search.query'], exchange => {
    const rows = rowsIn(exchange)
    const found = rows ? judge(exchange, rows) : { path: '$.data', expected: 'an array in `data`', got: exchange.json }
    return found ? [found] : []
  })

export const checks = {
  'search/rows-are-counted': eachSearch(({ json }, { length }) => {
    const got = isObject(json) ? json.rows : undefined
    return got === length ? undefined : { path: '$.rows', expected: String(length), got }
  }),
  'search/gives-no-more-than-asked': eachSearch((exchange, { length }) => {
    const { maxResults = MAX_ROWS } = sentIn(exchange)
    const expected = `at most ${maxResults} rows`
    return length > Number(maxResults) ? { path: '$.data', expected, got: length } : undefined
  }),
  'search/agrees-with-chart': judgeTogether([filteredSearch, countingChart], ([searched, counted]) => {
    const rows = rowsIn(searched)
    if (!searched || !rows || !isSuccess(counted)) return undefined
    if (rows.length >= MAX_ROWS) return notJudged('there are more rows than one answer may hold')
    const points = findRows(counted.json)
    const column = points && findCountColumn(points, counted)
    const sum = points?.length === 0 ? 0 : points && column ? sumOf(points, column) : undefined
    if (sum === undefined) return notJudged('the counts of the chart could not be recognised')
    const expected = `${sum} rows, as a chart counts them`
    const finding = sum === rows.length ? undefined : { path: '$.data', expected, got: rows.length }
    return heldUnless(finding, [searched, counted])
  }),
} as const satisfies Record<string, Check>
