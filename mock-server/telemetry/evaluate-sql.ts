import { type MaybePromise, mapErrors, when, whenAll } from '../words/maybe-promise.ts'
import type { Source, TileConfig } from '../words/resources.ts'
import type { Collection } from '../world/collection.ts'
import type { SqlAnswer } from './columns/select-statement.ts'
import { explain } from './evaluate-tile.ts'
import {
  evaluateWindows,
  hasNumbers,
  hasTimes,
  type RowsByStart,
  type Series,
  type WindowRow,
  type WindowsQuery,
  writeGroup,
} from './evaluate-windows.ts'
import { bucketOf } from './query/granularity.ts'
import { canSpanBuckets, expandMacros, type SqlValues } from './query/raw-sql.ts'
import type { Engine } from './telemetry.ts'

/** Raw SQL that a chart shows. */
export interface SqlSeries {
  readonly sqlTemplate: string
  /** Whether it answers one value for a range, instead of values by bucket. */
  readonly isSingle: boolean
  /** Whether it answers groups, which raw SQL does not say. */
  readonly isGrouped?: boolean
  /** The source of the macro `$__sourceTable`. */
  readonly source?: Source
  /** The sources whose tables it may read. */
  readonly tables: readonly Source[]
}

/** What an alert computes for each window. */
export type Watched = Series | SqlSeries

export const isSql = (series: Watched): series is SqlSeries => 'sqlTemplate' in series

/** Computes what an alert watches. An invalid query throws an Error with a sentence. */
export const evaluateWatched = (query: WindowsQuery<Watched>): MaybePromise<RowsByStart | undefined> => {
  const { series } = query
  return isSql(series) ? evaluateSql({ ...query, series }) : evaluateWindows({ ...query, series })
}

/** Answers the raw SQL of a chart in a range of epoch milliseconds. Throws an Error with a sentence. */
export function runSql(
  telemetry: Engine,
  { sqlTemplate, isSingle, source, tables }: SqlSeries,
  { start, end, bucket }: { readonly start: number; readonly end: number; readonly bucket: number },
): MaybePromise<SqlAnswer> {
  const values: SqlValues = {
    startDateMilliseconds: start,
    endDateMilliseconds: end,
    ...(!isSingle && { intervalSeconds: bucket / 1000, intervalMilliseconds: bucket }),
  }
  return mapErrors(() => telemetry.select({ sql: expandMacros(sqlTemplate, source), values, sources: tables }), explain)
}

/**
 * Computes raw SQL over windows, like `evaluateWindows`: the first column of times names the bucket, the last one of
 * numbers is compared, and the others name the group. A single value is that of the window after its range. Undefined if
 * there is no column to compare: deployments then leave the alert alone.
 */
function evaluateSql(query: WindowsQuery<SqlSeries>): MaybePromise<RowsByStart | undefined> {
  const { telemetry, series, start, end, length, isOneByOne } = query
  const isWhole = !isOneByOne || (start % length === 0 && canSpan(series))
  const size = isWhole ? end - start : length
  const starts = Array.from({ length: Math.ceil((end - start) / size) }, (_, at) => start + at * size)
  const rows = starts.map(from => {
    const to = Math.min(from + size, end)
    const answer = runSql(telemetry, series, { start: from, end: to, bucket: length })
    return when(answer, answer => readAnswer(answer, series, isOneByOne ? from : bucketOf(from, length), to, length))
  })
  return whenAll(rows, rows => {
    const byStart = new Map<number, WindowRow[]>()
    for (const { start, row } of rows.flatMap(some => some ?? [])) {
      const others = byStart.get(start)
      if (others) others.push(row)
      else byStart.set(start, [row])
    }
    return rows.includes(undefined) ? undefined : byStart
  })
}

function canSpan({ sqlTemplate, isSingle, source }: SqlSeries): boolean {
  if (isSingle) return false
  try {
    return canSpanBuckets(expandMacros(sqlTemplate, source))
  } catch {
    // An external engine may know more SQL, and the error of this one follows from the query.
    return false
  }
}

interface StartedRow {
  readonly start: number
  readonly row: WindowRow
}

function readAnswer(
  { columns, rows }: SqlAnswer,
  { isSingle }: SqlSeries,
  from: number,
  to: number,
  length: number,
): readonly StartedRow[] | undefined {
  const value = columns.findLastIndex(({ type }) => hasNumbers(type))
  const time = isSingle ? -1 : columns.findIndex(({ type }) => hasTimes(type))
  if (value === -1 || (time === -1 && !isSingle)) return undefined
  const read = (cell: unknown) =>
    cell === null ? undefined : typeof cell === 'string' ? Number.parseInt(cell, 10) : Number(cell)
  if (isSingle) return [{ start: to, row: { group: '', attributes: {}, value: read(rows[0]?.[value] ?? 0) } }]
  return rows.map(cells => {
    const bucket = Date.parse(String(cells[time]))
    const texts = columns.flatMap(({ name, type }, at) =>
      at === time || hasNumbers(type) ? [] : [[name, cells[at]] as const],
    )
    return {
      // The start of a window may cut a bucket.
      start: bucketOf(from, length) === bucket ? from : bucket,
      row: { ...writeGroup(texts), value: read(cells[value]) },
    }
  })
}

/** Raw SQL may read the tables of all sources of its connection. */
export function sqlSeriesOf(
  { sqlTemplate = '', connectionId, sourceId = '', displayType }: TileConfig,
  sources: Collection<Source>,
) {
  const tables = sources.list().filter(one => one.connection === connectionId)
  const source = sources.get(sourceId)
  return { sqlTemplate, isSingle: displayType === 'number', tables, ...(source && { source }) }
}
