import { item } from '../../../fixtures/contract/tile.ts'
import type { SelectItem, Tile, TileConfig } from '../../words/resources.ts'
import type { AnyTile, ConfigBody, SeriesBody } from './make-dashboard.ts'

/** A tile as it is stored and answered. An id is kept only where the dashboard already had it. */
export function completeTile(body: AnyTile, known: readonly string[], newId: () => string): Tile {
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

/** What a config leaves out and the answer states. */
function completeConfig(config: ConfigBody): TileConfig {
  const { displayType, select } = config
  const isTime = /^(?:line|stacked_bar|stacked_line)$/.test(displayType)
  const isDistribution = displayType === 'heatmap' && config.heatmapMode !== 'series'
  const fillNulls = config.fillNulls !== false
  if (config.configType === 'sql') return { ...config, ...(isTime && { fillNulls }) } as TileConfig
  return {
    ...config,
    ...((isTime || displayType === 'table') && { asRatio: config.asRatio === true }),
    ...(isTime && { fillNulls }),
    ...withoutEmpty(config),
    ...(Array.isArray(select) && !isDistribution && { select: select.map(completeItem) }),
    ...(displayType === 'markdown' && { markdown: config.markdown ?? '' }),
    ...((isDistribution || filtered.has(displayType)) && { whereLanguage: config.whereLanguage ?? 'lucene' }),
  } as TileConfig
}

/** Left out of answers: empty lists of formulas and of rules for colours, and what only matters beside formulas. */
const withoutEmpty = ({ formulas, colorRules }: ConfigBody) => ({
  ...(!formulas?.length && { formulas: undefined, showOperandSeries: undefined }),
  ...(Array.isArray(colorRules) && colorRules.length === 0 && { colorRules: undefined }),
})

const filtered: ReadonlySet<string> = new Set(['search', 'event_patterns'])

const completeItem = (item: Partial<SelectItem>) => ({
  ...item,
  valueExpression: item.valueExpression ?? '',
  where: item.where ?? '',
  whereLanguage: item.whereLanguage ?? 'lucene',
})

/** The former `series` are answered as the config that shows the same. */
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

/** A level that a config does not know is not answered. */
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
