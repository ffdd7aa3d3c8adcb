import { accept } from '../accept/accept.ts'
import { type AlertBody, alertBody, alertProperties } from '../accept/alert.ts'
import { idCheck } from '../accept/object-id.ts'
import { paging } from '../accept/paging.ts'
import { refused, unknownId } from '../refusal.ts'
import type { Alert } from '../resources.ts'
import type { Behaviour, Edition, Request } from './behaviour.ts'
import { arrange } from './order-of-list.ts'
import { remember, rememberList, writeList } from './serialise.ts'
import { refuseUnwatchableSql } from './tile-alerts.ts'

/** A new alert on a tile from an accepted body. */
export function makeAlert(body: AlertBody, ids: { readonly id: string; readonly teamId: string }, now: number): Alert {
  const createdAt = new Date(now).toISOString()
  return { ...writtenFields(body), id: ids.id, teamId: ids.teamId, state: 'OK', createdAt, updatedAt: createdAt }
}

/**
 * What a body sets. The upper threshold and the schedule are only there when they were sent, so that a replacement keeps
 * the former ones; texts that were not sent are cleared.
 */
function writtenFields(body: AlertBody) {
  const { threshold, thresholdMax, thresholdType, interval, source, scheduleStartAt } = body
  const isScheduled = scheduleStartAt !== undefined
  const offset = scheduleStartAt != null ? 0 : (body.scheduleOffsetMinutes ?? (isScheduled ? 0 : undefined))
  return {
    name: body.name ?? null,
    message: body.message ?? null,
    note: body.note ?? null,
    threshold,
    ...(thresholdMax !== undefined && { thresholdMax }),
    thresholdType,
    interval,
    ...(offset !== undefined && { scheduleOffsetMinutes: offset }),
    ...(isScheduled && {
      scheduleStartAt: scheduleStartAt === null ? null : new Date(scheduleStartAt).toISOString(),
    }),
    numConsecutiveWindows: body.numConsecutiveWindows ?? null,
    source,
    channels: body.channels ?? (body.channel ? [body.channel] : []),
    dashboardId: body.dashboardId?.toLowerCase(),
    tileId: body.tileId,
  }
}

const write = remember<Alert>(present)
const writeAll = rememberList(write, arrange)

function present(alert: Alert, edition: Edition) {
  const newer = edition === '2.36'
  const { channels, note, numConsecutiveWindows } = alert
  return {
    id: alert.id,
    name: alert.name,
    message: alert.message,
    ...(newer && { note }),
    threshold: alert.threshold,
    thresholdMax: alert.thresholdMax,
    interval: alert.interval,
    scheduleOffsetMinutes: alert.scheduleOffsetMinutes,
    scheduleStartAt: alert.scheduleStartAt,
    ...(newer && { numConsecutiveWindows }),
    thresholdType: alert.thresholdType,
    source: alert.source,
    state: alert.state,
    channel: channels[0],
    ...(newer && { channels }),
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

const answer = (alert: Alert, { edition }: Request) => ({ kind: 'object', json: write(alert, edition) }) as const

/** Looks up what an alert refers to, in the order in which deployments do; it comes before the alert itself is looked up. */
function refuseBrokenReference(body: AlertBody, request: Request) {
  const { stack } = request
  const isId = idCheck(request)
  if (body.source === 'saved_search') {
    // No stack of the mock has saved searches.
    throw refused(isId(body.savedSearchId ?? '') ? 'Saved search not found' : 'Invalid saved search ID')
  }
  const dashboardId = body.dashboardId ?? ''
  if (!isId(dashboardId)) throw refused('Invalid dashboard ID')
  const dashboard = stack.dashboards.get(dashboardId.toLowerCase())
  if (!dashboard) throw refused('Dashboard not found')
  const tile = dashboard.tiles.find(({ id }) => id === body.tileId)
  if (!tile) throw refused('Tile not found')
  refuseUnwatchableSql(tile.config)
  for (const { webhookId } of body.channels ?? (body.channel ? [body.channel] : [])) {
    if (!isId(webhookId)) throw refused('Invalid webhook ID')
    if (!stack.webhooks.get(webhookId.toLowerCase())) throw refused('Webhook not found')
  }
}

const list: Behaviour = request => {
  const { edition, stack } = request
  const { alerts } = stack
  const order = request.choice('alert/order-of-list')
  if (edition === '2.24') return { kind: 'list', json: writeAll(alerts, edition, order) }
  const { limit, offset } = accept(request, { query: paging }).query
  const page = () =>
    order === 'oldest first' ? alerts.page(offset, limit) : arrange(alerts.list(), order).slice(offset, offset + limit)
  const json =
    offset === 0 && limit >= alerts.size ? writeAll(alerts, edition, order) : writeList(page(), write, edition)
  return { kind: 'list', json, meta: { total: alerts.size, limit, offset } }
}

const create: Behaviour = request => {
  const { body } = accept(request, { body: alertBody, properties: alertProperties })
  refuseBrokenReference(body, request)
  const { stack, now } = request
  const alert = makeAlert(body, { id: request.newId(), teamId: stack.teamId }, now)
  stack.alerts.create(alert)
  return answer(alert, request)
}

const get: Behaviour = request => {
  const { id } = accept(request, { id: true })
  const alert = request.stack.alerts.get(id)
  if (!alert) throw unknownId('Alert')
  return answer(alert, request)
}

const update: Behaviour = request => {
  const { body, id } = accept(request, { body: alertBody, properties: alertProperties, id: true })
  refuseBrokenReference(body, request)
  const { stack, now } = request
  const before = stack.alerts.get(id)
  if (!before) throw unknownId('Alert')
  const alert = { ...before, ...writtenFields(body), updatedAt: new Date(now).toISOString() }
  stack.alerts.replace(alert)
  return answer(alert, request)
}

const remove: Behaviour = request => {
  const { id } = accept(request, { id: true })
  const isGone = request.stack.alerts.remove(id)
  if (!isGone && !request.choice('alert/delete-unknown').startsWith('2')) throw unknownId('Alert')
  return { kind: 'deleted', resource: 'Alert' }
}

export const alerts = { list, create, get, update, delete: remove }
