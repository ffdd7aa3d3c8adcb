import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Koa from 'koa'
import type { Mock } from '../mock/mock.ts'
import { type Answer, type Call, hasNoBody, type Listener } from '../words/call.ts'
import type { Body } from './body.ts'
import { delay, halfOf } from './chaos.ts'
import { writeListenerRefusal } from './listener.ts'
import { readBody } from './read-body.ts'

/** The members of a Koa application that users need. Declared here, so that the types of Koa need not be installed. */
export interface KoaApp {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  listen(port?: number, hostname?: string, listening?: () => void): Server
  /** The middleware, by which other applications mount it. */
  readonly middleware: readonly ((context: never, next: () => Promise<unknown>) => unknown)[]
  /** Errors of the mock itself are emitted here; without a listener they are printed. */
  on(event: 'error', listener: (error: unknown) => void): unknown
}

/**
 * Returns an ordinary Koa application for one of the two listeners of the mock. It listens by itself, or is mounted in
 * another application, whose middleware sees and may change `ctx.status`, `ctx.body` and the headers. Paths are passed on as
 * they were sent, and answers sent byte for byte.
 */
export function createKoaApp(mock: Mock, listener: Listener): KoaApp {
  return createApp(mock, listener, write)
}

/**
 * The same for our own listener, without other middleware: answers bypass Koa's response, which saves an eighth of the CPU
 * time of a read (an alert: 73.7 instead of 83.8 µs under load) and 3 % of that of an update.
 */
export function createListeningApp(mock: Mock, listener: Listener): KoaApp {
  const app = createApp(mock, listener, deliver)
  app.on('error', (error: NodeJS.ErrnoException) => disconnectCodes.has(error.code) || app.onerror(error))
  return app
}

/** A client that disconnects is not an error of the mock, and not printed. */
export const disconnectCodes: ReadonlySet<string | undefined> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
])

function createApp(mock: Mock, listener: Listener, send: (answer: Answer, ctx: Koa.Context) => void): Koa {
  const app = new Koa()
  app.use(async ctx => {
    const body = await bodyOf(ctx, mock.limits.body)
    // The client disconnected.
    if (!body) {
      ctx.respond = false
      return
    }
    const call = new ReceivedCall(ctx.req, ctx.res, body)
    let answer: Answer
    try {
      answer = await mock.answer(call, listener)
    } catch (error) {
      app.emit('error', error, ctx)
      const sentence = 'The mock failed to answer: please report this with the request.'
      answer = mock.cors.open(call, writeListenerRefusal(listener, 500, sentence))
    }
    if (answer.disturbance) await delay(answer.disturbance.delayMs)
    if (!answer.disturbance?.break) return send(answer, ctx)
    ctx.respond = false
    if (answer.stream) void Readable.from(answer.stream).destroy()
    if (!ctx.res.destroyed) breakOff(answer, ctx.res)
  })
  return app
}

function write({ status, headers, body, stream }: Answer, ctx: Koa.Context) {
  ctx.status = status
  ctx.set(headers)
  ctx.body = stream ? Readable.from(stream) : body
  // Corrects the headers that Koa derives from the body: a type, and a wrong length for HEAD.
  if (headers['content-type'] === undefined) ctx.remove('content-type')
  if (headers['content-length'] !== undefined) ctx.set('content-length', headers['content-length'])
}

/** Node copies a long string three times to send it; a Buffer halves the time of an answer with 1,000 members. */
const maxStringLength = 16 * 1024

function deliver({ status, headers, body, stream }: Answer, ctx: Koa.Context) {
  ctx.respond = false
  const { res, method } = ctx
  if (stream) {
    res.writeHead(status, headers)
    // If the client disconnects, the stream of the engine ends; if the engine does, the response ends.
    return void pipeline(Readable.from(stream), res).catch(() => {})
  }
  if (res.destroyed) return
  const text = hasNoBody(status) ? '' : body
  const hasLength = status === 204 || status === 304 || headers['content-length'] !== undefined
  const sent = text.length > maxStringLength ? Buffer.from(text) : text
  res.writeHead(status, hasLength ? headers : { 'content-length': Buffer.byteLength(sent), ...headers })
  res.end(method === 'HEAD' ? undefined : sent)
}

/** Earlier middleware may have read the body: body parsers keep its text in `rawBody`. */
const bodyOf = ({ req, request }: Koa.Context, limit: number): Body | Promise<Body | undefined> =>
  req.readableEnded ? { body: (request as { rawBody?: string }).rawBody ?? '' } : readBody(req, limit)

/** A class: V8 would keep the closure of a getter in an object literal until the next full garbage collection. */
class ReceivedCall implements Call {
  readonly method
  readonly path
  readonly query
  readonly headers: Call['headers']
  readonly address
  readonly base
  readonly body
  readonly unread
  readonly #response

  constructor(request: IncomingMessage, response: ServerResponse, { body, unread }: Body) {
    const url = originForm(request.url!)
    const mark = url.indexOf('?')
    this.method = request.method!
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? '' : url.slice(mark + 1)
    this.headers = request.headers as Call['headers']
    this.address = request.socket.remoteAddress
    this.base = 'encrypted' in request.socket ? `https://${request.headers.host}` : undefined
    this.body = body
    this.unread = unread
    this.#response = response
  }

  /** Created on demand; aborted if the client disconnects before it has its answer. */
  get signal(): AbortSignal {
    const response = this.#response
    const controller = new AbortController()
    if (response.destroyed) controller.abort()
    else response.once('close', () => response.writableFinished || controller.abort())
    return controller.signal
  }
}

/** The path and query of a request target, which is an absolute URL if the client uses a proxy. */
export function originForm(url: string): string {
  if (url.startsWith('/') || url === '*') return url
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

function breakOff({ disturbance, status, headers, body }: Answer, response: ServerResponse) {
  if (disturbance?.break === 'drop') return void response.destroy()
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.write(halfOf(bytes), () => response.destroy())
}
