import type { Answer, Call } from '../../../words/call.ts'
import type { Cause } from '../../../words/cause.ts'
import { hash } from '../../../words/hash.ts'
import { answerException, SqlException, type SqlRequest } from '../../../words/sql.ts'
import type { ServicesSql, SqlInterface } from '../../family.ts'
import { allows } from '../../key/addresses.ts'
import { organizations } from '../../organization/model.ts'
import { clusterOf, services, servicesByHash } from '../model.ts'
import { askEngine, findService, waitUntilServing, wakeIfIdle } from './site.ts'

/** The HTTP interface of all services: the host and the password of a call select its service. */

/** How long a query waits until its service is awake, in real time. */
const wakeTimeoutMs = 300_000

export function answerService(request: SqlRequest, { worlds, cors, hosts }: SqlInterface): Promise<Answer> {
  const { method, path, headers } = request
  const query = new URLSearchParams(request.query)
  const credentials = extractCredentials(headers, query)
  // Without query and body, so that the journal has neither statements nor credentials.
  const call: Call = { method, path, query: '', headers, body: '', address: request.address, signal: request.signal }
  const corsHeaders = corsHeadersFor(cors, call)
  const isGet = method === 'GET' || method === 'HEAD'
  const isPing = isGet && (path === '/ping' || (path === '/' && !query.has('query')))
  const record = (answer: () => Answer | Promise<Answer>, world = worlds[0]) =>
    world.record(call, async () => {
      const answered = await answer()
      return { ...answered, headers: { ...answered.headers, ...corsHeaders } }
    })
  if (!corsHeaders) return record(() => answerText(403, 'Pages may not call: name their origin with --cors.\n'))
  if (method === 'OPTIONS') return record(() => answerText(204, ''))
  if (isPing) return record(() => answerText(200, 'Ok.\n'))
  if (path !== '/')
    return record(() => answerText(404, `There is no handle ${path}\n\nUse / or /ping for health checks.\n`))
  const cluster = (headers.host ?? '').split(/[.:]/)[0]!
  const { user, password, isGiven } = credentials
  const matches = isGiven && user === 'default' ? findServices(worlds, cluster, password) : []
  return record(async () => {
    try {
      return await askService(selectService(matches, hosts, credentials), { ...request, query })
    } catch (error) {
      if (error instanceof SqlException) return refuse(error)
      throw error
    }
  }, matches[0]?.sql)
}

async function askService(
  { service, sql, place }: ServiceMatch,
  request: Omit<SqlRequest, 'query'> & { query: URLSearchParams },
) {
  const sentence = 'The IP access list of the service does not have this address'
  if (!allows(service.ipAccessList ?? [], request.address))
    throw new SqlException(195, 'IP_ADDRESS_NOT_ALLOWED', sentence, 403)
  // A query does not start a stopped service.
  wakeIfIdle(sql, place)
  if (!(await waitUntilServing(sql, place, performance.now() + wakeTimeoutMs, request.signal))) {
    const state = findService(sql, place)?.state ?? 'terminated'
    throw new SqlException(210, 'NETWORK_ERROR', `The service does not answer: its state is ${state}`, 503)
  }
  return askEngine(sql, place, request)
}

const answerText = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body,
  cause: { basis: 'observed', why: body.trim() || 'A preflight of a page' },
})

function refuse(error: SqlException): Answer {
  const { status, message } = error
  const cause: Cause = { basis: 'observed', why: message.split('\n')[0]! }
  const challenge: Record<string, string> =
    status === 401 ? { 'www-authenticate': 'Basic realm="ClickHouse server HTTP API"' } : {}
  return { ...answerException(error, challenge), cause }
}

