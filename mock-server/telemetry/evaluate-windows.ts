import type { Edition } from '../../fixtures/contract/index.ts'
import { hour } from '../words/durations.ts'
import { type MaybePromise, mapErrors, when, whenAll } from '../words/maybe-promise.ts'
import type { Source } from '../words/resources.ts'
import { isoTime } from './columns/json-value.ts'
import { explain, type Formula, type Item } from './evaluate-tile.ts'
import { type Aliases, nameOf } from './query/expression.ts'
import { compileFormula } from './query/formula.ts'
import { bucketOf } from './query/granularity.ts'
import type { Point, SeriesPlan, Where } from './query/plan.ts'
import { parseSqlList } from './query/sql.ts'
import { planSourceSeries, type QueryChoices } from './source-terms.ts'
import type { Engine, Telemetry } from './telemetry.ts'

/** The columns that an alert computes for each window. */
export interface Series {
  readonly source: Source
  /** The columns of the answer. The last one is compared. */
  readonly items: readonly Item[]
  /** Compared instead. */
  readonly formula?: Formula['expression']
  readonly groupBy?: string
  /** Filters in addition to those of the items. */
  readonly filters?: readonly Where[]
  /** Names that the filters may use for expressions. */
  readonly aliases?: Aliases
}

/** What a series reads, whatever the time. */
export interface WindowsPlan {
  /** The names of the groups. */
  readonly names: readonly string[]
  /** One for each column, without times. */
  readonly columns: readonly SeriesPlan[]
}

export interface WindowsQuery<Watched = Series> {
  readonly telemetry: Engine
  readonly series: Watched
  /** Plans the series: `planWindows`, unless its plans are kept. */
  readonly planSeries?: typeof planWindows
  /** Epoch milliseconds; the end is excluded. */
  readonly start: number
  readonly end: number
  /** The size of a window. Windows are named by multiples of it. */
  readonly length: number
  /** Whether each window is computed as if it were queried alone, instead of all in one query. */
  readonly isOneByOne: boolean
  readonly choices: QueryChoices
  /** The edition that evaluates, which may differ from that of the API. */
  readonly edition: Edition
}

/** A row of the answer: the value of a group in a window; undefined if its last column is empty. */
export interface WindowRow {
  /** `ServiceName:api, SeverityText:ERROR`. Numeric columns are no part of it: they are values. */
  readonly group: string
  readonly attributes: Readonly<Record<string, string>>
  readonly value: number | undefined
}

/** The rows by the start of their window or, where the range cuts a window in two, of the part. */
export type RowsByStart = ReadonlyMap<number, readonly WindowRow[]>

/** More points than a chart may have: the groups of a day of minutes. */
const maxPoints = 500_000

/**
 * Computes a series over windows. Undefined if none of its columns has numbers: deployments then leave the alert alone. An
 * invalid query throws an Error with a sentence.
 */
export const evaluateWindows = (query: WindowsQuery): MaybePromise<RowsByStart | undefined> =>
  mapErrors(() => computeWindows(query), explain)

function computeWindows(query: WindowsQuery): MaybePromise<RowsByStart | undefined> {
  const { series, telemetry } = query
  const { source, formula } = series
  const { names, plans } = planSpan(query)
  const types = plans.map(plan => telemetry.types?.(source, plan))
  const isCompared = types.map(found => !found || hasNumbers(found.value))
  const isEmpty = formula === undefined && !isCompared.includes(true) && !types[0]?.groups.some(hasNumbers)
  const namesOfGroups = isHistogram(plans[0]!) && names.length > 0 ? ['group'] : names
  const timeAt = namesOfGroups === names ? (types[0]?.groups.findIndex(hasTimes) ?? -1) : -1
  const read = (point: Point, plan: SeriesPlan, at: number) => {
    const group = readGroup(point.group, plan, types[at]?.groups)
    return timeAt === -1 ? [{ ...point, group }] : nameByTime({ ...point, group }, timeAt, query.isOneByOne)
  }
  return whenAll(
    plans.map((plan, at) => when(queryPlan(query, plan), points => points.flatMap(point => read(point, plan, at)))),
    points =>
      isEmpty
        ? undefined
        : joinItems(points, timeAt === -1 ? namesOfGroups : moveLast(names, timeAt, timeBucket), isCompared, query),
  )
}

