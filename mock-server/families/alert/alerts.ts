import type { Edition } from '../../words/edition.ts'
import { refused, unknownId } from '../../words/refusal.ts'
import type { Alert } from '../../words/resources.ts'
import { refuseUnwatchableSql } from '../dashboard/tile-alerts.ts'
import type { Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { fillPatch } from '../observability/fill-patch.ts'
import { findRecord } from '../observability/find-record.ts'
import { idCheck } from '../observability/object-id.ts'
import { arrange } from '../observability/order-of-list.ts'
import { paging } from '../observability/paging.ts'
import { createWriter } from '../observability/serialise.ts'
import { type AlertBody, alertBody, alertProperties } from './alert-body.ts'
import { makeAlert } from './make-alert.ts'

const write = createWriter<Alert>(present, arrange)

/** What has no value is not written. */
function present(alert: Alert, edition: Edition) {
  const newer = edition === '2.36'
  const { channels } = alert
  return {
    id: alert.id,
    name: alert.name,
    message: alert.message,
    note: newer ? alert.note : undefined,
    threshold: alert.threshold,
    thresholdMax: alert.thresholdMax,
    interval: alert.interval,
    scheduleOffsetMinutes: alert.scheduleOffsetMinutes,
    scheduleStartAt: alert.scheduleStartAt,
    numConsecutiveWindows: newer ? alert.numConsecutiveWindows : undefined,
    thresholdType: alert.thresholdType,
    source: alert.source,
    state: alert.state,
    channel: channels[0],
    channels: newer ? channels : undefined,
    teamId: alert.teamId,
    tileId: alert.tileId,
    dashboardId: alert.dashboardId,
    savedSearchId: alert.savedSearchId,
    groupBy: alert.groupBy,
    silenced: alert.silenced,
    executionErrors: alert.executionErrors,
    createdAt: alert.createdAt,
    updatedAt: alert.updatedAt,
  }
}

/** Looks up what an alert refers to, in the order in which deployments do; it comes before the alert itself is looked up. */
function refuseBrokenReference(body: AlertBody, request: Request) {
  const { stack } = request
  const isId = idCheck(request)
  if (body.source === 'saved_search') refuseBrokenSearch(body, request)
  else refuseBrokenTile(body, request)
  for (const { webhookId } of body.channels ?? (body.channel ? [body.channel] : [])) {
    if (!isId(webhookId)) throw refused('Invalid webhook ID')
    if (!stack.webhooks.get(webhookId.toLowerCase())) throw refused('Webhook not found')
  }
}

function refuseBrokenTile({ dashboardId = '', tileId }: AlertBody, request: Request) {
  if (!idCheck(request)(dashboardId)) throw refused('Invalid dashboard ID')
  const dashboard = request.stack.dashboards.get(dashboardId.toLowerCase())
  if (!dashboard) throw refused('Dashboard not found')
  const tile = dashboard.tiles.find(({ id }) => id === tileId)
  if (!tile) throw refused('Tile not found')
  refuseUnwatchableSql(tile.config)
}

/** The older edition has no saved searches that its API could name. */
function refuseBrokenSearch({ savedSearchId = '' }: AlertBody, request: Request) {
  if (!idCheck(request)(savedSearchId)) throw refused('Invalid saved search ID')
  const isThere = request.edition === '2.36' && request.stack.savedSearches.get(savedSearchId.toLowerCase())
  if (!isThere) throw refused('Saved search not found')
}

export const handlers = {
  'alert.list': request => {
    const { edition, stack } = request
    const { alerts } = stack
    const order = request.choice('alert/order-of-list')
    if (edition === '2.24') return { kind: 'list', json: write.all(alerts, edition, order) }
    const { limit, offset } = accept(request, { query: paging }).query
    const page = arrange(alerts.list(), order).slice(offset, offset + limit)
    const json = page.length === alerts.size ? write.all(alerts, edition, order) : write.list(page, edition)
    return { kind: 'list', json, meta: { total: alerts.size, limit, offset } }
  },
  'alert.create': request => {
    const { body } = accept(request, { body: alertBody, properties: alertProperties })
    refuseBrokenReference(body, request)
    const { stack, now } = request
    const alert = makeAlert(body, { id: request.world.newObjectId(), teamId: stack.teamId }, now)
    stack.alerts.create(alert)
    return write.answer(alert, request.edition)
  },
  'alert.get': request => {
    const { edition, stack } = request
    const alert = findRecord(request, stack.alerts, 'Alert')
    // The same text as before has the same entity tag, too: half of what the call costs the core.
    return { kind: 'object', json: stack.alerts.derive(`${edition} ${alert.id}`, () => write.one(alert, edition)) }
  },
  'alert.update': request => {
    const { stack, now, edition } = request
    const before = stack.alerts.get(request.ids.id?.toLowerCase() ?? '')
    const isPatch = request.choice('alert/update-method') === 'PATCH'
    const { body } = accept(
      isPatch
        ? fillPatch(request, 'Alert', before && write.one(before, edition), alertProperties, ['channel', 'channels'])
        : request,
      { body: alertBody, properties: alertProperties, id: true },
    )
    refuseBrokenReference(body, request)
    if (!before) throw unknownId('Alert')
    const alert = makeAlert(body, before, now)
    stack.alerts.replace(alert)
    return write.answer(alert, request.edition)
  },
  'alert.delete': request => {
    const { alerts } = request.stack
    alerts.remove(findRecord(request, alerts, 'Alert').id)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers
