import { dashboardReplacement } from '../../../fixtures/contract/dashboard.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused, unknownId } from '../../words/refusal.ts'
import type { Dashboard } from '../../words/resources.ts'
import type { BodyOf, HandlersOf, Request } from '../family.ts'
import { findRecord } from '../stack/find-record.ts'
import { arrange } from '../stack/order-of-list.ts'
import { createWriter } from '../stack/serialise.ts'
import { findBrokenReference } from './dashboard-references.ts'
import { type AnyDashboard, changeDashboard, makeDashboard } from './make-dashboard.ts'
import { keepsAlerts } from './tile-alerts.ts'

/** The style is what the language of no query is. */
const write = createWriter<Dashboard, string>(
  (dashboard, style) =>
    style === 'absent' && dashboard.savedQueryLanguage === null
      ? { ...dashboard, savedQueryLanguage: undefined }
      : dashboard,
  arrange,
)
const styleOf = ({ choice }: Request) => choice('dashboard/language-without-query')

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

/** A dashboard as the API writes it, as a PATCH finds it. */
export function unsentOfDashboard(request: Request): object {
  const before = request.stack.dashboards.get(request.ids.id!)
  if (!before) throw unknownId('Dashboard')
  return JSON.parse(JSON.stringify(bodyOf(JSON.parse(write.one(before, styleOf(request))), request.edition)))
}

export const handlers: HandlersOf<'dashboard'> = {
  'dashboard.list': request => {
    const json = write.all(request.stack.dashboards, styleOf(request), request.choice('dashboard/order-of-list'))
    return { kind: 'list', json }
  },
  'dashboard.create': request => {
    const { body } = request
    refuseBrokenReference(body, request)
    const dashboard = makeDashboard(body, request.world.newObjectId)
    request.stack.dashboards.create(dashboard)
    return write.answer(dashboard, styleOf(request))
  },
  'dashboard.get': request =>
    write.answer(findRecord(request, request.stack.dashboards, 'Dashboard'), styleOf(request)),
  'dashboard.update': request => {
    const { body, stack, edition } = request
    const before = stack.dashboards.get(request.ids.id!)
    // The older edition looks at the references first, so they win over an unknown id.
    if (edition === '2.24') refuseBrokenReference(body, request, before)
    if (!before) throw unknownId('Dashboard')
    if (edition === '2.36') refuseBrokenReference(body, request, before)
    const dashboard = changeDashboard(before, body, request.world.newObjectId)
    stack.dashboards.replace(dashboard)
    const watched = new Set(dashboard.tiles.filter(tile => keepsAlerts(tile, edition)).map(tile => tile.id))
    removeAlerts(request, before.id, tileId => !watched.has(tileId))
    return write.answer(dashboard, styleOf(request))
  },
  'dashboard.delete': request => {
    const { dashboards } = request.stack
    const { id } = findRecord(request, dashboards, 'Dashboard')
    dashboards.remove(id)
    removeAlerts(request, id, () => true)
    return { kind: 'deleted' }
  },
  /** A dry run: it always succeeds, and says what a creation would have said. */
  'dashboard.validate': request => {
    const { value, issues } = request.judge()
    const errors = issues.map(({ path, sentence }) => ({ path: path.join('.'), message: sentence }))
    const isRead = errors.length === 0
    const broken = isRead ? findBrokenReference(value as BodyOf<'dashboard.create'>, request.stack) : undefined
    if (broken !== undefined) errors.push({ path: '', message: broken })
    const valid = errors.length === 0
    const json = JSON.stringify({ valid, errors, normalized: valid ? value : null })
    return { kind: request.form === 'managed' ? 'object' : 'bare', json }
  },
}
