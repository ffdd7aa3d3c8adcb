import type { Fault, Faults } from '../../faults/fault.ts'
import {
  change,
  failOperation,
  type Json,
  managedPath,
  offerAbsentPath,
  readObject,
  refuse,
  succeeds,
} from '../../faults/rewrite.ts'
import type { BodyRules } from '../../fields/judge.ts'
import { invalidInput, typeOfEnumeration } from '../../fields/sentences.ts'
import { Budget } from '../../telemetry/columns/budget.ts'
import { isoTime } from '../../telemetry/columns/json-value.ts'
import { bucketSize } from '../../telemetry/query/granularity.ts'
import { InvalidQuery } from '../../telemetry/query/invalid-query.ts'
import { type Point, readGroups } from '../../telemetry/query/plan.ts'
import { planSourceSeries } from '../../telemetry/source-terms.ts'
import type { Call } from '../../words/call.ts'
import { isRecord } from '../../words/check-options.ts'
import { type MaybePromise, mapErrors, whenAll } from '../../words/maybe-promise.ts'
import { invalid, unknownSource, unreadableWhere } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { BodyOf, Family, Handler, Handlers, Request } from '../family.ts'

type ChartRequest = BodyOf<'chart.query'>
type ChartSeries = ChartRequest['series'][number]

const notAnInteger = 'Timestamp must be an integer'

/** Refuses seconds, which have ten digits. */
const checkMoment: NonNullable<BodyRules['checks']>[string] = (time: number, reportIssue) => {
  if (time <= 0) reportIssue('Timestamp must be positive')
  if (String(time).length < 13) reportIssue('Timestamp must be in milliseconds')
}

/** The sentences of deployments for charts; how many series there may be is an option of the mock. */
const chartRules: BodyRules = {
  sentences: {
    'series min': 'Series array cannot be empty',
    'series.metricDataType type': typeOfEnumeration,
    'series.sortOrder type': invalidInput,
    'series.sortOrder values': invalidInput,
    'startTime whole': notAnInteger,
    'endTime whole': notAnInteger,
  },
  checks: {
    startTime: checkMoment,
    endTime: checkMoment,
    series: (series: readonly ChartSeries[] | ChartSeries, reportIssue, { maxSeries }) => {
      if (!Array.isArray(series)) return
      if (series.length > maxSeries) reportIssue(`Array must contain at most ${maxSeries} element(s)`)
      const groups = new Set(series.map(({ groupBy }: ChartSeries) => JSON.stringify(groupBy)))
      if (groups.size > 1) reportIssue('All series must have the same groupBy fields')
    },
  },
}

/** By choice, times come in seconds: the handler converts them first, because they are judged in milliseconds. */
export const gapsOfPaths: Family['gapsOfPaths'] = [
  { form: 'managed', path: /^\/charts(\/|$)/, gap: 'service/absent-resource' },
]
export const judgesBodies: Family['judgesBodies'] = ['chart.query']
export const bodies: Family['bodies'] = { chartQuery: chartRules }

/** The last moment in epoch milliseconds that the database can compare: its nanoseconds have 64 bits. */
const lastMoment = 9_223_372_036_854

/** Answers a chart query: the points of its series, merged by bucket and group, or as the columns of the database. */
export const queryChartSeries: Handler = request => {
  const { value, issues } = request.judge(convertToMilliseconds(request))
  if (issues.length > 0) throw invalid(issues)
  const chart = value as ChartRequest
  const sources = chart.series.map((series, index) => findSource(request, series, index))
  // As on deployments, an unreadable query is refused before a missing source, whichever series has it.
  const budget = new Budget()
  const results = chart.series.map((series, index): MaybePromise<readonly Point[]> => {
    const source = sources[index]!
    if (typeof source === 'string') return []
    return refuseUnreadable(request, index, () => evaluate(request, chart, source, series, budget))
  })
  const missing = sources.find(source => typeof source === 'string')
  if (missing) throw unknownSource(missing as string)
  const { names } = readGroups(chart.series[0]!.groupBy)
  return whenAll(results, results => {
    const rows =
      chart.seriesReturnType === 'column'
        ? writeColumns(request, results, names, chart)
        : writePoints(request, results, names, chart)
    return { kind: 'rows', json: refuseUnreadable(request, 0, () => writeRows(rows, budget)) as string }
  })
}

export const handlers = { 'chart.query': queryChartSeries } as const satisfies Handlers

/** Refuses an unreadable query with the status and the sentence of the choice. */
const refuseUnreadable = <T>(request: Request, index: number, read: () => MaybePromise<T>): MaybePromise<T> =>
  mapErrors(read, error => {
    const isRaw = request.choice('chart/unreadable-where').startsWith('500')
    if (!(error instanceof InvalidQuery)) return error
    const { part, at, sentence, raw } = error
    if (isRaw) return unreadableWhere(raw)
    return unreadableWhere(part ? `series.${index}.${part}, column ${at + 1}: ${sentence}` : sentence)
  })

