import { alert } from '../../../fixtures/contract/alert.ts'
import { presenterOf } from '../../fields/view.ts'
import type { Edition } from '../../words/edition.ts'
import { refused, unknownId } from '../../words/refusal.ts'
import type { Alert } from '../../words/resources.ts'
import { refuseUnwatchableSql } from '../dashboard/tile-alerts.ts'
import type { BodyOf, HandlersOf, Request } from '../family.ts'
import { findRecord } from '../observability/find-record.ts'
import { idCheck } from '../observability/object-id.ts'
import { arrange } from '../observability/order-of-list.ts'
import { pageOf } from '../observability/page.ts'
import { createWriter } from '../observability/serialise.ts'
import { makeAlert } from './make-alert.ts'

type AlertBody = BodyOf<'alert.create'>

const present = presenterOf(alert)
const write = createWriter<Alert>(
  (alert, edition) => present({ ...alert, channel: alert.channels[0] }, edition),
  arrange,
)

/** Looks up what an alert refers to, in the order in which deployments do; it comes before the alert itself is looked up. */
function refuseBrokenReference(body: AlertBody, request: Request) {
  const { stack } = request
  const isId = idCheck(request)
  if (body.source === 'saved_search') refuseBrokenSearch(body, request)
  else refuseBrokenTile(body, request)
  for (const { webhookId } of body.channels ?? [body.channel]) {
    if (!isId(webhookId)) throw refused('Invalid webhook ID')
    if (!stack.webhooks.get(webhookId.toLowerCase())) throw refused('Webhook not found')
  }
}

function refuseBrokenTile({ dashboardId, tileId }: Extract<AlertBody, { source: 'tile' }>, request: Request) {
  if (!idCheck(request)(dashboardId)) throw refused('Invalid dashboard ID')
  const dashboard = request.stack.dashboards.get(dashboardId.toLowerCase())
  if (!dashboard) throw refused('Dashboard not found')
  const tile = dashboard.tiles.find(({ id }) => id === tileId)
  if (!tile) throw refused('Tile not found')
  refuseUnwatchableSql(tile.config)
}

/** The older edition has no saved searches that its API could name. */
function refuseBrokenSearch({ savedSearchId }: Extract<AlertBody, { source: 'saved_search' }>, request: Request) {
  if (!idCheck(request)(savedSearchId)) throw refused('Invalid saved search ID')
  const isThere = request.edition === '2.36' && request.stack.savedSearches.get(savedSearchId.toLowerCase())
  if (!isThere) throw refused('Saved search not found')
}

/** One of the two ways to name channels stands for both. */
export function unsentOfAlert(request: Request): object {
  const before = request.stack.alerts.get(request.ids.id!)
  if (!before) throw unknownId('Alert')
  const { channel, channels, ...rest } = bodyOf({ ...before, channel: before.channels[0] }, request.edition)
  const body = request.body as object
  return 'channel' in body || 'channels' in body ? rest : { ...rest, channel, channels }
}

const bodyOf = presenterOf(alert, 'request') as (record: object, edition: Edition) => Partial<AlertBody>

export const handlers: HandlersOf<'alert'> = {
  'alert.list': request => {
    const { edition, stack } = request
    const { alerts } = stack
    const order = request.choice('alert/order-of-list')
    if (edition === '2.24') return { kind: 'list', json: write.all(alerts, edition, order) }
    const { records, meta } = pageOf(arrange(alerts.list(), order), request)
    const json = records.length === alerts.size ? write.all(alerts, edition, order) : write.list(records, edition)
    return { kind: 'list', json, meta }
  },
  'alert.create': request => {
    const { body } = request
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
    const { body, stack, now } = request
    refuseBrokenReference(body, request)
    const before = stack.alerts.get(request.ids.id!)
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
}
