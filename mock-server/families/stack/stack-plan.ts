import { day, hour } from '../../words/durations.ts'
import type { Alert, Dashboard, SavedSearch, Webhook } from '../../words/resources.ts'
import type { Seeding } from '../../world/collection.ts'
import { createObjectIds, seedOf } from '../../world/random.ts'
import { makeAlert } from '../alert/make-alert.ts'
import { lastWindowEnd } from '../alert/schedule.ts'
import { dashboardsOf } from '../dashboard/boards.ts'
import { makeDashboard } from '../dashboard/make-dashboard.ts'
import type { BodyOf } from '../family.ts'
import { layOutSources, type SourceIds } from '../source/seed.ts'

/** The plan of a stack, made once in a world. The stack of a new service has a team, a connection and sources alone. */
export function planStack(stackId: string, { world, identitySeed, start, isNew }: Seeding) {
  const plan = world.once(`stack ${stackId}`, () => layOutStack(identitySeed, stackId, start))
  return isNew ? { ...plan, webhooks: [], dashboards: [], alerts: [], savedSearches: [] } : plan
}

function layOutStack(identity: number, stackId: string, start: number) {
  const newId = createObjectIds(seedOf(identity, 'stack', stackId), '65')
  const teamId = newId()
  const createdAt = new Date(start - 60 * day).toISOString()
  const connection = {
    id: newId(),
    name: 'Local database',
    host: 'http://database.example.com:8123',
    username: 'default',
    password: '',
    createdAt,
    updatedAt: createdAt,
  }
  const ids: SourceIds = { log: newId(), trace: newId(), metric: newId(), session: newId() }
  const webhooks = layOutWebhooks(newId, createdAt)
  const dashboards = dashboardsOf(ids).map(board => makeDashboard(board, newId))
  const alerts = layOutAlerts(dashboards, webhooks, { teamId, newId }, start)
  return {
    teamId,
    connections: [connection],
    sources: layOutSources(ids, connection.id),
    webhooks,
    dashboards,
    alerts,
    savedSearches: layOutSearches(ids, { teamId, newId }, createdAt),
  }
}

/** Only the newer edition has saved searches. */
function layOutSearches(
  { log, trace }: SourceIds,
  { teamId, newId }: { readonly teamId: string; readonly newId: () => string },
  createdAt: string,
): readonly SavedSearch[] {
  const search = (name: string, sourceId: string, where: string, select = '', orderBy = ''): SavedSearch => ({
    id: newId(),
    name,
    select,
    where,
    whereLanguage: 'lucene',
    orderBy,
    sourceId,
    tags: ['shop'],
    filters: [],
    teamId,
    createdAt,
    updatedAt: createdAt,
  })
  const newest = ['Timestamp, ServiceName, Body', 'Timestamp DESC'] as const
  return [
    search('Errors', log, 'SeverityText:ERROR', ...newest),
    search('Releases', log, '"release"', ...newest),
    search('Declined payments', log, 'LogAttributes.http.status_code:402', `${newest[0]}, TraceId`, newest[1]),
    search('Waits for a connection', trace, 'SpanName:"pool.acquire"'),
    search('Slow requests', trace, 'Duration:>1000000000'),
  ]
}

function layOutWebhooks(newId: () => string, createdAt: string): readonly Webhook[] {
  const times = { createdAt, updatedAt: createdAt }
  const body = '{"text":"{{title}}","state":"{{state}}","event":"{{eventId}}","link":"{{link}}"}'
  return [
    { id: newId(), name: 'On call', service: 'generic', url: 'https://hooks.example.test/on-call', body, ...times },
    { id: newId(), name: 'Shop channel', service: 'slack', url: 'https://hooks.slack.com/services/shop', ...times },
  ]
}

function layOutAlerts(
  dashboards: readonly Dashboard[],
  webhooks: readonly Webhook[],
  { teamId, newId }: { readonly teamId: string; readonly newId: () => string },
  start: number,
): readonly Alert[] {
  const onTile = (board: number, tile: number, webhook = 0) => {
    const dashboard = dashboards[board]!
    const channel = { type: 'webhook', webhookId: webhooks[webhook]!.id } as const
    return { source: 'tile', dashboardId: dashboard.id, tileId: dashboard.tiles[tile]!.id, channel } as const
  }
  const bodies: readonly BodyOf<'alert.create'>[] = [
    { ...onTile(0, 0), name: 'Errors', message: 'Errors rise.', threshold: 50, thresholdType: 'above', interval: '1h' },
    { ...onTile(1, 1), name: 'Nobody shops', threshold: 1, thresholdType: 'below', interval: '30m' },
    { ...onTile(2, 0, 1), name: 'Declined payments', threshold: 1, thresholdType: 'above', interval: '1d' },
    { ...onTile(3, 0, 1), name: 'CPU', message: null, threshold: 0.95, thresholdType: 'above', interval: '5m' },
  ]
  return bodies.map((body, i) => {
    const alert = makeAlert(body, { id: newId(), teamId }, start - (30 - i) * day)
    // Payments are declined every day; the other alerts have been evaluated, and nothing was wrong.
    const state = i === 2 ? 'ALERT' : 'OK'
    // The last full window before the start: what the first evaluation reads is then minutes of telemetry, not a day.
    const evaluatedUntil = lastWindowEnd(alert, start)
    const updatedAt = new Date(start - (i + 1) * hour).toISOString()
    return { ...alert, state, executionErrors: [], evaluatedUntil, updatedAt }
  })
}
