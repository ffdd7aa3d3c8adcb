import { alert } from '../../../fixtures/contract/alert.ts'
import { presenterOf } from '../../fields/view.ts'
import type { Edition } from '../../words/edition.ts'
import { refused, unknownId } from '../../words/refusal.ts'
import type { Alert, Channel, TileConfig } from '../../words/resources.ts'
import { refuseUnwatchableSql } from '../dashboard/tile-alerts.ts'
import type { BodyOf, HandlersOf, Request } from '../family.ts'
import { findRecord } from '../stack/find-record.ts'
import { idCheck } from '../stack/object-id.ts'
import { arrange } from '../stack/order-of-list.ts'
import { pageOf } from '../stack/page.ts'
import { createWriter } from '../stack/serialise.ts'
import { makeAlert } from './make-alert.ts'
import { labelsOf } from './watched.ts'

type AlertBody = BodyOf<'alert.create'>

const presentOwn = presenterOf(alert, 'answer', 'selfHosted')
const presentManaged = presenterOf(alert, 'answer', 'managed')
const write = createWriter<Alert>(
  (alert, edition) => presentOwn({ ...alert, channel: alert.channels[0] }, edition),
  arrange,
)
/** Names and tags follow from what an alert watches, so that the answers of its own collection must not be cached. */
const writerIn = ({ form, edition, stack }: Request) =>
  form !== 'managed' || edition === '2.24'
    ? { ...write, isCached: true }
    : {
        ...createWriter<Alert>((alert, edition) =>
          presentManaged({ ...alert, channel: alert.channels[0], ...labelsOf(alert, stack) }, edition),
        ),
        isCached: false,
      }

/** Looks up what an alert refers to, in the order in which deployments do; it comes before the alert itself is looked up. */
function refuseBrokenReference(body: AlertBody, request: Request) {
  const { stack } = request
  const isId = idCheck(request)
  if (body.source === 'saved_search') refuseBrokenSearch(body, request)
  else if (body.source === 'tile') refuseBrokenTile(body, request)
  else refuseBrokenChart(body, request)
  for (const { webhookId } of (body.channels ?? [body.channel]) as readonly Channel[]) {
    if (webhookId === undefined) continue
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

/** An inline alert has a chart of its own, whose last series it watches. */
function refuseBrokenChart({ chartConfig }: Extract<AlertBody, { source: 'inline' }>, { stack }: Request) {
  if (chartConfig.sourceId === undefined) refuseUnwatchableSql(chartConfig as unknown as TileConfig)
  else if (!stack.sources.get(chartConfig.sourceId.toLowerCase())) throw refused('Source not found')
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
    const { isCached, list } = writerIn(request)
    const json = isCached && records.length === alerts.size ? write.all(alerts, edition, order) : list(records, edition)
    return { kind: 'list', json, meta }
  },
  'alert.create': request => {
    const { body } = request
    refuseBrokenReference(body, request)
    const { stack, now } = request
    const alert = makeAlert(body, { id: request.world.newObjectId(), teamId: stack.teamId }, now)
    stack.alerts.create(alert)
    return writerIn(request).answer(alert, request.edition)
  },
  'alert.get': request => {
    const { edition, stack } = request
    const alert = findRecord(request, stack.alerts, 'Alert')
    const { isCached, one } = writerIn(request)
    const text = () => one(alert, edition)
    return { kind: 'object', json: isCached ? stack.alerts.derive(`${edition} ${alert.id}`, text) : text() }
  },
  'alert.update': request => {
    const { body, stack, now } = request
    refuseBrokenReference(body, request)
    const before = stack.alerts.get(request.ids.id!)
    if (!before) throw unknownId('Alert')
    const alert = makeAlert(body, before, now)
    stack.alerts.replace(alert)
    return writerIn(request).answer(alert, request.edition)
  },
  'alert.delete': request => {
    const { alerts } = request.stack
    alerts.remove(findRecord(request, alerts, 'Alert').id)
    return { kind: 'deleted' }
  },
}
