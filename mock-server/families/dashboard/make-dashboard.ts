import type { AnyOf } from '../../../fixtures/contract/index.ts'
import { item, type tileConfig, type tileSeries } from '../../../fixtures/contract/tile.ts'
import type { Dashboard, Filter, SelectItem, Tile, TileConfig } from '../../words/resources.ts'
import type { BodyOf } from '../family.ts'

/** The types of bodies, with the fields of all display types in each config and series. */
export type ConfigBody = AnyOf<typeof tileConfig, 'request'>
type SeriesBody = AnyOf<(typeof tileSeries)['items'], 'request'>
export type AnyTile = Omit<BodyOf<'dashboard.update'>['tiles'][number], 'config' | 'series'> & {
  readonly config?: ConfigBody
  readonly series?: readonly SeriesBody[]
}
export type AnyDashboard = Omit<BodyOf<'dashboard.create'>, 'tiles' | 'filters' | 'savedFilterValues'> & {
  readonly tiles: readonly AnyTile[]
  readonly filters?: readonly FilterBody[]
  readonly savedFilterValues?: Dashboard['savedFilterValues']
}
type FilterBody = Omit<Filter, 'id'> & { readonly id?: string }

/**
 * Makes a dashboard from an accepted body. With `before`, it replaces that dashboard: fields that the body omits keep their
 * values, and known ids of tiles and filters are kept. Otherwise all ids are new.
 */
export function makeDashboard(body: AnyDashboard, newId: () => string, before?: Dashboard): Dashboard {
  const id = before?.id ?? newId()
  const tileIds = before?.tiles.map(({ id }) => id) ?? []
  const filterIds = before?.filters.map(({ id }) => id) ?? []
  const language = chooseLanguage(body)
  const { containers = before?.containers } = body
  return {
    id,
    name: body.name,
    tiles: body.tiles.map(tile => completeTile(tile, tileIds, newId)),
    tags: body.tags ? [...new Set(body.tags)] : (before?.tags ?? []),
    filters: body.filters?.map(filter => completeFilter(filter, filterIds, newId)) ?? before?.filters ?? [],
    savedQuery: body.savedQuery === undefined ? (before?.savedQuery ?? null) : body.savedQuery,
    savedQueryLanguage: language === undefined ? (before?.savedQueryLanguage ?? null) : language,
    savedFilterValues: body.savedFilterValues ?? before?.savedFilterValues ?? [],
    ...(containers?.length && { containers }),
  }
}

/** A query without a language is in Lucene; if the query is null, so is its language. */
function chooseLanguage({ savedQuery, savedQueryLanguage }: AnyDashboard): AnyDashboard['savedQueryLanguage'] {
  if (savedQueryLanguage !== undefined) return savedQueryLanguage
  return savedQuery === null ? null : savedQuery ? 'lucene' : undefined
}

/** A filter that acts on no tile has no list of sources. */
const completeFilter = ({ id, ...filter }: FilterBody, known: readonly string[], newId: () => string): Filter => ({
  ...filter,
  ...(filter.isBroadcastEnabled === false && { appliesToSourceIds: undefined }),
  id: id !== undefined && known.includes(id) ? id : newId(),
})

/** A tile as it is stored and answered. An id is kept only where the dashboard already had it. */
function completeTile(body: AnyTile, known: readonly string[], newId: () => string): Tile {
  const { id, x, y, w, h, name, description, containerId, tabId } = body
  return {
    id: id !== undefined && known.includes(id) ? id : newId(),
    x,
    y,
    w,
    h,
    name,
    ...(description !== undefined && { description }),
    config: body.config ? completeConfig(body.config) : translateSeries(body.series ?? [], body.asRatio),
    ...(containerId !== undefined && { containerId }),
    ...(tabId !== undefined && { tabId }),
  }
}

