import type { Edition } from '../../../fixtures/contract/index.ts'
import { isSql, type SqlSeries, sqlSeriesOf, type Watched } from '../../telemetry/evaluate-sql.ts'
import type { Series } from '../../telemetry/evaluate-windows.ts'
import { aliasesOf } from '../../telemetry/query/expression.ts'
import { parseSqlList } from '../../telemetry/query/sql.ts'
import { filtersOf } from '../../telemetry/source-terms.ts'
import type { Alert, Dashboard, SavedSearch, SelectItem, Source, Tile, TileConfig } from '../../words/resources.ts'
import type { Stack } from '../stack/stack.ts'

/** What an alert watches. `series` is undefined for a tile of a kind that is never evaluated. */
export type WatchTarget =
  | { readonly kind: 'tile'; readonly dashboard: Dashboard; readonly tile: Tile; readonly series?: Watched }
  | { readonly kind: 'search'; readonly savedSearch: SavedSearch; readonly series: Series }
  | { readonly kind: 'chart'; readonly name: string; readonly series?: Watched }

/** What an alert watches, or a sentence about why there is nothing to compare. */
export function findWatchTarget(alert: Alert, stack: Stack, edition: Edition = '2.36'): WatchTarget | string {
  if (alert.source === 'tile') return findTile(alert, stack)
  return alert.source === 'saved_search' ? findSearch(alert, stack, edition) : findChart(alert, stack)
}

/** The display name and the tags that answers show: those of the alert, else those of what the alert watches. */
export function labelsOf(alert: Alert, { dashboards, savedSearches }: Stack) {
  const dashboard = dashboards.get(alert.dashboardId ?? '')
  const savedSearch = savedSearches.get(alert.savedSearchId ?? '')
  const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId)
  const ofTile = dashboard && tile && `${dashboard.name} - ${tile.name || 'Tile'}`
  const name = ofTile ?? savedSearch?.name ?? alert.chartConfig?.name ?? 'Alert'
  return {
    displayName: alert.displayName ?? name.slice(0, 512),
    tags: alert.tags ?? (dashboard ?? savedSearch)?.tags ?? [],
  }
}

function findTile(alert: Alert, stack: Stack): WatchTarget | string {
  const dashboard = stack.dashboards.get(alert.dashboardId ?? '')
  const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId)
  if (!dashboard || !tile) return 'The tile of this alert is gone'
  const series = readSeries(tile.config, stack)
  return typeof series === 'string' ? series : { kind: 'tile', dashboard, tile, series }
}

/** An inline alert watches its own chart. */
function findChart({ chartConfig, name }: Alert, stack: Stack): WatchTarget | string {
  if (!chartConfig) return 'The chart of this alert is gone'
  const series = readSeries(chartConfig as unknown as TileConfig, stack)
  if (typeof series === 'string') return series
  const { where = '', whereLanguage: language } = chartConfig
  return {
    kind: 'chart',
    name: chartConfig.name ?? name ?? '',
    series:
      series &&
      (isSql(series)
        ? series
        : {
            ...series,
            items: series.items.map(item => ({ whereLanguage: 'lucene', ...item })),
            filters: [{ text: where, language }],
          }),
  }
}

/** The kinds of tiles that are evaluated. Alerts on others are accepted, and rest. */
const evaluatedTypes: ReadonlySet<string> = new Set(['line', 'stacked_bar', 'stacked_line', 'number'])

function readSeries(config: TileConfig, stack: Stack): Watched | string | undefined {
  const { sourceId, displayType, select, groupBy, formulas, asRatio } = config
  if (!evaluatedTypes.has(displayType)) return undefined
  const source = stack.sources.get(sourceId ?? '')
  if (config.configType === 'sql') return sqlSeriesOf(config, stack.sources)
  const items = Array.isArray(select) ? (select as readonly SelectItem[]) : []
  if (!source || items.length === 0) return `A tile of the kind ${displayType} has no value to compare`
  const [item] = items
  if (items.length === 1 && item!.aggFn === 'none' && source.kind !== 'metric' && !item!.where && !config.where)
    return writeOwnAggregate(source, item!, groupBy?.trim())
  const formula = formulas?.at(-1)?.expression ?? (asRatio ? 'A / B' : undefined)
  return { source, items, groupBy, ...(formula !== undefined && { formula }) }
}

/** The user's own aggregate, such as `sum(Duration) / 2`, is a column of a SELECT. */
function writeOwnAggregate(source: Source, { valueExpression = '' }: SelectItem, groupBy = ''): SqlSeries {
  const time = source.timestampValueExpression ?? 'Timestamp'
  const columns = [valueExpression, ...(groupBy ? [groupBy] : []), `$__timeInterval_ms(${time})`].join(', ')
  const range = `${time} >= $__fromTime_ms AND ${time} < $__toTime_ms`
  const sqlTemplate = `SELECT ${columns} FROM $__sourceTable WHERE ${range} GROUP BY ALL`
  return { sqlTemplate, isSingle: false, isGrouped: groupBy !== '', source, tables: [source] }
}

/** How values are grouped: nobody knows it of raw SQL, but one that answers values by bucket may have groups. */
export function groupingOf(series: Watched | undefined) {
  if (!series) return { isGrouped: false, isSingle: false }
  return isSql(series)
    ? { isGrouped: series.isGrouped ?? !series.isSingle, isSingle: series.isSingle }
    : { isGrouped: Boolean(series.groupBy?.trim()), isSingle: false }
}

/** An alert on a saved search watches the number of rows that it finds. */
function findSearch({ savedSearchId = '', groupBy }: Alert, stack: Stack, edition: Edition): WatchTarget | string {
  const savedSearch = stack.savedSearches.get(savedSearchId)
  if (!savedSearch) return 'The saved search of this alert is gone'
  const source = stack.sources.get(savedSearch.sourceId)
  if (!source) return 'The source of the saved search is gone'
  const { where, whereLanguage } = savedSearch
  const series: Series = {
    source,
    items: [{ aggFn: 'count' }],
    groupBy,
    filters: [{ text: where, language: whereLanguage }, ...filtersOf(source, savedSearch.filters, edition)],
    aliases: aliasesOfSearch(savedSearch, source),
  }
  return { kind: 'search', savedSearch, series }
}

/** The columns that a saved search shows, as text. */
export const columnsOfSearch = ({ select }: SavedSearch, { defaultTableSelectExpression: text }: Source) =>
  select.trim() || (typeof text === 'string' ? text : '')

/** The names that the columns of a search give to expressions. Its condition may use them. */
export function aliasesOfSearch(savedSearch: SavedSearch, source: Source) {
  const text = columnsOfSearch(savedSearch, source)
  return / AS /i.test(text) ? aliasesOf(parseSqlList(text)) : undefined
}
