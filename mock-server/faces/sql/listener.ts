import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createServer as createSecure, createSecureContext, type SecureContext } from 'node:tls'
import type { Mock } from '../../mock/mock.ts'
import type { Call } from '../../words/call.ts'
import { SqlRefused } from '../../words/sql.ts'
import { type DrainServer, drainPassedOn } from '../drain.ts'
import { originForm } from '../koa.ts'
import { readHost } from '../read-host.ts'
import type { Listening } from '../serve.ts'
import { type Authority, openAuthority } from './certificate.ts'

/** Creates the HTTP interface of all services with its certificate, and writes the certificate authority to the file of `sqlCa`. */
export async function openSqlListener(
  mock: Mock,
  { sqlHost: hosts = '*.localhost', sqlCa, sqlFolder }: Pick<Listening, 'sqlHost' | 'sqlCa' | 'sqlFolder'>,
): Promise<{ readonly server: Server; readonly drain: DrainServer; readonly hosts: string; readonly ca?: string }> {
  if (readHost(hosts.replace(/^\*\./, '')) === undefined)
    throw new SqlRefused(`--sql-host takes a host such as mock.test or *.mock.test, not "${hosts}".`)
  const authority = await openAuthority(sqlFolder)
  if (sqlCa !== undefined) {
    try {
      writeFileSync(sqlCa, authority.ca)
    } catch (error) {
      throw new SqlRefused(`--sql-ca ${sqlCa}: ${(error as Error).message}. Name another file.`)
    }
  }
  return { ...(await createSqlListener(mock, authority, hosts)), hosts, ...(sqlCa && { ca: resolve(sqlCa) }) }
}

/** Interval of `stopUnusedServices`. */
const checkEveryMs = 1000

async function createSqlListener(mock: Mock, authority: Authority, hosts: string) {
  const sockets = new Set<Socket>()
  // Uploads may take hours.
  const http = createServer({ requestTimeout: 0, headersTimeout: mock.limits.headersMs }, (request, response) => {
    answer(mock, request, response).catch(() => response.destroy())
  })
  http.keepAliveTimeout = mock.limits.idleMs
  const secure = createSecure(
    {
      ...(await authority.issue(['localhost', '127.0.0.1', '::1', hosts.replace(/^\*\./, '')])),
      SNICallback: createSniCallback(authority, hosts),
      ALPNProtocols: ['http/1.1'],
    },
    socket => http.emit('connection', socket),
  )
  secure.on('tlsClientError', (_, socket) => socket.destroy())
  const server = createTcpServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(mock.limits.headersMs, () => socket.destroy())
    socket.once('data', first => {
      socket.setTimeout(0)
      socket.pause()
      socket.unshift(first)
      // 0x16 is the first byte of a TLS handshake, and begins no HTTP method.
      ;(first[0] === 0x16 ? secure : http).emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
  server.maxConnections = mock.limits.connections
  const timer = setInterval(() => stopUnusedServices(mock), checkEveryMs).unref()
  return {
    server,
    async drain(withinMs: number) {
      clearInterval(timer)
      await drainPassedOn(server, http, sockets, withinMs)
    },
  }
}

/** Issues a certificate for each host name, because clients accept no wildcard before a single label, as in `*.localhost`. */
function createSniCallback(authority: Authority, hosts: string) {
  const suffixes = ['.localhost', hosts.replace(/^\*/, '')]
  const contexts = new Map<string, Promise<SecureContext>>()
  return (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    const isOurs = /^[\w-]+\./.test(name) && suffixes.some(suffix => name.replace(/^[\w-]+/, '') === suffix)
    if (!isOurs) return done(null)
    const context = contexts.get(name) ?? authority.issue([name]).then(createSecureContext)
    if (contexts.size >= maxContexts) contexts.clear()
    contexts.set(name, context)
    context.then(made => done(null, made), done)
  }
}
const maxContexts = 200

/** Stops the processes of services that sleep, and drops the data of services that are gone. */
function stopUnusedServices(mock: Mock): void {
  const { engine } = mock.sql
  const serviceIds = engine?.listServices() ?? []
  if (serviceIds.length === 0) return
  const worlds = [mock, ...mock.worlds.all()].map(({ sql }) => sql)
  const awakeById = mock.deployment().core.sql?.readAwakeById(worlds) ?? new Map()
  for (const id of serviceIds) {
    const isAwake = awakeById.get(id)
    if (isAwake === undefined) void engine!.drop(id).catch(() => {})
    else if (!isAwake) engine!.suspend(id)
  }
}

async function answer(mock: Mock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers, socket } = request
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(originForm(request.url ?? '/'))!
  const controller = new AbortController()
  response.once('close', () => response.writableFinished || controller.abort())
  const sent = headers as Call['headers']
  const { signal } = controller
  const call = { method, path, query, headers: sent, body: request, address: socket.remoteAddress, signal }
  const answered = await mock.answerSql(call)
  // Reads the rest of a refused body: a client reads the refusal only after it has sent everything.
  if (!request.readableEnded && answered.status >= 400) request.resume()
  response.writeHead(answered.status, answered.headers)
  if (method === 'HEAD' || !answered.stream) return void response.end(method === 'HEAD' ? undefined : answered.body)
  await pipeline(Readable.from(answered.stream), response)
}
