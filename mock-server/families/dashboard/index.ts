import { dashboard, dashboardReplacement } from '../../../fixtures/contract/dashboard.ts'
import type { Edition, Fields } from '../../../fixtures/contract/index.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused, unknownId } from '../../words/refusal.ts'
import type { Dashboard, Tile, TileConfig } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { answerValidation, serveDocuments } from '../stack/documents.ts'
import type { Stack } from '../stack/stack.ts'
import { planStack } from '../stack/stack-plan.ts'
import { dashboardRules, variableNameOf } from './body-rules.ts'
import { type AnyDashboard, type AnyTile, type ConfigBody, makeDashboard, showLanguages } from './make-dashboard.ts'

/** Makes all fields optional except the needed ones: a state or a scenario may omit the others. */
const requireOnly = (needed: readonly string[], fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, needed.includes(name) ? field : { ...field, optional: true }]),
  )

/** Makes the language of filters optional at any depth: the record keeps that none was sent. */
function withOptionalLanguage<T>(part: T): T {
  if (Array.isArray(part) || typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([name, inner]) => [
    name,
    name === 'whereLanguage' ? { ...inner, optional: true } : withOptionalLanguage(inner),
  ])
  return Object.fromEntries(entries)
}

const { tiles } = dashboard.fields
const tile = withOptionalLanguage({ ...tiles.items, fields: requireOnly(['id', 'config'], tiles.items.fields) })

export const dashboards: Model<Dashboard, 'dashboard'> = {
  name: 'dashboard',
  within: 'stack',
  isNumerous: true,
  items: { tileId: 'tiles' },
  // Fields that only requests have are translated before a record is written.
  record: recordSchema(
    requireOnly(['id', 'name', 'tiles', 'tags', 'filters'], { ...dashboard.fields, tiles: { ...tiles, items: tile } }),
    {},
    undefined,
    'answer',
  ),
  seed(stackId, from) {
    const planned = planStack(stackId, from).dashboards
    // A dashboard of somebody's own has no tiles of the shop.
    return from.isSample ? planned.map(one => ({ ...one, tiles: [], tags: [], filters: [] })) : planned
  },
}

export const models = [dashboards]
/** A dry run answers with the findings instead of a refusal. */
export const judgesBodies: Family['judgesBodies'] = ['dashboard.validate']
export const bodies: Family['bodies'] = { dashboard: dashboardRules, dashboardReplacement: dashboardRules }

/** How a dashboard without a saved query answers its language: absent or null. The answers under each choice are cached separately. */
const styleOf = ({ choice }: Request) => choice('dashboard/language-without-query')
const present = (dashboard: Dashboard, request: Request) => ({
  ...dashboard,
  ...(styleOf(request) === 'absent' && dashboard.savedQueryLanguage === null && { savedQueryLanguage: undefined }),
  tiles: dashboard.tiles.map(showLanguages),
})
const { find, get, list, create, replace, remove } = serveDocuments(dashboards, 'Dashboard', present, styleOf)

function refuseBrokenReference(body: AnyDashboard, { stack }: Request, before?: Dashboard) {
  const broken = findBrokenReference(body, stack, before)
  if (broken !== undefined) throw refused(broken)
}

function removeAlerts({ stack }: Request, dashboardId: string, isAffected: (tileId: string) => boolean) {
  for (const alert of stack.alerts.list()) {
    if (alert.dashboardId === dashboardId && isAffected(alert.tileId ?? '')) stack.alerts.remove(alert.id)
  }
}

const bodyOf = presenterOf(dashboardReplacement, 'request')

export const unsent: Family['unsent'] = {
  /** A PATCH keeps the fields that it omits, as they are answered. JSON drops undefined ones, which would count as sent. */
  'dashboard.update': request => JSON.parse(JSON.stringify(bodyOf(present(find(request), request), request.edition))),
}

export const handlers: HandlersOf<'dashboard'> = {
  'dashboard.list': list,
  'dashboard.create': request => {
    refuseBrokenReference(request.body, request)
    return create(request, makeDashboard(request.body, request.world.newObjectId))
  },
  'dashboard.get': get,
  'dashboard.update': request => {
    const { body, stack, edition } = request
    const before = stack.dashboards.get(request.ids.id!)
    // The older edition checks the references before the id.
    if (edition === '2.24') refuseBrokenReference(body, request, before)
    if (!before) throw unknownId('Dashboard')
    if (edition === '2.36') refuseBrokenReference(body, request, before)
    const dashboard = makeDashboard(body, request.world.newObjectId, before)
    const watched = new Set(dashboard.tiles.filter(tile => canKeepAlerts(tile, edition)).map(tile => tile.id))
    removeAlerts(request, before.id, tileId => !watched.has(tileId))
    return replace(request, dashboard)
  },
  'dashboard.delete': request => {
    const dashboard = find(request)
    removeAlerts(request, dashboard.id, () => true)
    return remove(request, dashboard)
  },
  'dashboard.validate': request =>
    answerValidation(request, request.form === 'managed' ? 'object' : 'bare', '', body =>
      findBrokenReference(body as BodyOf<'dashboard.create'>, request.stack),
    ),
}

