import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createDoor, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createServer as createSecure, createSecureContext, type SecureContext } from 'node:tls'
import type { Mock } from '../../core/mock.ts'
import { type FoundService, findServices, surveyServices } from '../../core/sql/find-service.ts'
import { askEngine, lookUp, notServing, untilServing, wake } from '../../core/sql/site.ts'
import { allows } from '../../families/key/addresses.ts'
import { isServing } from '../../families/service/load.ts'
import { clusterOf } from '../../families/service/make-service.ts'
import { answerException, bytesOf, type SqlAnswer, SqlException } from '../../words/sql.ts'
import { originForm } from '../koa.ts'
import type { Authority } from './certificate.ts'
import { takeCredentials } from './credentials.ts'

/** The HTTP interface of all services, on one port. */
export interface SqlListener {
  readonly server: Server
  /** Answers what is under way, for so many milliseconds at most, and closes all connections. */
  drain(withinMs: number): Promise<void>
}

export interface SqlListenerOptions {
  readonly authority: Authority
  /** The host of a service, in which `*` stands for its own word. */
  readonly hosts: string
}

/** How long a query waits for its service to awake, in milliseconds of real time. */
const patience = 300_000
/** How often engines learn which services sleep or are gone, in milliseconds. */
const surveyEvery = 1000

export function createSqlListener(mock: Mock, options: SqlListenerOptions): SqlListener {
  const { authority, hosts } = options
  const sockets = new Set<Socket>()
  // A body may be an hour's upload.
  const http = createServer({ requestTimeout: 0, headersTimeout: mock.limits.headersMs }, (request, response) => {
    send(answer(mock, options, request, response), request, response).catch(() => response.destroy())
  })
  http.keepAliveTimeout = mock.limits.idleMs
  const secure = createSecure(
    {
      ...authority.issue(['localhost', '127.0.0.1', '::1', hosts.replace(/^\*\./, '')]),
      SNICallback: createContexts(authority, hosts),
      ALPNProtocols: ['http/1.1'],
    },
    socket => http.emit('connection', socket),
  )
  secure.on('tlsClientError', (_, socket) => socket.destroy())
  const server = createDoor(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(mock.limits.headersMs, () => socket.destroy())
    socket.once('data', first => {
      socket.setTimeout(0)
      socket.pause()
      socket.unshift(first)
      // The first byte of a TLS handshake, which no method begins with.
      ;(first[0] === 0x16 ? secure : http).emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
  server.maxConnections = mock.limits.connections
  const timer = setInterval(() => survey(mock), surveyEvery).unref()
  return {
    server,
    async drain(withinMs) {
      clearInterval(timer)
      const closed = new Promise(resolve => server.close(resolve))
      http.closeIdleConnections()
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, withinMs)
      await closed
      clearTimeout(late)
    },
  }
}

/**
 * The certificate of each host that a client names: one for all services will not do, as clients take no `*` before a name
 * of one word.
 */
function createContexts(authority: Authority, hosts: string) {
  const suffixes = ['.localhost', hosts.replace(/^\*/, '')]
  const contexts = new Map<string, SecureContext>()
  return (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    const isOurs = /^[\w-]+\./.test(name) && suffixes.some(suffix => name.replace(/^[\w-]+/, '') === suffix)
    if (!isOurs) return done(null)
    const context = contexts.get(name) ?? createSecureContext(authority.issue([name]))
    if (contexts.size >= mostContexts) contexts.clear()
    contexts.set(name, context)
    done(null, context)
  }
}
const mostContexts = 200

/** Lets the engine end what serves services that sleep, and delete what was kept for those that are gone. */
function survey(mock: Mock): void {
  const { engine } = mock.sql
  const held = engine?.held() ?? []
  if (held.length === 0) return
  const states = surveyServices([mock, ...mock.worlds.all()])
  for (const id of held) {
    const isAwake = states.get(id)
    if (isAwake === undefined) void engine!.drop(id).catch(() => {})
    else if (!isAwake) engine!.rest(id)
  }
}

async function send(answered: Promise<SqlAnswer>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await answered
  // What still comes of a body that nobody wants is read: a client reads its refusal only after it has sent all.
  if (!request.readableEnded && status >= 400) request.resume()
  response.writeHead(status, headers)
  if (request.method === 'HEAD') return void response.end()
  await pipeline(Readable.from(body), response)
}

const text = (status: number, says: string): SqlAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body: bytesOf(says),
})

