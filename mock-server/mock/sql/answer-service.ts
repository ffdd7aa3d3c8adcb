import type { Cors } from '../../core/cors.ts'
import { allows } from '../../families/key/addresses.ts'
import { clusterOf } from '../../families/service/make-service.ts'
import type { Answer, Call } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import { answerException, SqlException, type SqlRequest } from '../../words/sql.ts'
import type { MockWorld } from '../mock-world.ts'
import { type FoundService, findServices } from './find-service.ts'
import { askEngine, findService, notServing, waitUntilServing, wake } from './site.ts'

/** The HTTP interface of all services, whose calls find theirs by host and password. */

/** How long a query waits for its service to awake, in milliseconds of real time. */
const answerTimeoutMs = 300_000

interface CommandContext {
  /** The first world gets the calls of no service. */
  readonly worlds: readonly [MockWorld, ...MockWorld[]]
  readonly cors: Cors
  /** The host of a service, in which `*` stands for its own word. */
  readonly hosts: string
}

export function answerService(request: SqlRequest, { worlds, cors, hosts }: CommandContext): Promise<Answer> {
  const { method, path, headers } = request
  const query = new URLSearchParams(request.query)
  const credentials = takeCredentials(headers, query)
  // Without query and body, so that the journal has neither statements nor credentials.
  const call: Call = { method, path, query: '', headers, body: '', address: request.address, signal: request.signal }
  const opened = openToPage(cors, call)
  const isGet = method === 'GET' || method === 'HEAD'
  const isPing = isGet && (path === '/ping' || (path === '/' && !query.has('query')))
  const record = (answer: () => Answer | Promise<Answer>, world = worlds[0]) =>
    world.sql.record(call, async () => {
      const answered = await answer()
      return { ...answered, headers: { ...answered.headers, ...opened } }
    })
  if (!opened) return record(() => text(403, 'Pages may not call: name their origin with --cors.\n'))
  if (method === 'OPTIONS') return record(() => text(204, ''))
  if (isPing) return record(() => text(200, 'Ok.\n'))
  if (path !== '/') return record(() => text(404, `There is no handle ${path}\n\nUse / or /ping for health checks.\n`))
  const cluster = (headers.host ?? '').split(/[.:]/)[0]!
  const { user, password, isGiven } = credentials
  const found = isGiven && user === 'default' ? findServices(worlds, cluster, password) : []
  return record(async () => {
    try {
      return await ask(choose(found, hosts, credentials), { ...request, query })
    } catch (error) {
      if (error instanceof SqlException) return refuse(error)
      throw error
    }
  }, found[0]?.world)
}

async function ask(one: FoundService, request: Omit<SqlRequest, 'query'> & { query: URLSearchParams }) {
  if (!allows(one.service.ipAccessList ?? [], request.address))
    throw new SqlException(
      195,
      'IP_ADDRESS_NOT_ALLOWED',
      'The IP access list of the service does not have this address',
      403,
    )
  await awaken(one, request.signal)
  return askEngine(one.world.sql, one.place, request)
}

const text = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body,
  cause: { basis: 'observed', why: body.trim() || 'A preflight of a page' },
})

function refuse(error: SqlException): Answer {
  const { status, message } = error
  const cause: Cause = { basis: 'observed', why: message.split('\n')[0]! }
  const asks: Record<string, string> =
    status === 401 ? { 'www-authenticate': 'Basic realm="ClickHouse server HTTP API"' } : {}
  return { ...answerException(error, asks), cause }
}

/** The service of a call, or the exception of ClickHouse for wrong credentials. */
function choose(found: readonly FoundService[], hosts: string, { user, isGiven }: Credentials): FoundService {
  // Services of one warehouse share its password: prefers the primary.
  const [one = found[0]] = found.filter(({ service }) => service.isPrimary)
  if (one && found.every(({ service }) => service.dataWarehouseId === one.service.dataWarehouseId)) return one
  if (found.length > 1) {
    const names = found.map(({ service }) => hosts.replace('*', clusterOf(service))).slice(0, 5)
    throw new SqlException(
      36,
      'BAD_ARGUMENTS',
      `The password fits ${found.length} services: say which one by the host, ${names.join(' or ')}`,
      400,
    )
  }
  const sentence = `${user}: Authentication failed: password is incorrect, or there is no user with such name.`
  const reset =
    '\n\nIf you use ClickHouse Cloud, the password can be reset at https://clickhouse.cloud/\non the settings page for the corresponding service.\n\n'
  if (isGiven) throw new SqlException(516, 'AUTHENTICATION_FAILED', sentence + reset, 403)
  throw new SqlException(194, 'REQUIRED_PASSWORD', sentence + reset, 401)
}

/** Wakes an idle service, and waits until it serves. A query does not start a stopped service. */
async function awaken({ world: { sql }, place }: FoundService, signal?: AbortSignal): Promise<void> {
  wake(sql, place)
  if (await waitUntilServing(sql, place, performance.now() + answerTimeoutMs, signal)) return
  throw notServing(findService(sql, place)?.state ?? 'terminated')
}

/** The CORS headers of an answer, none for callers that are no pages; undefined for a page that is not allowed. */
function openToPage(cors: Cors, call: Call): Record<string, string> | undefined {
  const site = call.headers['sec-fetch-site']
  const isPage = call.headers.origin !== undefined || (site !== undefined && site !== 'none')
  if (!isPage) return {}
  const opened = cors.open(call, { status: 200, headers: {}, body: '' }).headers
  return opened['access-control-allow-origin'] === undefined ? undefined : opened
}

/** The credentials of a call to the HTTP interface of ClickHouse. */
export interface Credentials {
  readonly user: string
  readonly password: string
  readonly isGiven: boolean
}

/** Reads the credentials of a call, and takes those of its query out of it. */
function takeCredentials(headers: Call['headers'], query: URLSearchParams): Credentials {
  const [user, password] = [query.get('user'), query.get('password')]
  for (const name of ['user', 'password', 'quota_key', 'role']) query.delete(name)
  const basic = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const [name, ...rest] = decode(basic).split(':')
    return given(name, rest.join(':'))
  }
  const [name, key] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']]
  if (name !== undefined || key !== undefined) return given(name, key)
  if (user !== null || password !== null) return given(user, password)
  return { user: 'default', password: '', isGiven: false }
}

/** Decodes base64; empty for anything else. */
function decode(base64: string): string {
  try {
    const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, char => char.charCodeAt(0)))
  } catch {
    return ''
  }
}

const given = (user: string | null | undefined, password: string | null | undefined): Credentials => ({
  user: user || 'default',
  password: password ?? '',
  isGiven: true,
})
