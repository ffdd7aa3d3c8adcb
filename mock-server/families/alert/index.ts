import { alert } from '../../../fixtures/contract/alert.ts'
import type { Edition } from '../../../fixtures/contract/index.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { inAnswers, refuse, successOf } from '../../faults/rewrite.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused } from '../../words/refusal.ts'
import type { Channel, TileConfig } from '../../words/resources.ts'
import { refuseSqlWithoutAlerts } from '../dashboard/tile-alerts.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { idCheck, serveDocuments } from '../stack/documents.ts'
import { alertRules } from './body-rules.ts'
import { makeAlert } from './make-alert.ts'
import { alerts } from './model.ts'
import { labelsOf } from './watched.ts'

type AlertBody = BodyOf<'alert.create'>

export const models = [alerts]
export const bodies: Family['bodies'] = { alert: alertRules }

const presentOwn = presenterOf(alert, 'answer', 'selfHosted')
const presentManaged = presenterOf(alert, 'answer', 'managed')
const hasLabels = ({ form, edition }: Request) => form === 'managed' && edition !== '2.24'
const { find, get, list, create, replace, remove } = serveDocuments(
  alerts,
  'Alert',
  (record, request) => {
    const shown = { ...record, channel: record.channels[0] }
    if (!hasLabels(request)) return presentOwn(shown, request.edition)
    return presentManaged({ ...shown, ...labelsOf(record, request.stack) }, request.edition)
  },
  // Names and tags follow from what an alert watches, so that they must not be cached with it.
  request => (hasLabels(request) ? undefined : request.edition),
)

/** Looks up the references of an alert in the order of deployments, before the alert itself. */
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
  refuseSqlWithoutAlerts(tile.config)
}

/** An inline alert has its own chart, and watches the last series. */
function refuseBrokenChart({ chartConfig }: Extract<AlertBody, { source: 'inline' }>, { stack }: Request) {
  if (chartConfig.sourceId === undefined) refuseSqlWithoutAlerts(chartConfig as unknown as TileConfig)
  else if (!stack.sources.get(chartConfig.sourceId.toLowerCase())) throw refused('Source not found')
}

/** The API of the older edition has no saved searches. */
function refuseBrokenSearch({ savedSearchId }: Extract<AlertBody, { source: 'saved_search' }>, request: Request) {
  if (!idCheck(request)(savedSearchId)) throw refused('Invalid saved search ID')
  const isThere = request.edition === '2.36' && request.stack.savedSearches.get(savedSearchId.toLowerCase())
  if (!isThere) throw refused('Saved search not found')
}

/** A body that names channels in one of the two ways replaces both. */
function unsentOfAlert(request: Request): object {
  const before = find(request)
  const { channel, channels, ...rest } = bodyOf({ ...before, channel: before.channels[0] }, request.edition)
  const body = request.body as object
  return 'channel' in body || 'channels' in body ? rest : { ...rest, channel, channels }
}

const bodyOf = presenterOf(alert, 'request') as (record: object, edition: Edition) => Partial<AlertBody>

export const unsent: Family['unsent'] = { 'alert.update': unsentOfAlert }

export const handlers: HandlersOf<'alert'> = {
  'alert.list': list,
  'alert.create': request => {
    const { body, stack, world, now } = request
    refuseBrokenReference(body, request)
    return create(request, makeAlert(body, { id: world.newObjectId(), teamId: stack.teamId }, now))
  },
  'alert.get': get,
  'alert.update': request => {
    refuseBrokenReference(request.body, request)
    return replace(request, makeAlert(request.body, find(request), request.now))
  },
  'alert.delete': request => remove(request, find(request)),
}

export const faults = {
  // The sample watches a tile.
  'alert/create-accepts-the-sample': inAnswers(
    (answer, context) => successOf('alert.create')(answer, context) && !answer.body.includes('"saved_search"'),
    (answer, context) => refuse(answer, context, 400, 'An alert of this kind is not accepted.'),
  ),
  'alert/unsent-stays': wrongFieldAfterUpdate('alert', 'createdAt', '2001-01-01T00:00:00.000Z'),
} as const satisfies Faults