async function answer(
  mock: Mock,
  { hosts }: SqlListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<SqlAnswer> {
  const { headers, socket } = request
  const [, path = '/', search = ''] = /^([^?]*)\??(.*)$/s.exec(originForm(request.url ?? '/'))!
  const query = new URLSearchParams(search)
  const { user, password, isGiven } = takeCredentials(headers, query)
  const opened = openToPage(mock, request)
  if (!opened) return text(403, 'Pages may not call: name their origin with --cors.\n')
  if (request.method === 'OPTIONS') return { ...text(204, ''), headers: opened }
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  if (isGet && (path === '/ping' || (path === '/' && !query.has('query')))) return text(200, 'Ok.\n')
  if (path !== '/') return text(404, `There is no handle ${path}\n\nUse / or /ping for health checks.\n`)
  try {
    const cluster = (headers.host ?? '').split(/[.:]/)[0]!
    const found = isGiven && user === 'default' ? findServices([mock, ...mock.worlds.all()], cluster, password) : []
    const one = choose(found, hosts, { user, isGiven })
    if (!allows(one.service.ipAccessList ?? [], socket.remoteAddress))
      throw new SqlException(
        195,
        'IP_ADDRESS_NOT_ALLOWED',
        'The IP access list of the service does not have this address',
        403,
      )
    await awaken(one, response)
    const controller = new AbortController()
    response.once('close', () => response.writableFinished || controller.abort())
    const sent = headers as Readonly<Record<string, string | undefined>>
    const call = { method: request.method!, query, headers: sent, body: request, signal: controller.signal }
    const answered = await askEngine(one.world.sql, one.place, call)
    return { ...answered, headers: { ...answered.headers, ...opened } }
  } catch (error) {
    if (!(error instanceof SqlException)) throw error
    const asks: Record<string, string> =
      error.status === 401 ? { 'www-authenticate': 'Basic realm="ClickHouse server HTTP API"' } : {}
    return answerException(error, { ...asks, ...opened })
  }
}

/** The one service that is meant, or ClickHouse's words for wrong credentials. */
function choose(
  found: readonly FoundService[],
  hosts: string,
  { user, isGiven }: { readonly user: string; readonly isGiven: boolean },
): FoundService {
  // Services of one warehouse share its password: the one that has the data is meant.
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
  const says = `${user}: Authentication failed: password is incorrect, or there is no user with such name.`
  const reset =
    '\n\nIf you use ClickHouse Cloud, the password can be reset at https://clickhouse.cloud/\non the settings page for the corresponding service.\n\n'
  if (isGiven) throw new SqlException(516, 'AUTHENTICATION_FAILED', says + reset, 403)
  throw new SqlException(194, 'REQUIRED_PASSWORD', says + reset, 401)
}

/** Wakes a service that idles, and waits until it serves. One that was stopped is not started by a query. */
async function awaken({ world, place }: FoundService, response: ServerResponse): Promise<void> {
  const site = world.sql
  const service = lookUp(site, place)
  if (service && isServing(service)) return
  wake(site, place)
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  if (await untilServing(site, place, performance.now() + patience, leaving.signal)) return
  throw notServing(lookUp(site, place)?.state ?? 'terminated')
}

/** The CORS headers of an answer; undefined for a page that may not call. A caller that is no page has none. */
function openToPage(mock: Mock, { method = '', headers }: IncomingMessage): Record<string, string> | undefined {
  const site = headers['sec-fetch-site']
  const isPage = headers.origin !== undefined || (site !== undefined && site !== 'none')
  if (!isPage) return {}
  const call = { method, headers: headers as Readonly<Record<string, string | undefined>> }
  const opened = mock.cors.open(call, { status: 200, headers: {}, body: '' }).headers
  return opened['access-control-allow-origin'] === undefined ? undefined : opened
}
