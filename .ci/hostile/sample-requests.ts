import type { TargetFile } from '../../mock-server/mock/mock.ts'
import { listDocumentedRequests } from './documented-requests.ts'

export type Listener = 'cloud' | 'selfHosted' | 'control'

/** A valid request, from which fuzzing makes invalid ones. */
export interface SampleRequest {
  readonly listener: Listener
  readonly method: string
  readonly path: string
  readonly authorization?: string
  readonly body?: unknown
}

/** Valid requests for every operation of every form, with the ids of a target file. */
export function listSampleRequests(target: TargetFile): readonly SampleRequest[] {
  const { keyId, keySecret } = target.cloud!
  const documented = listDocumentedRequests(target, basicOf(keyId, keySecret))
  return [...inCloud(target.cloud!, documented), ...inSelfHosted(target.selfHosted!), ...inControl(target)]
}

interface References {
  readonly dashboardId: string
  readonly tileId: string
  readonly webhookId: string
  readonly sourceId?: string
  readonly connectionId?: string
}

export const basicOf = (keyId: string, keySecret: string) => `Basic ${btoa(`${keyId}:${keySecret}`)}`

function inCloud(cloud: NonNullable<TargetFile['cloud']>, documented: readonly SampleRequest[]): SampleRequest[] {
  const authorization = basicOf(cloud.keyId, cloud.keySecret)
  const organization = `/v1/organizations/${cloud.organizationId}`
  const service = `${organization}/services/${cloud.serviceId}`
  const get = (path: string): SampleRequest => ({ listener: 'cloud', method: 'GET', path, authorization })
  return [
    get(`${organization}/members`),
    get(`${service}/backups/${cloud.backupId}`),
    ...ofStack(`${service}/${cloud.observabilitySegment}`, 'cloud', authorization, cloud.references),
    ...documented,
  ]
}

function inSelfHosted({ apiKey, references }: NonNullable<TargetFile['selfHosted']>): SampleRequest[] {
  const authorization = `Bearer ${apiKey}`
  const common = { listener: 'selfHosted', authorization } as const
  const endTime = Date.now()
  const series = [
    { sourceId: references.sourceId, aggFn: 'count', where: 'ServiceName:api OR Body:"x"', groupBy: ['ServiceName'] },
    {
      sourceId: references.sources.trace,
      aggFn: 'quantile',
      level: 0.9,
      field: 'Duration',
      where: "match(SpanName, '^a.*b') AND Duration > 1",
      whereLanguage: 'sql',
      groupBy: ['ServiceName'],
    },
  ]
  const chart = { startTime: endTime - 86_400_000, endTime, granularity: '1h', series }
  return [
    ...ofStack('/api/v2', 'selfHosted', authorization, references),
    { ...common, method: 'GET', path: '/api/v2/webhooks' },
    { ...common, method: 'POST', path: '/api/v2/charts/series', body: chart },
    { ...common, method: 'POST', path: '/api/v2/charts/series', body: { ...chart, series: series.slice(0, 1) } },
  ]
}

const unknownId = '0123456789abcdef01234567'

/** Requests to a stack. None deletes an object that other requests refer to: they would then be refused. */
function ofStack(base: string, listener: Listener, authorization: string, references: References): SampleRequest[] {
  const { dashboardId, tileId } = references
  const ask = (method: string, path: string, body?: unknown) => ({
    listener,
    authorization,
    method,
    path: `${base}/${path}`,
    body,
  })
  const { tiles, ...rest } = sampleDashboard()
  return [
    ask('GET', 'dashboards'),
    ask('POST', 'dashboards', sampleDashboard()),
    ask('POST', 'dashboards', manyTiles(references)),
    ask('GET', `dashboards/${dashboardId}`),
    ask('PUT', `dashboards/${dashboardId}`, { ...rest, tiles: tiles.map(tile => ({ ...tile, id: tileId })) }),
    ask('PUT', `dashboards/${unknownId}`, manyTiles(references)),
    ask('DELETE', `dashboards/${unknownId}`),
    ask('GET', 'alerts'),
    ask('POST', 'alerts', sampleAlert(references)),
    ask('GET', `alerts/${unknownId}`),
    ask('PUT', `alerts/${unknownId}`, sampleAlert(references)),
    ask('DELETE', `alerts/${unknownId}`),
    ask('GET', 'sources'),
  ]
}