/** Written row by row, so that an answer that takes too much memory is never whole. */
function writeRows(rows: readonly Row[], budget: Budget): string {
  const texts = rows.map(row => {
    const text = JSON.stringify(row)
    budget.chargeMemory(text)
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
  if (Math.max(chart.startTime, chart.endTime) > lastMoment) {
    throw new InvalidQuery('startTime, endTime: Expected a time before the year 2262', 0, 'Decimal math overflow')
  }
  const freeText = request.choice('chart/free-text') !== 'refuse'
  const texts = {
    aggFn: series.aggFn,
    level: series.level,
    // Of a metric source, it is the name of a metric.
    field: source.kind === 'metric' ? series.field : fieldOf(series),
    where: { text: series.where, language: series.whereLanguage },
    groupBy: readGroups(series.groupBy).groupBy,
    start: chart.startTime,
    end: chart.endTime,
    bucket: bucketSize(chart.granularity, chart.startTime, chart.endTime),
    metricName: series.metricName,
    metricType: series.metricDataType,
    max: request.limits.points,
  }
  const plan = planSourceSeries(source, texts, request, freeText)
  return request.stack.telemetry.chart(source, plan, { budget, signal: request.signal })
}

/** A name with a dot is passed to the database as a text, so it names no key of a map: `LogAttributes['dur']` does. */
function fieldOf({ field }: ChartSeries): string | undefined {
  return field?.includes('.') ? `'${field}'` : field
}

type Row = Record<string, unknown>

/** One row for each bucket and group, in the order in which the series name them. */
function writePoints(
  request: Request,
  results: readonly (readonly Point[])[],
  names: readonly string[],
  chart: ChartRequest,
): Row[] {
  const groupTexts = chart.series[0]!.groupBy
  // Deployments look groups up by the text of the request, and do not find a group that the database names differently.
  const isLookedUp = request.choice('chart/group-names') === 'collapse'
  const rows = new Map<string, Row>()
  results.forEach((points, index) => {
    // The groups of a histogram are in one column, so that none is found by its name.
    const nameAt = (text: string) => (isHistogram(chart.series[index]!) ? -1 : names.indexOf(text))
    const places = isLookedUp ? groupTexts.map(nameAt) : names.map((_, at) => at)
    for (const { time, group, value } of points) {
      const shown = places.map(at => group[at])
      const key = JSON.stringify([time, shown])
      const row = rows.get(key) ?? { ts_bucket: time, group: shown }
      rows.set(key, row)
      row[`series_${index}.data`] = value
    }
  })
  return [...rows.values()]
}

/** The rows of the database as they come, series after series; deployments have all groups of a histogram in one column. */
function writeColumns(
  request: Request,
  results: readonly (readonly Point[])[],
  names: readonly string[],
  chart: ChartRequest,
): Row[] {
  const isRaw = request.choice('chart/group-names') === 'collapse'
  return results.flatMap((points, index) => {
    const isInOneColumn = isRaw && names.length > 0 && isHistogram(chart.series[index]!)
    return points.map(({ time, group, value }) => ({
      [`series_${index}`]: value,
      ...(isInOneColumn ? { group } : Object.fromEntries(names.map((name, at) => [name, group[at]]))),
      __hdx_time_bucket: isoTime(time, 0),
    }))
  })
}

const isHistogram = ({ metricDataType }: ChartSeries) => metricDataType?.endsWith('histogram') ?? false

/** From here on, times are milliseconds: as seconds they would be after the year 5138. */
const latestInSeconds = 100_000_000_000

/**
 * The body of a request with its times in milliseconds. By choice, deployments take times in seconds, in milliseconds or in
 * both, and refuse the other unit.
 */
function convertToMilliseconds(request: Request): unknown {
  const { body } = request
  const unit = request.choice('chart/time-unit')
  if (unit === 'milliseconds' || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const read: Record<string, unknown> = { ...body }
  const times = (['startTime', 'endTime'] as const).filter(name => typeof read[name] === 'number')
  const late = times.filter(name => (read[name] as number) >= latestInSeconds)
  if (unit === 'seconds' && late.length > 0) {
    const sentence = 'Timestamp must be in seconds'
    throw invalid(late.map(name => ({ part: 'Body', path: [name], sentence, received: read[name] })))
  }
  for (const name of times) if (!late.includes(name)) read[name] = (read[name] as number) * 1000
  return read
}

interface Series {
  readonly where?: unknown
  readonly groupBy?: unknown
}

function seriesOf({ body }: Call): readonly Series[] {
  const query = readObject(body)
  return Array.isArray(query?.series) ? query.series.filter(isRecord) : []
}

/** Whether the first series has a filter such as `ServiceName:web`, which no deployment refuses. */
const isFiltered = ([first]: readonly Series[]) => /^\w+:\w+$/.test(String(first?.where))
const isGrouped = ([first]: readonly Series[]) => Array.isArray(first?.groupBy) && first.groupBy.length > 0
const hasTwoSeries = ({ length }: readonly Series[]) => length === 2

/** Refuses the queries whose series match. */
const refuseQueries =
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
const addToFirst = (row: Json, more: number): Json => ({
  ...row,
  'series_0.data': String(Number(row['series_0.data']) + more),
})

export const faults = {
  'chart/query-is-accepted': failOperation('chart.query'),
  'chart/filter-is-accepted': refuseQueries(isFiltered),
  'chart/filter-never-adds': changeRows(isFiltered, (_, whole) => whole.map(row => addToFirst(row, 1))),
  'chart/grouping-is-accepted': refuseQueries(isGrouped),
  'chart/groups-add-up': changeRows(isGrouped, rows => rows.slice(1)),
  'chart/two-series-are-accepted': refuseQueries(hasTwoSeries),
  'chart/other-methods-never-succeed': offerAbsentPath(/^\/api\/v2\/charts\/series\/?$/i, '/api/v2/sources', [
    'GET',
    'HEAD',
    'PUT',
    'PATCH',
    'DELETE',
  ]),
  'chart/absent-in-managed-form': offerAbsentPath(managedPath('charts'), '$1/sources'),
} as const satisfies Faults
