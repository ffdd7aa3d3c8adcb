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
import { planStack } from '../stack/stack-plan.ts'
import { dashboardRules } from './body-rules.ts'
import { findBrokenReference } from './dashboard-references.ts'
import { type AnyDashboard, makeDashboard } from './make-dashboard.ts'

/** A state or a scenario may omit all other fields. */
const withOnly = (needed: readonly string[], fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, needed.includes(name) ? field : { ...field, optional: true }]),
  )

const { tiles } = dashboard.fields
const tile = { ...tiles.items, fields: withOnly(['id', 'config'], tiles.items.fields) }

export const dashboards: Model<Dashboard, 'dashboard'> = {
  name: 'dashboard',
  within: 'stack',
  documents: true,
  // Fields that only requests have are translated before.
  record: recordSchema(
    withOnly(['id', 'name', 'tiles', 'tags', 'filters'], { ...dashboard.fields, tiles: { ...tiles, items: tile } }),
    {},
    undefined,
    'answer',
  ),
  seed: (stackId, from) => planStack(stackId, from).dashboards,
}

export const models = [dashboards]
/** A dry run answers with the findings instead of a refusal. */
export const judgesBodies: Family['judgesBodies'] = ['dashboard.validate']
export const bodies: Family['bodies'] = { dashboard: dashboardRules, dashboardReplacement: dashboardRules }

/** The style: how the language of an absent query is answered. */
const styleOf = ({ choice }: Request) => choice('dashboard/language-without-query')
const present = (dashboard: Dashboard, request: Request) =>
  styleOf(request) === 'absent' && dashboard.savedQueryLanguage === null
    ? { ...dashboard, savedQueryLanguage: undefined }
    : dashboard
const { find, get, list, create, replace, remove } = serveDocuments(dashboards, 'Dashboard', present, styleOf)

function refuseBrokenReference(body: AnyDashboard, { stack }: Request, before?: Dashboard) {
  const broken = findBrokenReference(body, stack, before)
  if (broken !== undefined) throw refused(broken)
}

function removeAlerts({ stack }: Request, dashboardId: string, isLost: (tileId: string) => boolean) {
  for (const alert of stack.alerts.list()) {
    if (alert.dashboardId === dashboardId && isLost(alert.tileId ?? '')) stack.alerts.remove(alert.id)
  }
}

const bodyOf = presenterOf(dashboardReplacement, 'request')

/** The dashboard as answered, which a PATCH changes. */
function unsentOfDashboard(request: Request): object {
  const written = JSON.parse(JSON.stringify(present(find(request), request)))
  return JSON.parse(JSON.stringify(bodyOf(written, request.edition)))
}
export const unsent: Family['unsent'] = { 'dashboard.update': unsentOfDashboard }

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
    answerValidation(request, request.form === 'managed' ? 'object' : 'bare', body => {
      const message = findBrokenReference(body as BodyOf<'dashboard.create'>, request.stack)
      return message === undefined ? undefined : { path: '', message }
    }),
}

export const faults = {
  'dashboard/unsent-stays': wrongFieldAfterUpdate('dashboard', 'tags', ['reset']),
} as const satisfies Faults

const typesWithAlerts: ReadonlySet<string> = new Set(['line', 'stacked_bar', 'stacked_line', 'number'])

/**
 * Whether the alerts of a tile are kept when its dashboard is updated. Edition 2.24 checks the display type of tiles with raw
 * SQL only. When an alert is created, both editions check only those.
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