/** Adds the defaults that are part of answers. */
function completeConfig(config: ConfigBody): TileConfig {
  const { displayType, select } = config
  const isTimeChart = /^(?:line|stacked_bar|stacked_line)$/.test(displayType)
  const fillNulls = config.fillNulls !== false
  if (config.configType === 'sql') return { ...config, ...(isTimeChart && { fillNulls }) } as TileConfig
  return {
    ...config,
    ...((isTimeChart || displayType === 'table') && { asRatio: config.asRatio === true }),
    ...(isTimeChart && { fillNulls }),
    ...withoutEmpty(config),
    ...(Array.isArray(select) && !isDistribution(config) && { select: select.map(completeItem) }),
    ...(displayType === 'markdown' && { markdown: config.markdown ?? '' }),
    ...((isDistribution(config) || typesWithWhere.has(displayType)) && {
      whereLanguage: config.whereLanguage ?? 'lucene',
    }),
  } as TileConfig
}

/** Omits empty lists of formulas and colour rules, and `showOperandSeries` if there are no formulas. */
const withoutEmpty = ({ formulas, colorRules }: ConfigBody) => ({
  ...(!formulas?.length && { formulas: undefined, showOperandSeries: undefined }),
  ...(Array.isArray(colorRules) && colorRules.length === 0 && { colorRules: undefined }),
})

const typesWithWhere: ReadonlySet<string> = new Set(['search', 'event_patterns'])

/** Without a language, alerts read the filter otherwise than charts and answers do: the record keeps that none was sent. */
const completeItem = (item: Partial<SelectItem>) => ({
  ...item,
  valueExpression: item.valueExpression ?? '',
  where: item.where ?? '',
})

/** Adds the language that answers show for the filters of a tile that were sent without one. */
export function showLanguages<T extends { readonly config: TileConfig }>(tile: T): T {
  const { select } = tile.config
  if (!Array.isArray(select) || isDistribution(tile.config)) return tile
  const items: readonly Partial<SelectItem>[] = select
  if (items.every(({ whereLanguage }) => whereLanguage)) return tile
  return { ...tile, config: { ...tile.config, select: items.map(item => ({ whereLanguage: 'lucene', ...item })) } }
}

const isDistribution = ({ displayType, heatmapMode }: ConfigBody | TileConfig) =>
  displayType === 'heatmap' && heatmapMode !== 'series'

/** Translates the former `series` into a config. */
function translateSeries(series: readonly SeriesBody[], asRatio = false): TileConfig {
  const first = series[0] as SeriesBody
  const { sourceId } = first
  const format = series.find(one => one.numberFormat)?.numberFormat
  const numberFormat = format && { numberFormat: format }
  const groupBy = first.groupBy?.length ? { groupBy: first.groupBy.join(',') } : {}
  const select = series.map(translateItem)
  const ratio = { asRatio: asRatio && series.length === 2 }
  switch (first.type) {
    case 'time':
      return {
        displayType: first.displayType ?? 'line',
        sourceId,
        ...ratio,
        fillNulls: true,
        ...groupBy,
        select,
        ...numberFormat,
      }
    case 'table':
      return { displayType: 'table', sourceId, ...ratio, ...groupBy, select, ...numberFormat }
    case 'number':
      return {
        displayType: 'number',
        sourceId,
        select: select.slice(0, 1),
        ...(first.numberFormat && { numberFormat: first.numberFormat }),
      }
    case 'search':
      return {
        displayType: 'search',
        sourceId,
        select: first.fields?.join(', ') ?? '',
        where: first.where ?? '',
        whereLanguage: first.whereLanguage ?? 'lucene',
      }
    case 'markdown':
      return { displayType: 'markdown', markdown: first.content ?? '' }
  }
}

/** Translates a series into a selected item, without a level that configs do not allow. */
const translateItem = (series: SeriesBody): SelectItem => ({
  valueExpression: series.field ?? '',
  ...(series.alias && { alias: series.alias }),
  ...(series.metricDataType && { metricType: series.metricDataType }),
  ...(series.metricName && { metricName: series.metricName }),
  aggFn: series.aggFn ?? 'none',
  where: series.where ?? '',
  whereLanguage: series.whereLanguage ?? 'lucene',
  ...(item.fields.level.values.some(level => Number(level) === series.level) && { level: series.level }),
})
