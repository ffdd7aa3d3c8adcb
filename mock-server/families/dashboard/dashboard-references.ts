import type { Dashboard, TileConfig } from '../../words/resources.ts'
import type { Stack } from '../stack/stack.ts'
import { variableNameOf } from './body-rules.ts'
import type { AnyDashboard, AnyTile, ConfigBody } from './make-dashboard.ts'

type Containers = NonNullable<AnyDashboard['containers']>

/** The first sentence against what a dashboard refers to, in the order in which deployments look. */
export function findBrokenReference(body: AnyDashboard, stack: Stack, before?: Dashboard): string | undefined {
  const configs = body.tiles.flatMap(({ config }) => config ?? [])
  const links = configs.flatMap(({ onClick }) => (onClick && onClick.type !== 'external' ? onClick : []))
  const linkedTo = (type: string) =>
    unique(links.flatMap(link => (link.type === type && link.target.mode === 'id' ? link.target.id : [])))
  const raw = configs.filter(config => config.configType === 'sql')

  const sources = unique([
    ...body.tiles.flatMap(tile => tile.series?.map(one => one.sourceId) ?? tile.config?.sourceId ?? []),
    ...linkedTo('search'),
    ...(body.filters?.map(filter => filter.sourceId) ?? []),
  ])
  const connections = unique(raw.map(config => config.connectionId))
  const strangers = raw.flatMap(({ sourceId, connectionId }) =>
    sourceId !== undefined && stack.sources.get(sourceId)?.connection !== connectionId ? sourceId : [],
  )
  /** Of the tiles of this kind that are new or changed, the sources of other kinds than these. */
  const unfit = (isOfKind: IsOfKind, ...kinds: readonly string[]) =>
    unique(changed(body.tiles, isOfKind, before).map(config => config.sourceId)).filter(
      id => !kinds.includes(stack.sources.get(id)?.kind ?? ''),
    )
  const unsearchable = linkedTo('search').filter(id => !['log', 'trace'].includes(stack.sources.get(id)?.kind ?? ''))

  const findings: [string, readonly string[]][] = [
    ['Could not find the following source IDs', sources.filter(id => !stack.sources.get(id))],
    ['Could not find the following connection IDs', connections.filter(id => !stack.connections.get(id))],
    ['The following source IDs do not match the specified connections', strangers],
    ['Heatmap tiles require a Trace source. The following source IDs are not Trace sources', unfit(isHeatmap, 'trace')],
    [
      'Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable',
      unfit(formulasOf, 'metric', 'log', 'trace'),
    ],
    [
      'Could not find the following onClick dashboard IDs',
      linkedTo('dashboard').filter(id => !stack.dashboards.get(id.toLowerCase())),
    ],
    ['The following onClick search source IDs are not log or trace sources', unsearchable],
  ]
  const filters = body.filters ?? before?.filters ?? []
  const places = findLostTiles(body.tiles, body.containers ?? before?.containers ?? [])
  if (places.length > 0) return places.join('; ')
  const broken = findings.find(([, ids]) => ids.length > 0)
  if (broken) return `${broken[0]}: ${broken[1].join(', ')}`
  return findBrokenFilter(body.filters ?? [], stack) ?? findLostValue(body.savedFilterValues ?? [], filters, stack)
}

type Filters = NonNullable<AnyDashboard['filters']>

const columnOf = ({ sourceId = '', expression }: Filters[number], { sources }: Stack) =>
  sources.get(sourceId)?.filterSettings?.columns.find(({ name }) => name === expression)

function findBrokenFilter(filters: Filters, stack: Stack): string | undefined {
  for (const filter of filters) {
    const { type, name, sourceId = '', expression } = filter
    if (type === 'PROMETHEUS_LABEL' && stack.sources.get(sourceId)?.kind !== 'promql')
      return `Filter "${name}" requires a PromQL source: ${sourceId}`
    if (type === 'SOURCE_FILTER' && !columnOf(filter, stack))
      return `Filter "${name}" names a column that the filterSettings of its source do not have: ${expression}`
  }
  return undefined
}

/** The sentence against a saved value of a variable that the dashboard does not have. */
function findLostValue(values: Dashboard['savedFilterValues'], filters: Filters, stack: Stack): string | undefined {
  for (const { type, name, all } of values) {
    if (type !== 'variable') continue
    const filter = filters.find(one => variableNameOf(one) === name)
    if (!filter) return `Saved filter value names no variable of the dashboard: ${name}`
    if (all && !(filter.type === 'SOURCE_FILTER' && columnOf(filter, stack)?.allowAll))
      return `Saved filter value selects all values, which filter "${filter.name}" does not offer`
  }
  return undefined
}

const unique = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter(id => id !== undefined))]

/** Undefined for a tile of another kind; else a text, whose change requires a new check. */
type IsOfKind = (config: ConfigBody | TileConfig) => string | undefined

const isHeatmap: IsOfKind = ({ displayType, heatmapMode }) =>
  displayType === 'heatmap' && heatmapMode !== 'series' ? displayType : undefined
const formulasOf: IsOfKind = ({ formulas }) =>
  Array.isArray(formulas) && formulas.length > 0 ? JSON.stringify(formulas) : undefined

/** The tiles of a kind that are new or changed; unchanged ones stay, even if the kind of their source has changed. */
const changed = (tiles: readonly AnyTile[], isOfKind: IsOfKind, before?: Dashboard) =>
  tiles.flatMap(({ id, config }) => {
    if (!config || isOfKind(config) === undefined) return []
    const old = before?.tiles.find(tile => tile.id === id)?.config
    return old && isOfKind(old) === isOfKind(config) && old.sourceId === config.sourceId ? [] : config
  })

function findLostTiles(tiles: readonly AnyTile[], containers: Containers): string[] {
  return tiles.flatMap(({ containerId, tabId }, at) => {
    const container = containers.find(({ id }) => id === containerId)
    if (containerId === undefined) {
      return tabId === undefined ? [] : [`tiles.${at}.tabId: tabId requires containerId to be set`]
    }
    if (!container) return [`tiles.${at}.containerId: Tile references unknown containerId "${containerId}"`]
    if (tabId === undefined || container.tabs?.some(({ id }) => id === tabId)) return []
    return [`tiles.${at}.tabId: Tile references unknown tabId "${tabId}" in container "${containerId}"`]
  })
}
