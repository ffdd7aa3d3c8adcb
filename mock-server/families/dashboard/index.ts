import { dashboardReplacement } from '../../../fixtures/contract/dashboard.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused, unknownId } from '../../words/refusal.ts'
import type { Dashboard } from '../../words/resources.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { answerValidation, serveDocuments } from '../stack/documents.ts'
import { dashboardRules } from './body-rules.ts'
import { findBrokenReference } from './dashboard-references.ts'
import { type AnyDashboard, makeDashboard } from './make-dashboard.ts'
import { dashboards } from './model.ts'
import { canKeepAlerts } from './tile-alerts.ts'

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