function inControl({ selfHosted }: TargetFile): SampleRequest[] {
  const row = { Timestamp: '2026-01-01T00:00:00Z', ServiceName: 'api', Body: 'x', LogAttributes: { a: 'b' } }
  const asked: [method: string, path: string, body?: unknown][] = [
    ['GET', '/'],
    ['GET', '/control/target'],
    ['GET', '/control/openapi/cloud.json'],
    ['GET', '/control/calls'],
    ['DELETE', '/control/calls'],
    ['GET', '/control/state'],
    ['PUT', '/control/state', { version: 1, seed: 1, created: 0, now: '2026-01-01T00:00:00Z', stacks: {} }],
    ['POST', '/control/reset', { seed: 1 }],
    ['POST', '/control/worlds', { seed: 1, expiresInMs: 500 }],
    ['DELETE', '/control/worlds/world-1'],
    ['PUT', '/control/faults', ['envelope/request-id-is-uuid-v4']],
    ['PUT', '/control/chaos', { latencyMs: [0, 5], errorRate: 0.5, rateLimit: true }],
    ['PUT', '/control/clock', { now: '2026-01-01T00:00:00Z' }],
    ['PUT', '/control/clock', { advanceMs: 60_000 }],
    ['POST', '/control/rows', { sourceId: selfHosted!.references.sourceId, rows: [row, row] }],
  ]
  return asked.map(([method, path, body]) => ({ listener: 'control', method, path, body }))
}

export const sampleAlert = ({ dashboardId, tileId, webhookId }: References) => ({
  dashboardId,
  tileId,
  threshold: 3,
  interval: '1h',
  source: 'tile',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId },
  name: 'Hostile',
  message: '{{value}} is too much',
})

export const sampleDashboard = (name = 'Hostile') => ({
  name,
  tags: ['a', 'b'],
  tiles: [{ name: 'one', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'markdown', markdown: '# x' } }],
  savedFilterValues: [{ condition: "ServiceName = 'api'" }],
})

/** A dashboard with every kind of tile. In the managed form, its source is unknown. */
function manyTiles({ sourceId = unknownId, connectionId = sourceId }: References) {
  const place = { x: 0, y: 0, w: 6, h: 3 }
  const select = [{ aggFn: 'count', where: 'level:error', whereLanguage: 'lucene' }]
  const quantile = { aggFn: 'quantile', level: 0.9, valueExpression: 'Duration', where: '' }
  const configs = [
    { displayType: 'line', sourceId, select: [...select, quantile], groupBy: 'ServiceName', asRatio: true },
    { displayType: 'table', sourceId, select, having: 'x > 1', orderBy: 'x' },
    { displayType: 'number', sourceId, select, numberFormat: { output: 'percent', mantissa: 2 } },
    { displayType: 'search', sourceId, select: 'Body', where: 'a:b', whereLanguage: 'lucene' },
    { configType: 'sql', displayType: 'line', connectionId, sqlTemplate: 'SELECT {{x}} FROM y', sourceId },
  ]
  const old = { type: 'time', sourceId, aggFn: 'count', where: '', groupBy: ['ServiceName'] }
  return {
    ...sampleDashboard(),
    tiles: [...configs.map(config => ({ name: 'x', ...place, config })), { name: 'old', ...place, series: [old] }],
    filters: [
      { type: 'QUERY_EXPRESSION', name: 'f', expression: 'ServiceName', sourceId, where: '', whereLanguage: 'sql' },
    ],
    savedQuery: 'level:error',
    savedQueryLanguage: 'lucene',
  }
}
