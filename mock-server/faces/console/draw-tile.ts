import type { Stack } from '../../families/observability/stack.ts'
import { compileExpression } from '../../telemetry/columns/compile-expression.ts'
import { compileFilter } from '../../telemetry/columns/filter.ts'
import { jsonValue } from '../../telemetry/columns/json-value.ts'
import { evaluateTile, type TileRow } from '../../telemetry/evaluate-tile.ts'
import { nameOf } from '../../telemetry/query/expression.ts'
import { bucketOf, bucketSize } from '../../telemetry/query/granularity.ts'
import { parseSqlList } from '../../telemetry/query/sql.ts'
import { dialectOf, storeOf } from '../../telemetry/rows-of-source.ts'
import type { SelectItem, Source, TileConfig } from '../../words/resources.ts'

/** What a tile shows, counted and ready to be drawn. */
export type Drawing =
  | {
      readonly as: 'line' | 'bars'
      /** Epoch seconds, the start of each bucket. */
      readonly times: readonly number[]
      readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
      readonly left: number
    }
  | { readonly as: 'number'; readonly value: number | null }
  | { readonly as: 'shares'; readonly shares: readonly { readonly name: string; readonly value: number }[] }
  | { readonly as: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly as: 'markdown'; readonly text: string }
  | { readonly as: 'nothing'; readonly why: string }

/** Epoch milliseconds; both ends count. */
export interface Range {
  readonly start: number
  readonly end: number
}

const mostSeries = 12
const mostRows = 100

/** Counts what a tile shows in a range of time, by the engine that answers chart queries. */
export function drawTile(stack: Stack, config: TileConfig, range: Range): Drawing {
  try {
    return draw(stack, config, range)
  } catch (error) {
    return { as: 'nothing', why: error instanceof Error ? error.message : String((error as { says?: string }).says) }
  }
}

function draw(stack: Stack, config: TileConfig, range: Range): Drawing {
  if (config.displayType === 'markdown') return { as: 'markdown', text: config.markdown ?? '' }
  if (config.configType === 'sql') return { as: 'nothing', why: 'Raw SQL is kept and answered, but not run.' }
  const source = stack.sources.get(config.sourceId ?? '')
  if (!source) return { as: 'nothing', why: `There is no source ${config.sourceId}.` }
  if (config.displayType === 'search') return search(stack, source, config, range)
  if (!Array.isArray(config.select))
    return { as: 'nothing', why: `Tiles of the kind ${config.displayType} are not drawn.` }
  const items = config.select as readonly SelectItem[]
  const count = (item: SelectItem, granularity?: 'auto') =>
    evaluateTile({ telemetry: stack.telemetry, source, item, groupBy: config.groupBy, ...range, granularity })
  switch (config.displayType) {
    case 'line':
    case 'stacked_bar':
      return drawTimes(config, items, range, item => count(item, 'auto'))
    case 'number': {
      const values = items.map(item => count(item)[0]?.value ?? null)
      return { as: 'number', value: values[0] ?? null }
    }
    case 'pie':
    case 'bar':
      return {
        as: 'shares',
        shares: count(items[0]!).map(row => ({ name: nameRow(row, items[0]!), value: row.value })),
      }
    case 'table':
      return drawTable(config, items, count)
    default:
      return { as: 'nothing', why: `Tiles of the kind ${config.displayType} are not drawn.` }
  }
}

const nameItem = ({ alias, aggFn, valueExpression, metricName, level }: SelectItem): string =>
  alias ||
  `${aggFn}${level === undefined ? '' : ` ${level}`}${metricName || valueExpression ? `(${metricName ?? valueExpression})` : ''}`

const nameRow = ({ group }: TileRow, item: SelectItem, alone = true): string =>
  group.length === 0 ? nameItem(item) : [...(alone ? [] : [nameItem(item)]), group.join(', ') || '(empty)'].join(' ')

function drawTimes(
  { displayType, fillNulls, asRatio }: TileConfig,
  items: readonly SelectItem[],
  { start, end }: Range,
  count: (item: SelectItem) => readonly TileRow[],
): Drawing {
  const bucket = bucketSize('auto', start, end)
  const first = bucketOf(start, bucket)
  const times = Array.from({ length: Math.floor((end - first) / bucket) + 1 }, (_, i) => first + i * bucket)
  const lines = new Map<string, { name: string; values: (number | null)[] }>()
  items.forEach((item, index) => {
    for (const row of count(item)) {
      const key = `${index}\0${row.group.join('\0')}`
      let line = lines.get(key)
      if (!line) {
        const values = new Array(times.length).fill(fillNulls === false ? null : 0)
        line = { name: nameRow(row, item, items.length === 1 || asRatio), values }
        lines.set(key, line)
      }
      line.values[(row.time - first) / bucket] = row.value
    }
  })
  const all = asRatio ? divide(lines) : [...lines.values()]
  const largest = all.length > mostSeries ? all.toSorted((a, b) => sum(b.values) - sum(a.values)) : all
  return {
    as: displayType === 'line' ? 'line' : 'bars',
    times: times.map(time => time / 1000),
    series: largest.slice(0, mostSeries),
    left: Math.max(0, all.length - mostSeries),
  }
}

/** For each group its first series by its second. */
function divide(lines: ReadonlyMap<string, { readonly name: string; readonly values: readonly (number | null)[] }>) {
  return [...lines].flatMap(([key, { name, values }]) => {
    const group = key.slice(2)
    const below = lines.get(`1\0${group}`)?.values
    if (!key.startsWith('0\0') || !below) return []
    return {
      name: group ? name : 'ratio',
      values: values.map((value, i) => (below[i] ? (value ?? 0) / below[i] : null)),
    }
  })
}

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

function drawTable(
  { groupBy }: TileConfig,
  items: readonly SelectItem[],
  count: (item: SelectItem) => readonly TileRow[],
): Drawing {
  const groups = groupBy?.trim() ? parseSqlList(groupBy).map(nameOf) : []
  const rows = new Map<string, unknown[]>()
  items.forEach((item, index) => {
    for (const { group, value } of count(item)) {
      const key = group.join('\0')
      const row = rows.get(key) ?? [...group, ...items.map(() => null)]
      row[groups.length + index] = value
      rows.set(key, row)
    }
  })
  const by = groups.length
  const ordered = [...rows.values()].sort((a, b) => Number(b[by] ?? 0) - Number(a[by] ?? 0))
  return { as: 'table', columns: [...groups, ...items.map(nameItem)], rows: ordered.slice(0, mostRows) }
}

/** The newest rows that a search finds. */
function search(stack: Stack, source: Source, config: TileConfig, { start, end }: Range): Drawing {
  const store = storeOf(stack.telemetry, source)
  const filter = compileFilter(
    store,
    { text: config.where ?? '', language: config.whereLanguage },
    dialectOf(source, { edition: '2.24', freeText: true, shortNames: true }),
  )
  const columns = typeof config.select === 'string' && config.select.trim() ? config.select : usualColumns(source)
  const shown = parseSqlList(columns)
  const values = shown.map(expression => compileExpression(store, expression))
  const found: number[] = []
  store.visit(start, end, row => {
    if (!filter || filter(row)) found.push(row)
  })
  const newest = found.sort((a, b) => store.times[b]! - store.times[a]!).slice(0, mostRows)
  const rows = newest.map(row => values.map(({ type, at }) => jsonValue(type, at(row))))
  return { as: 'table', columns: shown.map(nameOf), rows }
}

const usualColumns = (source: Source) =>
  typeof source.defaultTableSelectExpression === 'string' ? source.defaultTableSelectExpression : 'Timestamp'
