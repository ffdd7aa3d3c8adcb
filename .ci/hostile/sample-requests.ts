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
  readonly query?: string
}

/** Valid requests for every operation of every form of the API, with the ids of a target file. */
export function listSampleRequests(target: TargetFile): readonly SampleRequest[] {
  const { keyId, keySecret } = target.cloud!
  const documented = listDocumentedRequests(target, basicOf(keyId, keySecret))
  return [...inCloud(target.cloud!, documented), ...inSelfHosted(target.selfHosted!)]
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

/** The part of an OpenAPI document from which requests are made. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}
interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly example?: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
}

/** The requests that the control plane describes, with and without values in the query. A run of the suite would disturb the fuzzing. */
export function listControlRequests({ paths }: Description): readonly SampleRequest[] {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]) => {
      const filled = parameters.reduce((path, { name, example = 'x' }) => path.replace(`{${name}}`, example), path)
      const query = parameters.filter(one => one.in === 'query').map(({ name }) => name)
      const body = requestBody?.content['application/json'].example
      const plain = { listener: 'control', method: method.toUpperCase(), path: filled, body } as const
      return [plain, ...query.map(name => ({ ...plain, query: `${name}=self-hosted` }))]
    }),
  )
  const isRun = ({ method, path }: SampleRequest) => method === 'POST' && path === '/control/verify'
  return [{ listener: 'control', method: 'GET', path: '/' }, ...requests.filter(one => !isRun(one))]
}

const queryWords = ['UNKNOWN', '', '-1', '1e400', '__proto__', '%00']
const pathWords = [
  ...['UNKNOWN', 'member', 'Members', 'membres', 'services', 'organization', 'self-hosted', 'log', 'stub-1', 'world-1'],
  ...['', '0', '-1', '1e400', 'null', '__proto__', 'constructor', 'toString', '%00', '%ff', '%2F', '..%2F'],
]

/** The requests that the control plane describes, with each word in each parameter that they have. */
export function* listNearControlRequests({ paths }: Description): Generator<SampleRequest> {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
      if (method === 'post' && path === '/control/verify') continue
      const body = requestBody?.content['application/json'].example
      for (const { name, in: place } of parameters) {
        for (const word of place === 'query' ? queryWords : pathWords) {
          const filled = parameters.reduce(
            (path, one) => path.replace(`{${one.name}}`, one.name === name ? word : (one.example ?? 'x')),
            path,
          )
          const query = place === 'query' ? `${name}=${word}` : ''
          yield { listener: 'control', method: method.toUpperCase(), path: filled, query, body }
        }
      }
    }
  }
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
