import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createDoor, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createServer as createSecure, createSecureContext, type SecureContext } from 'node:tls'
import type { Mock } from '../../mock/mock.ts'
import { surveyServices } from '../../mock/sql/find-service.ts'
import type { Call } from '../../words/call.ts'
import { originForm } from '../koa.ts'
import type { Authority } from './certificate.ts'

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

/** How often engines learn which services sleep or are gone, in milliseconds. */
const surveyEvery = 1000

export function createSqlListener(mock: Mock, { authority, hosts }: SqlListenerOptions): SqlListener {
  const sockets = new Set<Socket>()
  // A body may be an hour's upload.
  const http = createServer({ requestTimeout: 0, headersTimeout: mock.limits.headersMs }, (request, response) => {
    answer(mock, request, response).catch(() => response.destroy())
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

async function answer(mock: Mock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers, socket } = request
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(originForm(request.url ?? '/'))!
  const controller = new AbortController()
  response.once('close', () => response.writableFinished || controller.abort())
  const sent = headers as Call['headers']
  const { signal } = controller
  const call = { method, path, query, headers: sent, body: request, address: socket.remoteAddress, signal }
  const answered = await mock.answerSql(call)
  // What still comes of a body that nobody wants is read: a client reads its refusal only after it has sent all.
  if (!request.readableEnded && answered.status >= 400) request.resume()
  response.writeHead(answered.status, answered.headers)
  if (method === 'HEAD' || !answered.stream) return void response.end(method === 'HEAD' ? undefined : answered.body)
  await pipeline(Readable.from(answered.stream), response)
}
