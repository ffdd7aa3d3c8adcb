import type { Target } from './target.ts'

/** Calls to the deployment, and a session in which each mutant changes at least one answer. */

/** The deployment, and a function that sends calls to it: `fetch`, or one that needs no sockets. */
export interface Connection {
  readonly target: Target
  readonly fetch: (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ) => Promise<Response>
}

export interface Answered {
  readonly status: number
  /** Status, content type and body. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as what it turns out to be
  readonly json: any
}

export async function call(
  connection: Connection,
  url: string,
  method: string,
  authorization?: string | null,
  body?: unknown,
): Promise<Answered> {
  const headers = { 'content-type': 'application/json', ...(authorization != null && { authorization }) }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await connection.fetch(url, { method, headers, body: text })
  const answered = await response.text()
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    text: `${response.status} ${type} ${answered}`,
    get json() {
      return JSON.parse(answered)
    },
  }
}

const basic = (keyId: string, keySecret: string) => `Basic ${btoa(`${keyId}:${keySecret}`)}`
export const bearer = ({ target }: Connection) => `Bearer ${target.selfHosted.apiKey}`
export const cloudAuthorization = ({ target }: Connection) => basic(target.cloud.keyId, target.cloud.keySecret)

type Send = (method: string, path: string, body?: unknown) => Promise<Answered>

/** Sends with the good key by default; `null` sends none. */
export function managed(connection: Connection, authorization: string | null = cloudAuthorization(connection)): Send {
  const { cloud } = connection.target
  const base = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}/services/${cloud.serviceId}`
  return (method, path, body) =>
    call(connection, `${base}/${cloud.observabilitySegment}${path}`, method, authorization, body)
}

export function selfHosted(connection: Connection, authorization: string | null = bearer(connection)): Send {
  return (method, path, body) =>
    call(connection, `${connection.target.selfHosted.baseUrl}/api/v2${path}`, method, authorization, body)
}

export function members(connection: Connection, organizationId: string, authorization?: string | null) {
  const { cloud } = connection.target
  const second = basic(cloud.secondKeyId, cloud.secondKeySecret)
  const own = organizationId === cloud.secondOrganizationId ? second : cloudAuthorization(connection)
  const url = `${cloud.baseUrl}/v1/organizations/${organizationId}/members`
  return call(connection, url, 'GET', authorization === undefined ? own : authorization)
}

/** Authorization headers that every form refuses, of each kind except another organization's key. */
export function refusedAuthorizations({ cloud, selfHosted }: Target): readonly (string | null)[] {
  const { keyId, keySecret } = cloud
  return [
    null,
    basic(keyId, ''),
    basic(keyId, 'wrong'),
    basic('wrong', keySecret),
    `Bearer ${keySecret}`,
    `Bearer ${basic(keyId, keySecret).slice(6)}`,
    basic(keyId, keySecret.slice(0, -1)),
    basic(keyId, `${keySecret}x9`),
    basic(keyId, keySecret.toUpperCase()),
    basic(keyId, keyId),
    basic(keyId, cloud.secondKeySecret),
    basic(keyId, keySecret).slice(6),
    'Basic',
    'Basic %%%',
    'Bearer ',
    'Bearer wrong',
    `Bearer ${selfHosted.apiKey.slice(0, -1)}`,
    `Bearer ${selfHosted.apiKey}x9`,
    `Bearer ${selfHosted.apiKey.toUpperCase()}`,
    selfHosted.apiKey,
    basic(selfHosted.apiKey, ''),
    `Bearer ${selfHosted.ingestionKey}`,
  ]
}

interface References {
  readonly dashboardId: string
  readonly tileId: string
  readonly webhookId: string
}

export const alertOn = ({ dashboardId, tileId, webhookId }: References) => ({
  dashboardId,
  tileId,
  threshold: 5,
  interval: '1h',
  source: 'tile',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId },
  name: 'An alert',
  message: 'Look',
})

function chartQuery(sourceId: string, ...changes: object[]) {
  const one = { sourceId, aggFn: 'count', where: '', groupBy: [] }
  const series = changes.map(change => ({ ...one, ...change }))
  return { startTime: 1748736000000, endTime: 1748739600000, granularity: '1h', series }
}

/** Creates, reads, changes and deletes one document. Its id is `none` if the answer to the creation shows no id. */
async function* sendLife(send: Send, path: string, body: object, update: 'PUT' | 'PATCH') {
  const created = await send('POST', path, body)
  // The answer of an alert also shows the id of its dashboard.
  const [id = 'none'] =
    /(dash|alrt)_9F\/[^"]+/.exec(created.text.replaceAll(/"dashboardId":"dash_9F\/seed[^"]+"/g, '')) ?? []
  const one = `${path}/${encodeURIComponent(id)}`
  const other = `${path}/${path === '/alerts' ? 'alrt' : 'dash'}_9F%2Fseed+1=`
  // Some mutants change only every second answer.
  const steps = [
    () => send('GET', path),
    () => send('GET', one),
    () => send('GET', one),
    () => send(update, one, { ...body, name: 'Changed' }),
    () => send('GET', one),
    () => send('GET', one),
    () => send('DELETE', one),
    () => send('GET', one),
    () => send('GET', other),
    () => send('GET', path),
  ]
  yield created.text
  for (const step of steps) yield (await step()).text
}

/** Creates a role, its key and a key that no address may use, and calls with both. Deletes the role and its key. */
async function* administrate(connection: Connection) {
  const { cloud } = connection.target
  const organizations = `${cloud.baseUrl}/v1/organizations`
  const at = (path: string) => `${organizations}/${cloud.organizationId}/${path}`
  const send = (method: string, url: string, body?: unknown, authorization = cloudAuthorization(connection)) =>
    call(connection, url, method, authorization, body)
  const policy = { allowDeny: 'ALLOW', permissions: ['control-plane:organization:view-api-keys'], resources: [] }
  const role = await send('POST', at('roles'), { name: 'Reader', actors: [], policies: [policy] })
  yield role.text
  const roleId = role.json.result?.id
  const body = { name: 'A key', assignedRoleIds: [roleId], ipAccessList: [{ source: '0.0.0.0/0' }] }
  const made = await send('POST', at('keys'), body)
  yield made.text
  const { key, keyId, keySecret } = made.json.result
  const unusableKey = (await send('POST', at('keys'), { ...body, ipAccessList: [] })).json.result
  const createdKey = basic(keyId, keySecret)
  const [oneKey, oneRole] = [at(`keys/${key?.id}`), at(`roles/${roleId}`)]
  for (const [method, url, sent, as] of [
    ['GET', organizations, undefined, createdKey],
    ['GET', organizations, undefined, basic(unusableKey.keyId, unusableKey.keySecret)],
    ['GET', at('keys'), undefined, createdKey],
    ['POST', at('keys'), body, createdKey],
    ['GET', oneKey],
    ['PATCH', oneKey, { state: 'disabled' }],
    ['GET', oneKey],
    ['GET', organizations, undefined, createdKey],
    ['DELETE', oneKey],
    ['GET', oneKey],
    ['GET', organizations, undefined, createdKey],
    ['GET', at('roles')],
    ['GET', oneRole],
    ['PATCH', oneRole, { name: 'Changed' }],
    ['GET', oneRole],
    ['DELETE', oneRole],
    ['GET', oneRole],
    ['GET', at('roles')],
  ] as readonly (readonly [string, string, unknown?, string?])[])
    yield (await send(method, url, sent, as)).text
}

/** A fixed session over everything that the deployment offers. Two unchanged deployments answer it identically. */
export async function* sendSession(connection: Connection): AsyncGenerator<string, void, undefined> {
  const { target } = connection
  const { cloud } = target
  const [organizations, segment] = [`${cloud.baseUrl}/v1/organizations`, cloud.observabilitySegment]
  const service = `${organizations}/${cloud.organizationId}/services/${cloud.serviceId}`
  const backup = `${service}/backups/${cloud.backupId}`
  const text = async (answered: Promise<Answered>) => (await answered).text
  let nameCount = 0

  for (const url of [
    `${cloud.baseUrl}/v1`,
    // Some mutants change only every fifth answer.
    ...Array<string>(5).fill(`${organizations}/${cloud.organizationId}/members`),
    backup,
    `${service}/backups/${cloud.organizationId}`,
    `${service}/backups/7`,
    `${organizations}/${cloud.organizationId}/services/7/backups/${cloud.backupId}`,
    `${organizations}/7/members`,
    `${organizations}/8/members`,
    `${organizations}/7/services/${cloud.serviceId}/${segment}/dashboards`,
    `${organizations}/${cloud.organizationId}/services/7/${segment}/dashboards`,
  ])
    yield await text(call(connection, url, 'GET', cloudAuthorization(connection)))
  yield await text(members(connection, cloud.secondOrganizationId))
  const second = basic(cloud.secondKeyId, cloud.secondKeySecret)
  for (const [organizationId, serviceId, authorization] of [
    [cloud.backupId, cloud.serviceId, cloudAuthorization(connection)],
    [cloud.organizationId, cloud.backupId, cloudAuthorization(connection)],
    [cloud.organizationId, cloud.serviceId, second],
    [cloud.secondOrganizationId, cloud.serviceId, second],
  ] as const) {
    const below = `${organizations}/${organizationId}/services/${serviceId}`
    yield await text(members(connection, organizationId, authorization))
    yield await text(call(connection, `${below}/backups/${cloud.backupId}`, 'GET', authorization))
    yield await text(call(connection, `${below}/${segment}/dashboards`, 'GET', authorization))
  }

  yield* administrate(connection)

  const forms = [
    [managed, 'PUT', cloud.references],
    [selfHosted, 'PATCH', target.selfHosted.references],
  ] as const
  const { sourceId } = target.selfHosted.references
  const query = chartQuery(sourceId, {})
  const queries = [
    query,
    chartQuery(sourceId, { where: 'level:error' }),
    chartQuery(sourceId, { groupBy: ['level'] }),
    chartQuery(sourceId, {}, {}),
  ]
  const collections = ['/dashboards', '/alerts'] as const
  for (const [form, update, references] of forms) {
    const send = form(connection)
    yield* sendLife(send, '/dashboards', { name: 'Mine' }, update)
    yield* sendLife(send, '/alerts', alertOn(references), update)
    for (const path of collections) yield await text(send('POST', path, '{"name":'))
    yield await text(send('POST', '/dashboards', {}))
    yield await text(send(update, '/dashboards/none', { name: 'None' }))
    for (const body of [...queries, '{"series":']) yield await text(send('POST', '/charts/series', body))
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) yield await text(send(method, '/charts/series'))
    for (const path of ['/charts', '/webhooks']) yield await text(send('POST', path, { name: 'Mine' }))
    for (const path of ['/sources', '/webhooks']) yield await text(send('GET', path))
  }

  for (const authorization of refusedAuthorizations(target)) {
    yield await text(members(connection, cloud.organizationId, authorization))
    yield await text(call(connection, backup, 'GET', authorization))
    for (const [form, update, references] of forms) {
      const send = form(connection, authorization)
      for (const path of ['/dashboards', '/alerts', '/sources', '/webhooks']) yield await text(send('GET', path))
      yield await text(send('POST', '/charts/series', query))
      yield await text(send('POST', '/dashboards', { name: `By ${nameCount++}` }))
      yield await text(send('POST', '/alerts', alertOn(references)))
      const [dashboard, alert] = ['/dashboards/dash_9F%2Fseed+1=', '/alerts/alrt_9F%2Fseed+1=']
      for (const path of [dashboard, alert]) {
        yield await text(send('GET', path))
        yield await text(send(update, path, path === alert ? alertOn(references) : { name: `By ${nameCount++}` }))
        yield await text(send('DELETE', path))
      }
    }
  }
}