/** The service of a call, or the exception of ClickHouse for wrong credentials. */
function selectService(matches: readonly ServiceMatch[], hosts: string, { user, isGiven }: Credentials): ServiceMatch {
  // Services of one warehouse share its password: the primary is preferred.
  const [match = matches[0]] = matches.filter(({ service }) => service.isPrimary)
  if (match && matches.every(({ service }) => service.dataWarehouseId === match.service.dataWarehouseId)) return match
  if (matches.length > 1) {
    const names = matches.map(({ service }) => hosts.replace('*', clusterOf(service))).slice(0, 5)
    const advice = `say which one by the host, ${names.join(' or ')}`
    throw new SqlException(36, 'BAD_ARGUMENTS', `The password fits ${matches.length} services: ${advice}`, 400)
  }
  const sentence = `${user}: Authentication failed: password is incorrect, or there is no user with such name.`
  const resetAdvice =
    '\n\nIf you use ClickHouse Cloud, the password can be reset at https://clickhouse.cloud/\non the settings page for the corresponding service.\n\n'
  if (isGiven) throw new SqlException(516, 'AUTHENTICATION_FAILED', sentence + resetAdvice, 403)
  throw new SqlException(194, 'REQUIRED_PASSWORD', sentence + resetAdvice, 401)
}

/** The CORS headers of an answer: none if the caller is not a page, undefined if it is a page that is not allowed. */
function corsHeadersFor(cors: SqlInterface['cors'], call: Call): Record<string, string> | undefined {
  const site = call.headers['sec-fetch-site']
  const isPage = call.headers.origin !== undefined || (site !== undefined && site !== 'none')
  if (!isPage) return {}
  const corsHeaders = cors.open(call, { status: 200, headers: {}, body: '' }).headers
  return corsHeaders['access-control-allow-origin'] === undefined ? undefined : corsHeaders
}

type Credentials = ReturnType<typeof extractCredentials>

/** Reads the credentials of a call, and removes those in its query. */
function extractCredentials(headers: Call['headers'], query: URLSearchParams) {
  const [user, password] = [query.get('user'), query.get('password')]
  for (const name of ['user', 'password', 'quota_key', 'role']) query.delete(name)
  const basic = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const [name, ...rest] = decodeBase64(basic).split(':')
    return credentialsOf(name, rest.join(':'))
  }
  const [name, key] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']]
  if (name !== undefined || key !== undefined) return credentialsOf(name, key)
  if (user !== null || password !== null) return credentialsOf(user, password)
  return { user: 'default', password: '', isGiven: false }
}

/** Decodes base64; empty for anything else. */
function decodeBase64(base64: string): string {
  try {
    const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, char => char.charCodeAt(0)))
  } catch {
    return ''
  }
}

const credentialsOf = (user: string | null | undefined, password: string | null | undefined) => ({
  user: user || 'default',
  password: password ?? '',
  isGiven: true,
})

type ServiceMatch = ReturnType<typeof listServices>[number]

/**
 * The services that a call may be for: the one whose host begins with `cluster`, if it has this password; if no service has
 * this host, all services with this password.
 */
function findServices(worlds: readonly ServicesSql[], cluster: string, password: string): readonly ServiceMatch[] {
  const hashed = hash(password)
  const all = worlds.flatMap(listServices)
  const named = all.filter(({ service }) => clusterOf(service) === cluster)
  return (named.length > 0 ? named : all).filter(({ sql, service, place }) =>
    servicesByHash(sql.world(), place.organizationId).get(hashed)?.includes(service),
  )
}

function listServices(sql: ServicesSql) {
  const world = sql.world()
  return world.list(organizations).flatMap(({ id: organizationId }) => {
    const all = world.list(services, organizationId)
    return all.map(service => ({ sql, service, all, place: { organizationId, serviceId: service.id } }))
  })
}

export function readAwakeById(worlds: readonly ServicesSql[]): ReadonlyMap<string, boolean> {
  const awakeStates = ['running', 'partially_running', 'degraded', 'awaking', 'starting']
  const awakeById = new Map<string, boolean>()
  for (const one of worlds) {
    one.world().applyTime(one.now())
    for (const { service, all } of listServices(one)) {
      // A warehouse has one process, which is needed while any of its services is awake.
      const ofWarehouse = all.filter(({ dataWarehouseId }) => dataWarehouseId === service.dataWarehouseId)
      awakeById.set(
        service.id,
        ofWarehouse.some(({ state }) => awakeStates.includes(state)),
      )
    }
  }
  return awakeById
}
