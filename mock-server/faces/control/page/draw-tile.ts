import type { QueriedStack } from '../../../families/family.ts'
import type { MockWorld } from '../../../mock/mock-world.ts'
import { runSql, sqlSeriesOf } from '../../../telemetry/evaluate-sql.ts'
import { applyFormula, evaluateTile, type TileRow } from '../../../telemetry/evaluate-tile.ts'
import { type Expression, nameOf } from '../../../telemetry/query/expression.ts'
import { bucketOf, bucketSize } from '../../../telemetry/query/granularity.ts'
import { InvalidQuery } from '../../../telemetry/query/invalid-query.ts'
import { planFilters, type Range, type RowsPlan, type Where } from '../../../telemetry/query/plan.ts'
import { parseSqlList } from '../../../telemetry/query/sql.ts'
import { dialectOf } from '../../../telemetry/source-terms.ts'
import { type MaybePromise, when, whenAll } from '../../../words/maybe-promise.ts'
import { Refusal } from '../../../words/refusal.ts'
import type { SelectItem, Source, TileConfig } from '../../../words/resources.ts'
import type { Drawing, NumberFormat, TileContent } from './answers.ts'

const maxSeries = 12
const maxRows = 100

export const queryStack = (world: MockWorld, id: string): QueriedStack => ({
  stack: world.deployment().stackOf(id),
  choices: world.queryChoices(id),
})

/** Computes the content of a tile in a range, with the engine that answers chart queries. */
export function drawTile(queried: QueriedStack, config: TileConfig, range: Range): MaybePromise<Drawing> {
  try {
    const drawing = draw(queried, config, range)
    return drawing instanceof Promise ? drawing.catch(explain) : drawing
  } catch (error) {
    return explain(error)
  }
}

function explain(error: unknown): Drawing {
  const hasSentence = error instanceof InvalidQuery || error instanceof Refusal
  return { as: 'nothing', why: hasSentence ? error.sentence : (error as Error).message }
}

function draw({ stack, choices }: QueriedStack, config: TileConfig, range: Range): MaybePromise<Drawing> {
  if (config.displayType === 'markdown') return { as: 'markdown', text: config.markdown ?? '' }
  if (config.configType === 'sql') return drawSql(stack, config, range)
  const source = stack.sources.get(config.sourceId ?? '')
  if (!source) return { as: 'nothing', why: `There is no source ${config.sourceId}.` }
  if (config.displayType === 'search') return drawSearch({ stack, choices }, source, config, range)
  const drawCounts = drawings[config.displayType]
  if (!Array.isArray(config.select) || !drawCounts)
    return { as: 'nothing', why: `Tiles of the kind ${config.displayType} are not drawn.` }
  const items = config.select as readonly SelectItem[]
  const isOverTime = drawCounts === drawTimes
  const granularity = isOverTime ? bucketSize('auto', range.start, range.end) : undefined
  // The query begins with a complete bucket. Its granularity is that of the requested range, not of this longer one.
  const start = granularity ? bucketOf(range.start, granularity) : range.start
  const { groupBy } = config
  const query = { telemetry: stack.telemetry, source, groupBy, start, end: range.end, granularity, choices }
  const counts = items.map(item => evaluateTile({ ...query, item }))
  const format = formatOf(config, items, source)
  return whenAll(counts, counts => {
    const { columns, rows } = withFormulas(config, items, counts)
    return { ...drawCounts(config, columns, rows, range), ...(format && { format }) }
  })
}

/** Adds the formulas to the series, or replaces the series by them. */
function withFormulas({ displayType, formulas = [], showOperandSeries }: TileConfig, items: Columns, counts: Counts) {
  const areHidden = formulas.length > 0 && (displayType === 'number' || showOperandSeries === false)
  return {
    columns: [
      ...(areHidden ? [] : items),
      ...formulas.map(({ expression, alias }) => ({ alias: alias || expression })),
    ],
    rows: [...(areHidden ? [] : counts), ...formulas.map(({ expression }) => applyFormula(expression, counts))],
  }
}

/** The format of the tile or of its series; without one, a format of durations if all series are durations of spans. */
function formatOf(config: TileConfig, items: readonly SelectItem[], source: Source): NumberFormat | undefined {
  const own = config.numberFormat ?? items.find(({ numberFormat }) => numberFormat)?.numberFormat
  if (own) return own as NumberFormat
  const { durationExpression, durationPrecision } = source
  const isDuration = ({ aggFn, valueExpression }: SelectItem) =>
    !/^count/.test(aggFn) && valueExpression !== '' && valueExpression === durationExpression
  return items.length > 0 && items.every(isDuration)
    ? { output: 'duration', factor: 10 ** -Number(durationPrecision ?? 9) }
    : undefined
}

function drawSql(stack: QueriedStack['stack'], config: TileConfig, { start, end }: Range): MaybePromise<Drawing> {
  const { displayType } = config
  if (displayType !== 'table' && displayType !== 'number') {
    return { as: 'nothing', why: `Raw SQL is drawn as a table or a number, not as ${displayType}.` }
  }
  const answer = runSql(stack.telemetry, sqlSeriesOf(config, stack.sources), {
    start,
    end,
    bucket: bucketSize('auto', start, end),
  })
  return when(answer, ({ columns, rows }): Drawing => {
    if (displayType === 'number') return { as: 'number', value: rows[0] ? Number(rows[0].at(-1)) : null }
    return { as: 'table', columns: columns.map(({ name }) => name), rows: rows.slice(0, maxRows) }
  })
}

