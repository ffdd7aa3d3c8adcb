import type { BuiltMock, Target } from './built-mock.ts'

/** A request, which `writeRequest` turns into a text for the load generator. */
export interface SentRequest {
  readonly name: string
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function writeRequest({ method, path, headers, body }: SentRequest): string {
  const length: Record<string, string> = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

export function listMembers({ target, cloudPort }: BuiltMock, name = 'list members'): SentRequest {
  return { ...readInCloud(target), name, port: cloudPort, path: `${organization(target)}/members` }
}

export function getBackup({ target, cloudPort }: BuiltMock, name = 'get a backup'): SentRequest {
  const { serviceId, backupId } = target.cloud
  const path = `${organization(target)}/services/${serviceId}/backups/${backupId}`
  return { ...readInCloud(target), name, port: cloudPort, path }
}

const organization = ({ cloud }: Target) => `/v1/organizations/${cloud.organizationId}`

function readInCloud({ cloud }: Target) {
  const authorization = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
  return { method: 'GET', headers: { authorization }, body: '' } as const
}

/** A call of the self-hosted form. The path is relative to `/api/v2/`. */
export function call(mock: BuiltMock, name: string, method: string, path: string, body?: object): SentRequest {
  const authorization = `Bearer ${mock.target.selfHosted.apiKey}`
  const contentType: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const text = body === undefined ? '' : JSON.stringify(body)
  return {
    name,
    port: mock.selfHostedPort,
    method,
    path: `/api/v2/${path}`,
    headers: { authorization, ...contentType },
    body: text,
  }
}

export function alertBody({ selfHosted }: Target) {
  const { dashboardId, tileId, webhookId } = selfHosted.references
  return {
    name: 'Errors rise',
    message: 'More errors than usual.',
    source: 'tile',
    dashboardId,
    tileId,
    interval: '5m',
    threshold: 10,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId },
  }
}

/** A chart query that counts the rows of a day by hour and service. */
export function chartBody({ selfHosted }: Target) {
  const endTime = Date.now()
  const series = [{ sourceId: selfHosted.references.sourceId, aggFn: 'count', where: '', groupBy: ['ServiceName'] }]
  return { startTime: endTime - 86_400_000, endTime, granularity: '1h', series }
}

/** Sends one request with fetch, and returns the answer. */
export async function ask({ name, port, method, path, headers, body }: SentRequest) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body || undefined })
  const text = await answer.text()
  if (!answer.ok)
    throw new Error(`${name}: ${method} ${path} was answered with ${answer.status}: ${text.slice(0, 200)}`)
  return { status: answer.status, headers: headersOfMock(answer.headers), body: text }
}

/** The headers that the mock sets itself. Node adds the others in the plain server, too. */
function headersOfMock(headers: Headers): Record<string, string> {
  const byNode = new Set(['connection', 'date', 'keep-alive'])
  return Object.fromEntries([...headers].filter(([name]) => !byNode.has(name)))
}