export const faults = {
  'dashboard/unsent-stays': wrongFieldAfterUpdate('dashboard', 'tags', ['reset']),
} as const satisfies Faults

const typesWithAlerts: ReadonlySet<string> = new Set(['line', 'stacked_bar', 'stacked_line', 'number'])

/**
 * Whether the alerts of a tile are kept when its dashboard is updated. Edition 2.24 checks the display type for tiles with
 * raw SQL alone. When an alert is created, both editions check it for those tiles alone.
 */
const canKeepAlerts = ({ config }: Tile, edition: Edition) =>
  typesWithAlerts.has(config.displayType) || (edition === '2.24' && config.configType !== 'sql')

const intervalInSql = /\$__(timeInterval(_ms)?|interval_s)\b|\{\s*interval(Seconds|Milliseconds)\s*:/

/** Refuses an alert on raw SQL that cannot be evaluated for each window of the alert. */
export function refuseSqlWithoutAlerts(config: TileConfig) {
  if (config.configType !== 'sql') return
  if (!typesWithAlerts.has(config.displayType)) {
    throw refused('Alerts on Raw SQL tiles are only supported for Line, Stacked Bar, or Number display types')
  }
  if (config.displayType !== 'number' && !intervalInSql.test(config.sqlTemplate ?? '')) {
    throw refused('Raw SQL alert query is invalid: SQL used for alerts must include an interval parameter or macro.')
  }
}

type Containers = NonNullable<AnyDashboard['containers']>

/** The sentence about the first broken reference of a dashboard, in the order in which deployments check. */
function findBrokenReference(body: AnyDashboard, stack: Stack, before?: Dashboard): string | undefined {
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
  const mismatched = raw.flatMap(({ sourceId, connectionId }) =>
    sourceId !== undefined && stack.sources.get(sourceId)?.connection !== connectionId ? sourceId : [],
  )
  /** The sources that a new or changed tile with the trait reads, although their kind is none of `sourceKinds`. */
  const unfit = (traitOf: TraitOf, ...sourceKinds: readonly string[]) =>
    unique(listChanged(body.tiles, traitOf, before).map(config => config.sourceId)).filter(
      id => !sourceKinds.includes(stack.sources.get(id)?.kind ?? ''),
    )
  const unsearchable = linkedTo('search').filter(id => !['log', 'trace'].includes(stack.sources.get(id)?.kind ?? ''))

  const findings: [string, readonly string[]][] = [
    ['Could not find the following source IDs', sources.filter(id => !stack.sources.get(id))],
    ['Could not find the following connection IDs', connections.filter(id => !stack.connections.get(id))],
    ['The following source IDs do not match the specified connections', mismatched],
    ['Heatmap tiles require a Trace source. The following source IDs are not Trace sources', unfit(heatmapOf, 'trace')],
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

/** The sentence about a saved value that no variable of the dashboard can have. */
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

/** The text of a trait that restricts the source of a tile, such as its formulas; undefined for a tile without the trait. */
type TraitOf = (config: ConfigBody | TileConfig) => string | undefined

const heatmapOf: TraitOf = ({ displayType, heatmapMode }) =>
  displayType === 'heatmap' && heatmapMode !== 'series' ? displayType : undefined
const formulasOf: TraitOf = ({ formulas }) =>
  Array.isArray(formulas) && formulas.length > 0 ? JSON.stringify(formulas) : undefined

/** The configs of tiles whose trait or source is new or changed; other tiles stay valid, even if the kind of their source has changed. */
const listChanged = (tiles: readonly AnyTile[], traitOf: TraitOf, before?: Dashboard) =>
  tiles.flatMap(({ id, config }) => {
    if (!config || traitOf(config) === undefined) return []
    const old = before?.tiles.find(tile => tile.id === id)?.config
    return old && traitOf(old) === traitOf(config) && old.sourceId === config.sourceId ? [] : config
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