/** The series and formulas of a tile. */
type Columns = readonly Partial<SelectItem>[]
type Counts = readonly (readonly TileRow[])[]
type DrawCounts = (config: TileConfig, items: Columns, counts: Counts, range: Range) => TileContent

const drawShares: DrawCounts = (_, [item], [rows]) => ({
  as: 'shares',
  shares: rows!.map(row => ({ name: nameRow(row, item!), value: row.value })),
})

const drawings: Readonly<Partial<Record<TileConfig['displayType'], DrawCounts>>> = {
  line: drawTimes,
  stacked_bar: drawTimes,
  stacked_line: drawTimes,
  number: (_config, _items, [rows]) => ({ as: 'number', value: orNull(rows?.[0]?.value) }),
  pie: drawShares,
  bar: drawShares,
  table: drawTable,
}

/** A formula has no value after a division by zero. */
const orNull = (value = Number.NaN) => (Number.isNaN(value) ? null : value)

const nameItem = ({ alias, aggFn, valueExpression, metricName, level }: Partial<SelectItem>): string =>
  alias ||
  `${aggFn}${level === undefined ? '' : ` ${level}`}${metricName || valueExpression ? `(${metricName ?? valueExpression})` : ''}`

const nameRow = ({ group }: TileRow, item: Partial<SelectItem>, isAlone = true): string =>
  group.length === 0 ? nameItem(item) : [...(isAlone ? [] : [nameItem(item)]), group.join(', ') || '(empty)'].join(' ')

function drawTimes(
  { displayType, fillNulls, asRatio }: TileConfig,
  items: Columns,
  counts: Counts,
  { start, end }: Range,
): TileContent {
  const bucket = bucketSize('auto', start, end)
  const first = bucketOf(start, bucket)
  const times = Array.from({ length: Math.floor((end - first) / bucket) + 1 }, (_, i) => first + i * bucket)
  const lines = new Map<string, { name: string; values: (number | null)[] }>()
  items.forEach((item, index) => {
    for (const row of counts[index]!) {
      const key = `${index}\0${row.group.join('\0')}`
      let line = lines.get(key)
      if (!line) {
        const values = new Array(times.length).fill(fillNulls === false ? null : 0)
        line = { name: nameRow(row, item, items.length === 1 || asRatio), values }
        lines.set(key, line)
      }
      line.values[(row.time - first) / bucket] = orNull(row.value)
    }
  })
  const all = asRatio ? divide(lines) : [...lines.values()]
  // Groups are sorted by name; series keep their order.
  if (items.length === 1) all.sort((a, b) => (a.name < b.name ? -1 : 1))
  const largest = all.length > maxSeries ? all.toSorted((a, b) => sum(b.values) - sum(a.values)) : all
  return {
    as: displayType === 'line' ? 'line' : 'bars',
    times: times.map(time => time / 1000),
    series: largest.slice(0, maxSeries),
    areGroups: items.length === 1 && counts[0]!.some(({ group }) => group.length > 0),
    left: Math.max(0, all.length - maxSeries),
  }
}

/** Divides the first series of each group by the second. */
function divide(lines: ReadonlyMap<string, { readonly name: string; readonly values: readonly (number | null)[] }>) {
  return [...lines].flatMap(([key, { name, values }]) => {
    const group = key.slice(2)
    const divisors = lines.get(`1\0${group}`)?.values
    if (!key.startsWith('0\0') || !divisors) return []
    return {
      name: group ? name : 'ratio',
      values: values.map((value, i) => (divisors[i] ? (value ?? 0) / divisors[i] : null)),
    }
  })
}

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

function drawTable({ groupBy }: TileConfig, items: Columns, counts: Counts): TileContent {
  const groups = groupBy?.trim() ? parseSqlList(groupBy).map(nameOf) : []
  const rows = new Map<string, unknown[]>()
  counts.forEach((counted, index) => {
    for (const { group, value } of counted) {
      const key = group.join('\0')
      const row = rows.get(key) ?? [...group, ...items.map(() => null)]
      row[groups.length + index] = orNull(value)
      rows.set(key, row)
    }
  })
  const firstValue = groups.length
  const ordered = [...rows.values()].sort((a, b) => Number(b[firstValue] ?? 0) - Number(a[firstValue] ?? 0))
  return { as: 'table', columns: [...groups, ...items.map(nameItem)], rows: ordered.slice(0, maxRows) }
}

function drawSearch(queried: QueriedStack, source: Source, config: TileConfig, range: Range): MaybePromise<Drawing> {
  const wheres = [{ text: config.where ?? '', language: config.whereLanguage }]
  const text = typeof config.select === 'string' && config.select.trim() ? config.select : defaultColumns(source)
  const columns = parseSqlList(text)
  const rows = searchNewest(queried, source, wheres, columns, { ...range, limit: maxRows, offset: 0 })
  return when(rows, rows => ({ as: 'table', columns: columns.map(nameOf), rows }))
}

/** A page of the newest matching rows. */
export function searchNewest(
  { stack, choices }: QueriedStack,
  source: Source,
  wheres: readonly Where[],
  columns: readonly Expression[],
  page: Pick<RowsPlan, 'start' | 'end' | 'limit' | 'offset'>,
) {
  const filters = planFilters(wheres, dialectOf(source, choices))
  return stack.telemetry.search(source, { ...page, filters, columns, orderBy: [] })
}

const defaultColumns = (source: Source) =>
  typeof source.defaultTableSelectExpression === 'string' ? source.defaultTableSelectExpression : 'Timestamp'
