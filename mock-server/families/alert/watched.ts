import type { Formula } from '../../telemetry/evaluate-tile.ts'
import type { Where } from '../../telemetry/query/plan.ts'
import type { Alert, Dashboard, SelectItem, Source, Tile, TileConfig } from '../../words/resources.ts'
import { filtersOf, type SavedSearch } from '../saved-search/index.ts'
import type { Stack } from '../stack/stack.ts'

/** What an alert computes over each window. */
export interface Series {
  readonly source: Source
  readonly item: Pick<SelectItem, 'aggFn'> & Partial<SelectItem>
  /** Watched instead of the item. */
  readonly formula?: Formula
  readonly groupBy?: string
  /** Filters in addition to that of the item. */
  readonly filters?: readonly Where[]
}

/** What an alert watches. */
export type WatchTarget =
  | { readonly kind: 'tile'; readonly dashboard: Dashboard; readonly tile: Tile; readonly series: Series }
  | { readonly kind: 'search'; readonly savedSearch: SavedSearch; readonly series: Series }
  | { readonly kind: 'chart'; readonly name: string; readonly series: Series }

/** What an alert watches, or a sentence about why there is nothing to compare. */
export function findWatchTarget(alert: Alert, stack: Stack): WatchTarget | string {
  if (alert.source === 'tile') return findTile(alert, stack)
  return alert.source === 'saved_search' ? findSearch(alert, stack) : findChart(alert, stack)
}

/** The display name and the tags that answers show: those of the alert, else those of what the alert watches. */
export function labelsOf(alert: Alert, { dashboards, savedSearches }: Stack) {
  const dashboard = dashboards.get(alert.dashboardId ?? '')
  const savedSearch = savedSearches.get(alert.savedSearchId ?? '')
  const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId)
  return {
    displayName: alert.displayName ?? tile?.name ?? savedSearch?.name ?? alert.chartConfig?.name ?? alert.name ?? '',
    tags: alert.tags ?? (dashboard ?? savedSearch)?.tags ?? [],
  }
}

/** An alert on a tile watches its last series. */
function findTile(alert: Alert, stack: Stack): WatchTarget | string {
  const dashboard = stack.dashboards.get(alert.dashboardId ?? '')
  const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId)
  if (!dashboard || !tile) return 'The tile of this alert is gone'
  const series = readSeries(tile.config, stack)
  return typeof series === 'string' ? series : { kind: 'tile', dashboard, tile, series }
}

/** An inline alert watches the last series of its own chart. */
function findChart({ chartConfig, name }: Alert, stack: Stack): WatchTarget | string {
  if (!chartConfig) return 'The chart of this alert is gone'
  const series = readSeries(chartConfig as unknown as TileConfig, stack)
  if (typeof series === 'string') return series
  const { where = '', whereLanguage: language } = chartConfig
  return {
    kind: 'chart',
    name: chartConfig.name ?? name ?? '',
    series: { ...series, filters: [{ text: where, language }] },
  }
}

/** Deployments compare the last value of a row; of a formula or a ratio they compare the result alone. */
function readSeries(config: TileConfig, stack: Stack): Series | string {
  const { sourceId, displayType, select, groupBy, formulas, asRatio } = config
  const source = stack.sources.get(sourceId ?? '')
  const items = Array.isArray(select) ? (select as readonly SelectItem[]) : []
  const item = items.at(-1)
  if (!source || !item) return `A tile of the kind ${displayType} has no value to compare`
  const expression = formulas?.at(-1)?.expression ?? (asRatio ? 'A / B' : undefined)
  return { source, item, groupBy, ...(expression !== undefined && { formula: { expression, items } }) }
}

/** An alert on a saved search watches the number of rows that it finds. */
function findSearch({ savedSearchId = '', groupBy }: Alert, stack: Stack): WatchTarget | string {
  const savedSearch = stack.savedSearches.get(savedSearchId)
  if (!savedSearch) return 'The saved search of this alert is gone'
  const source = stack.sources.get(savedSearch.sourceId)
  if (!source) return 'The source of the saved search is gone'
  const { where, whereLanguage } = savedSearch
  const series = {
    source,
    item: { aggFn: 'count', where, whereLanguage } as const,
    groupBy,
    filters: filtersOf(source, savedSearch.filters),
  }
  return { kind: 'search', savedSearch, series }
}
