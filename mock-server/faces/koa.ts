import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Host, Mock } from '../core/mock.ts'
import type { Answer, Call } from '../words/call.ts'
import type { Body } from './body.ts'
import { delay, halfOf } from './chaos.ts'
import { readBody } from './read-body.ts'
import { refuseAtTheDoor } from './refusal-at-the-door.ts'

/**
 * A Koa application, by what its host does with it: mounts its callback, or lets it listen. Said here, so that the types
 * of Koa need not be installed.
 */
export interface KoaApp {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  listen(port?: number, hostname?: string, listening?: () => void): Server
  /** What it is made of, by which other applications mount it. */
  readonly middleware: readonly ((context: never, next: () => Promise<unknown>) => unknown)[]
  /** Failures of the mock itself are reported here; without a listener they are printed. */
  on(event: 'error', listener: (error: unknown) => void): unknown
}

/**
 * Returns an ordinary Koa application that answers as the mock does, for one of its two listeners: it listens by itself, or is
 * mounted in another, whose middleware sees and may change `ctx.status`, `ctx.body` and the headers. It translates and
 * decides nothing: paths are handed over as they were sent, answers go out byte for byte.
 */
export function createKoaApp(mock: Mock, host: Host): KoaApp {
  return createApp(mock, host, write)
}

/**
 * The same for a listener of our own, where nobody stands between: answers go past Koa's response, which is a tenth of the
 * processor time of an update (45 µs, or 50) and a twentieth of that of a read (31.7, or 33.3).
 */
export function createListeningApp(mock: Mock, host: Host): KoaApp {
  const app = createApp(mock, host, deliver)
  app.on('error', (error: NodeJS.ErrnoException) => hasLeft.has(error.code) || app.onerror(error))
  return app
}

/** A caller that hangs up is no failure of ours, and nothing to print. */
export const hasLeft: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

function createApp(mock: Mock, host: Host, send: (answer: Answer, ctx: Koa.Context) => void): Koa {
  const app = new Koa()
  app.use(async ctx => {
    const body = await bodyOf(ctx, mock.limits.body)
    // The caller went away.
    if (!body) {
      ctx.respond = false
      return
    }
    const call = new ReceivedCall(ctx.req, ctx.res, body)
    let answer: Answer
    try {
      answer = await mock.answer(call, host)
    } catch (error) {
      app.emit('error', error, ctx)
      const says = 'The mock failed to answer: please report it with the request.'
      answer = mock.cors.open(call, refuseAtTheDoor(host, 500, says))
    }
    if (answer.trouble) await delay(answer.trouble.delayMs)
    if (!answer.trouble?.break) return send(answer, ctx)
    ctx.respond = false
    if (!ctx.res.destroyed) breakOff(answer, ctx.res)
  })
  return app
}

function write({ status, headers, body }: Answer, ctx: Koa.Context) {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
  // What Koa concludes from the body: it has a type for each, and none is as long as an answer to HEAD says.
  if (headers['content-type'] === undefined) ctx.remove('content-type')
  if (headers['content-length'] !== undefined) ctx.set('content-length', headers['content-length'])
}

/** Node copies a longer text for its length, again with its head, and again for the wire: as bytes, 1,000 members cost half. */
const long = 16 * 1024

function deliver({ status, headers, body }: Answer, ctx: Koa.Context) {
  ctx.respond = false
  const { res, method } = ctx
  if (res.destroyed) return
  const bodiless = status === 204 || status === 304
  const isTold = bodiless || headers['content-length'] !== undefined
  const sent = body.length > long ? Buffer.from(body) : body
  // A list of names and values, which Node writes as it is: to copy the headers and look them up is a twentieth of a read.
  const lines: (string | number)[] = isTold ? [] : ['content-length', Buffer.byteLength(sent)]
  for (const name in headers) lines.push(name, headers[name]!)
  res.writeHead(status, lines)
  res.end(bodiless || method === 'HEAD' ? undefined : sent)
}

/** Middleware before may have read the body, and parsers leave its text there. */
const bodyOf = ({ req, request }: Koa.Context, limit: number): Body | Promise<Body | undefined> =>
  req.readableEnded ? { body: (request as { rawBody?: string }).rawBody ?? '' } : readBody(req, limit)

/** A class, because V8 keeps what the getter of an object literal closes over until its next full collection. */
class ReceivedCall implements Call {
  readonly method
  readonly path
  readonly query
  readonly headers: Call['headers']
  readonly address
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
    this.body = body
    this.unread = unread
    this.#response = response
  }

  /** Made when somebody asks for it: aborted when the client leaves before it has its answer. */
  get signal(): AbortSignal {
    const response = this.#response
    const controller = new AbortController()
    if (response.destroyed) controller.abort()
    else response.once('close', () => response.writableFinished || controller.abort())
    return controller.signal
  }
}

/** A proxy's client sends the whole address as the request target. */
export function originForm(url: string): string {
  if (url.startsWith('/') || url === '*') return url
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

function breakOff({ trouble, status, headers, body }: Answer, response: ServerResponse) {
  if (trouble?.break === 'drop') return void response.destroy()
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.write(halfOf(bytes), () => response.destroy())
}
