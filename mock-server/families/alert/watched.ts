import type { Where } from '../../telemetry/query/plan.ts'
import type { Alert, Dashboard, SelectItem, Source, Tile } from '../../words/resources.ts'
import type { Stack } from '../observability/stack.ts'
import { filtersOf } from '../saved-search/filters.ts'
import type { SavedSearch } from '../saved-search/model.ts'

/** What an alert computes over each window. */
export interface Series {
  readonly source: Source
  readonly item: Pick<SelectItem, 'aggFn'> & Partial<SelectItem>
  readonly groupBy?: string
  /** Beside the filter of the item; all hold. */
  readonly filters?: readonly Where[]
}

/** What an alert watches. */
export type Watched =
  | { readonly kind: 'tile'; readonly dashboard: Dashboard; readonly tile: Tile; readonly series: Series }
  | { readonly kind: 'search'; readonly savedSearch: SavedSearch; readonly series: Series }

/** What an alert watches, or a sentence about why there is nothing to compare. */
export const findWatched = (alert: Alert, stack: Stack): Watched | string =>
  alert.source === 'tile' ? findTile(alert, stack) : findSearch(alert, stack)

/** The first series of the tile. */
function findTile(alert: Alert, stack: Stack): Watched | string {
  const dashboard = stack.dashboards.get(alert.dashboardId ?? '')
  const tile = dashboard?.tiles.find(({ id }) => id === alert.tileId)
  if (!dashboard || !tile) return 'The tile of this alert is gone'
  const { sourceId, displayType, select, groupBy } = tile.config
  const source = stack.sources.get(sourceId ?? '')
  const [item] = Array.isArray(select) ? (select as readonly SelectItem[]) : []
  if (!source || !item) return `A tile of the kind ${displayType} has no value to compare`
  return { kind: 'tile', dashboard, tile, series: { source, item, groupBy } }
}

/** The number of rows that the search finds. */
function findSearch({ savedSearchId = '', groupBy }: Alert, stack: Stack): Watched | string {
  const savedSearch = stack.savedSearches.get(savedSearchId)
  if (!savedSearch) return 'The saved search of this alert is gone'
  const source = stack.sources.get(savedSearch.sourceId)
  if (!source) return 'The source of the saved search is gone'
  const { where, whereLanguage } = savedSearch
  const series = {
    source,
    item: { aggFn: 'count', where, whereLanguage },
    groupBy,
    filters: filtersOf(source, savedSearch.filters),
  }
  return { kind: 'search', savedSearch, series }
}
