import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Host, Mock } from '../core/mock.ts'
import type { Answer, Call } from '../words/call.ts'
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
  /** Failures of the mock itself are reported here; without a listener they are printed. */
  on(event: 'error', listener: (error: unknown) => void): unknown
}

/**
 * Returns a Koa application that answers as the mock does, for one of its two listeners. It translates and decides
 * nothing: paths are handed over as they were sent, answers go out byte for byte.
 */
export function createKoaApp(mock: Mock, host: Host): KoaApp {
  const app = new SelfAnswering()
  app.use(async ctx => {
    const call = await readCall(ctx.req, mock.limits.body)
    if (!call) return
    let answer: Answer
    try {
      answer = await mock.answer(call, host)
    } catch (error) {
      app.emit('error', error, ctx)
      const says = 'The mock failed to answer: please report it with the request.'
      answer = mock.cors.open(call, refuseAtTheDoor(host, 500, says))
    }
    if (answer.trouble) await delay(answer.trouble.delayMs)
    deliver(answer, call.method, ctx.res)
  })
  return app
}

/**
 * Koa without its own ending of a request: here each is answered to the last byte, even an empty one, for which Koa has a
 * text of its own. To be told of the end of every response is a fifth of the processor time of a request (6 of 35 µs).
 */
class SelfAnswering extends Koa {
  handleRequest(ctx: Koa.Context, answer: (ctx: Koa.Context) => Promise<void>): Promise<void> {
    return answer(ctx).catch(error => ctx.onerror(error))
  }
}

async function readCall(request: IncomingMessage, limit: number): Promise<Call | undefined> {
  const body = await readBody(request, limit)
  if (!body) return undefined
  const url = originForm(request.url!)
  const mark = url.indexOf('?')
  return {
    method: request.method!,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers as Call['headers'],
    address: request.socket.remoteAddress,
    body: body.body,
    unread: body.unread,
  }
}

/** A proxy's client sends the whole address as the request target. */
export function originForm(url: string): string {
  if (url.startsWith('/') || url === '*') return url
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

const long = 16 * 1024

function deliver(answer: Answer, method: string, response: ServerResponse) {
  if (response.destroyed) return
  if (answer.trouble?.break) return breakOff(answer, response)
  const { status, headers, body } = answer
  const bodiless = status === 204 || status === 304
  // As a text, a long body would be copied for its length, again with its head, and again for the wire.
  const sent = body.length > long ? Buffer.from(body) : body
  const length = Buffer.byteLength(sent)
  const isTold = bodiless || (method === 'HEAD' && body === '') || headers['content-length'] !== undefined
  // Names and values in one list, as Node writes them: a copy of the headers costs twice the loop.
  const lines: (string | number)[] = isTold ? [] : ['content-length', length]
  for (const name in headers) lines.push(name, headers[name]!)
  response.writeHead(status, lines)
  if (bodiless || method === 'HEAD') response.end()
  // A text that is as long in bytes as in characters is ASCII, which Node writes faster when it is told so.
  else response.end(sent, length === body.length ? 'latin1' : 'utf8')
}

function breakOff({ trouble, status, headers, body }: Answer, response: ServerResponse) {
  if (trouble?.break === 'drop') return void response.destroy()
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.write(halfOf(bytes), () => response.destroy())
}