/** Whether a column of a type of the database has times. */
export const hasTimes = (type: string) => /^(?:LowCardinality\(|Nullable\()*Date/.test(type)

/** The name of the column of windows, which comes last. */
const timeBucket = '__hdx_time_bucket'

const moveLast = <T>(list: readonly T[], at: number, last: T): readonly T[] => [...list.toSpliced(at, 1), last]

/**
 * Deployments read the first column of times as the start of the window, even if rows are grouped by it, and the start itself
 * as part of the group. A row whose time is the start of no window is lost.
 */
function nameByTime(point: Point, timeAt: number, isOneByOne: boolean): readonly Point[] {
  const time = Date.parse(String(point.group[timeAt]))
  if (isOneByOne && time !== point.time) return []
  return [{ ...point, time, group: moveLast(point.group, timeAt, isoTime(point.time, 0)) }]
}

/** Generates the rows of a series in steps. An invalid query has none; its evaluation says why. */
export function* prepareWindows(query: Omit<WindowsQuery, 'telemetry'> & { readonly telemetry: Telemetry }) {
  const { telemetry, series } = query
  let plans: readonly SeriesPlan[]
  try {
    plans = planSpan(query).plans
  } catch {
    return
  }
  for (const plan of plans) yield* telemetry.prepare(series.source, plan)
}

/** Whether a column of a type of the database has the numbers that are compared. */
export const hasNumbers = (type: string) => /^(?:LowCardinality\(|Nullable\()*(?:U?Int|Float)/.test(type)

const isHistogram = ({ metric }: SeriesPlan) => metric?.type.endsWith('histogram') ?? false

/** Reads the values of a group: 64-bit integers are numbers, too, and those of a histogram are one list. */
function readGroup(group: readonly unknown[], plan: SeriesPlan, types: readonly string[] | undefined) {
  if (group.length === 0) return group
  if (isHistogram(plan)) return [group.map(String)]
  return group.map((part, at) => (typeof part === 'string' && types && hasNumbers(types[at]!) ? Number(part) : part))
}

/** The plan of a series for a span of windows. */
function planSpan({ series, planSeries = planWindows, choices, start, end, length }: WindowsQuery) {
  const { names, columns } = planSeries(series, choices)
  return { names, plans: columns.map(column => ({ ...column, start, end: end - 1, bucket: length })) }
}

/** Plans a series. Throws an InvalidQuery with the invalid part. */
export function planWindows(series: Series, choices: QueryChoices): WindowsPlan {
  const { source, items, filters = [], aliases } = series
  const groupBy = series.groupBy?.trim() ? parseSqlList(series.groupBy) : []
  const columns = items.map(({ where = '', whereLanguage, ...item }) => {
    // Without a language, deployments filter by the text as SQL, and count what it finds as Lucene.
    const asSql = whereLanguage === undefined && where.trim() !== '' ? [{ text: where, language: 'sql' }] : []
    const texts = {
      aggFn: item.aggFn,
      level: item.level,
      field: item.valueExpression,
      where: { text: where, language: whereLanguage },
      filters: [...filters, ...asSql],
      groupBy,
      aliases,
      start: 0,
      end: 0,
      max: maxPoints,
      metricName: item.metricName,
      metricType: item.metricType,
    }
    return planSourceSeries(source, texts, choices)
  })
  return { names: groupBy.map(nameOf), columns }
}

function queryPlan(query: WindowsQuery, plan: SeriesPlan): MaybePromise<readonly Point[]> {
  const { telemetry, series, start, length, isOneByOne, edition } = query
  const { source } = series
  const cut = isOneByOne && start % length !== 0 ? start % length : undefined
  if (!plan.metric) return telemetry.chart(source, { ...plan, ...(cut !== undefined && { cut }) })
  const pointsFrom = (from: number) => firstPointIn224(plan, from, length)
  return telemetry.chart(source, { ...plan, isOneByOne, ...(edition === '2.24' && { pointsFrom }) })
}

/**
 * Edition 2.24 compares the hour of a point, by which newer tables are sorted, with the start of the bucket before a range:
 * of sums and histograms it only sees points of hours that begin after that.
 */
const firstPointIn224 = ({ metric }: SeriesPlan, start: number, bucket: number) =>
  metric?.type === 'gauge' ? start : Math.ceil((bucketOf(start, bucket) - bucket) / hour) * hour

interface Joined {
  readonly point: Point
  readonly values: (number | undefined)[]
}

/** Joins the points of the columns by window and group. */
function joinItems(
  points: readonly (readonly Point[])[],
  names: readonly string[],
  isCompared: readonly boolean[],
  query: WindowsQuery,
): RowsByStart {
  const { series, edition } = query
  const joined = new Map<number, Map<string, Joined>>()
  points.forEach((column, index) => {
    for (const point of column) {
      const groups = joined.get(point.time) ?? new Map<string, Joined>()
      joined.set(point.time, groups)
      const key = names.length === 0 ? '' : JSON.stringify(point.group)
      const row = groups.get(key) ?? { point, values: series.items.map(valueWithoutRows(series.source)) }
      groups.set(key, row)
      const value = point.value === null ? Number.NaN : Number(point.value)
      row.values[index] = Number.isFinite(value) ? value : undefined
    }
  })
  const compute = series.formula === undefined ? undefined : compileFormula(series.formula)
  const compared = (all: readonly (number | undefined)[]): number | undefined => {
    const values = compute ? all : all.filter((_, at) => isCompared[at])
    if (!compute) return edition === '2.24' ? values.findLast(value => value !== undefined) : values.at(-1)
    const value = compute(values as number[])
    return Number.isFinite(value) ? value : undefined
  }
  const rows = new Map<number, readonly WindowRow[]>()
  for (const [time, groups] of joined) {
    const ordered = names.length === 0 ? [...groups.values()] : [...groups.values()].sort(byNumericGroups)
    rows.set(
      time,
      ordered.map(({ point, values }) => ({ ...nameGroup(names, point.group, compared(values)) })),
    )
  }
  return rows
}

/** What a column shows in a row that only other columns have rows for. */
const valueWithoutRows =
  ({ kind }: Source) =>
  ({ aggFn }: Item): number | undefined =>
    kind === 'metric' || aggFn === 'avg' || aggFn === 'quantile' || aggFn === 'none' ? undefined : 0

/** Rows that differ in a numeric column alone have one group, and the last of them counts: the largest. */
function byNumericGroups(a: Joined, b: Joined): number {
  for (const [index, value] of a.point.group.entries()) {
    const other = b.point.group[index]
    if (typeof value === 'number' && typeof other === 'number' && value !== other) return value - other
  }
  return 0
}

/** Numeric columns of the group are compared like a column that follows those of the series. */
function nameGroup(names: readonly string[], group: readonly unknown[], value: number | undefined): WindowRow {
  const texts: [string, unknown][] = []
  let compared = value
  for (const [index, name] of names.entries()) {
    const part = group[index]
    if (typeof part === 'number') compared = part
    else texts.push([name, part])
  }
  return { ...writeGroup(texts), value: compared }
}

/** The name of a group: values are written as JavaScript writes them, so that all maps look alike. */
export function writeGroup(columns: readonly (readonly [name: string, value: unknown])[]) {
  const texts = columns.map(([name, value]) => [name, `${value}`] as const)
  return { group: texts.map(text => text.join(':')).join(', '), attributes: Object.fromEntries(texts) }
}
