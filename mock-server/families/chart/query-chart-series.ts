import { Budget } from '../../telemetry/budget.ts'
import { evaluateSeries, type Point, readGroups, UnreadablePart } from '../../telemetry/chart-series.ts'
import { bucketSize } from '../../telemetry/granularity.ts'
import { isoTime } from '../../telemetry/json-value.ts'
import { dialectOf, metricOf, storeOf } from '../../telemetry/rows-of-source.ts'
import { Unreadable } from '../../telemetry/unreadable.ts'
import { invalid, unknownSource, unreadableWhere } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { Handler, Request } from '../family.ts'
import { type ChartRequest, type ChartSeries, readChartRequest } from './chart-request.ts'

/** The last moment that the database can compare: nanoseconds in 64 bits. */
const lastMoment = 9_223_372_036_854

/** Answers a chart query: the points of its series, merged by bucket and group, or as the columns of the database. */
export const queryChartSeries: Handler = request => {
  const read = readChartRequest(request.body, request.edition, request.limits.series)
  if ('issues' in read) throw invalid(read.issues)
  const chart = read.request
  const found = chart.series.map((series, index) => findSource(request, series, index))
  // As there, what cannot be read is said before a source that is missing, whichever series it is in.
  const budget = new Budget()
  const results = chart.series.map((series, index) => {
    const source = found[index]!
    if (typeof source === 'string') return []
    return inWords(request, index, () => evaluate(request, chart, source, series, budget))
  })
  const missing = found.find(source => typeof source === 'string')
  if (missing) throw unknownSource(missing as string)
  const { names } = readGroups(chart.series[0]!.groupBy)
  const rows = chart.seriesReturnType === 'column' ? asColumns(results, names) : asPoints(results, names, chart)
  return { kind: 'rows', json: inWords(request, 0, () => writeRows(rows, budget)) }
}

/** Refuses what cannot be read in the words that were chosen. */
function inWords<T>(request: Request, index: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const isRaw = request.choice('chart/unreadable-where').startsWith('500')
    if (error instanceof Unreadable) throw unreadableWhere(isRaw ? error.raw : error.says)
    if (!(error instanceof UnreadablePart)) throw error
    const { part, why } = error
    throw unreadableWhere(isRaw ? why.raw : `series.${index}.${part}, column ${why.at + 1}: ${why.says}`)
  }
}

/** Written row by row, so that an answer that takes too much memory is never whole. */
function writeRows(rows: readonly Row[], budget: Budget): string {
  const texts = rows.map(row => {
    const text = JSON.stringify(row)
    budget.keep(text)
    return text
  })
  return `[${texts.join(',')}]`
}

/** The source of a series, or the sentence about what is missing. */
function findSource({ stack }: Request, { sourceId }: ChartSeries, index: number): Source | string {
  const source = stack.sources.get(sourceId.toLowerCase())
  if (!source) return `Source not found for series ${index}`
  return stack.connections.get(source.connection) ? source : `Connection not found for series ${index}`
}

function evaluate(request: Request, chart: ChartRequest, source: Source, series: ChartSeries, budget: Budget) {
  const freeText = request.choice('chart/free-text') === 'refuse' ? 'refuse' : 'search'
  if (Math.max(chart.startTime, chart.endTime) > lastMoment) {
    throw new Unreadable('startTime, endTime: Expected a time before the year 2262', 0, 'Decimal math overflow')
  }
  const metric =
    source.kind === 'metric' ? metricOf(source, { ...series, metricType: series.metricDataType }) : undefined
  return evaluateSeries(storeOf(request.stack.telemetry, source), {
    aggFn: series.aggFn,
    level: series.level,
    field: fieldOf(series, metric !== undefined),
    where: { text: series.where, language: series.whereLanguage },
    groupBy: readGroups(series.groupBy).groupBy,
    start: chart.startTime,
    end: chart.endTime,
    bucket: bucketSize(chart.granularity, chart.startTime, chart.endTime),
    dialect: dialectOf(source, request.edition, freeText),
    metric,
    most: request.limits.points,
    budget,
  })
}

/** A name with a dot is handed to the database as a text. So are the keys of maps: write `LogAttributes['dur']` instead. */
function fieldOf({ field, metricName }: ChartSeries, isMetric: boolean): string | undefined {
  if (isMetric && !(metricName && field)) return 'Value'
  return field?.includes('.') ? `'${field}'` : field
}

type Row = Record<string, unknown>

/** One row for each bucket and group, in the order in which the series name them. */
function asPoints(results: readonly (readonly Point[])[], names: readonly string[], chart: ChartRequest): Row[] {
  const asked = chart.series[0]!.groupBy
  const rows = new Map<string, Row>()
  results.forEach((points, index) => {
    for (const { time, group, value } of points) {
      // Groups are looked up by the words of the request: one that the database calls by another name is not found.
      const shown = asked.map(text => (names.includes(text) ? group[names.indexOf(text)] : undefined))
      const key = `${time}|${shown.join('|')}`
      const row = rows.get(key) ?? { ts_bucket: time, group: shown }
      rows.set(key, row)
      row[`series_${index}.data`] = value
    }
  })
  return [...rows.values()]
}

/** The rows of the database as they come, series after series. */
function asColumns(results: readonly (readonly Point[])[], names: readonly string[]): Row[] {
  return results.flatMap((points, index) =>
    points.map(({ time, group, value }) => ({
      [`series_${index}`]: value,
      ...Object.fromEntries(names.map((name, at) => [name, group[at]])),
      __hdx_time_bucket: isoTime(time, false),
    })),
  )
}
