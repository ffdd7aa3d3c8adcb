import type { AnswerReads } from '../core/usage/place.ts'
import type { Mock } from '../mock/mock.ts'
import { type Answer, type Call, hasNoBody, type Listener } from '../words/call.ts'
import { checkedLater, checkOptions, writeValue } from '../words/check-options.ts'
import { memoize } from '../words/memoize.ts'
import { type Body, decodeBody, noBody, unreadBody } from './body.ts'
import { delay, halfOf } from './chaos.ts'
import { WatchedResponse } from './watch-reads.ts'

/** The base addresses of the two APIs. Calls to an API without one are not answered. */
export interface FetchBases {
  readonly cloud?: string
  readonly selfHosted?: string
}

/** Names below localhost: browsers do not block them as mixed content, and no secret leaves the machine. */
export const defaultBases = { cloud: 'http://cloud.localhost', selfHosted: 'http://self-hosted.localhost' } as const

/**
 * Returns a function like `fetch`, whose requests the mock answers in process and without a port: below its bases as it would
 * there, also with 404. With `recordsReads`, usage notes which fields of its answers the program reads. A request elsewhere fails like one to an unreachable address, so that no test reaches out by mistake.
 */
export function createFetch(
  mock: Mock,
  bases: FetchBases | readonly FetchBases[] = defaultBases,
  recordsReads = false,
): typeof globalThis.fetch {
  const sites = [bases].flat().flatMap(one => locate(mock, one))
  return async (input, init) => {
    const request = new Request(input, init)
    const site = findSite(sites, request.url) ?? sites.find(({ inside }) => inside.test(request.url))
    if (!site) {
      const known = sites.map(({ base }) => base).join(' and ') || 'no address'
      throw new TypeError(
        `${request.method} ${request.url} failed: the mock answers only ${known}, and forwards nothing`,
      )
    }
    const response = await unlessAborted(
      request.signal,
      answerRequest(mock, site, request, recordsReads ? { places: [] } : undefined),
    )
    if (response.type === 'error') throw new TypeError('fetch failed: the connection was closed without an answer')
    return Object.defineProperty(response, 'url', { value: request.url })
  }
}

/** One of the two APIs at a base address. */
export interface Site {
  readonly listener: Listener
  /** The base as it was given. */
  readonly base: string
  readonly origin: string
  /** The path of the base, without a slash at its end. */
  readonly prefix: string
  /** Matches all addresses below the base, some of which may be those of an application. */
  readonly inside: RegExp
  /** Matches the addresses of the API, without a query. */
  own(): RegExp
}

/** The site whose API has the address. */
export function findSite(sites: readonly Site[], url: string): Site | undefined {
  const address = url.replace(/[?#][\s\S]*/, '')
  return sites.find(site => site.own().test(address))
}

export function locate(mock: Pick<Mock, 'ownPaths'>, bases: FetchBases): readonly Site[] {
  checkOptions('bases', { cloud: checkedLater(), selfHosted: checkedLater() }, bases)
  const apis: Listener[] = ['cloud', 'selfHosted']
  return apis.flatMap(api => {
    const base = bases[api]
    if (base === undefined) return []
    if (!URL.canParse(base)) {
      throw new Error(`bases.${api}: Expected an address such as ${defaultBases[api]}, received ${writeValue(base)}`)
    }
    const { origin, pathname } = new URL(base)
    const prefix = pathname.replace(/\/$/, '')
    const start = `^${(origin + prefix).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
    const inside = new RegExp(`${start}([/?#]|$)`)
    const below = memoize(({ source, flags }: RegExp) => new RegExp(source.replace('^', start), flags), 1)
    return { listener: api, base, origin, prefix, inside, own: () => below(mock.ownPaths(api)) }
  })
}

/** Passes a request to the mock byte for byte, and returns its answer as a Response, or a network error if there is none. */
export async function answerRequest(mock: Mock, site: Site, request: Request, reads?: AnswerReads): Promise<Response> {
  const read = await readCall(request, site, mock.limits.body)
  const call = reads ? { ...read, reads } : read
  const answer = await mock.answer(call, site.listener)
  await delay(answer.disturbance?.delayMs)
  if (answer.disturbance?.break === 'drop') return Response.error()
  return respond(answer, request, reads?.places)
}

function unlessAborted<T>(signal: AbortSignal, answered: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    answered.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function readCall(request: Request, { origin, prefix }: Site, limit: number): Promise<Call> {
  const { host, pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: pathname.slice(prefix.length) || '/',
    query: search.slice(1),
    headers: { host, ...Object.fromEntries(request.headers) },
    base: origin + prefix,
    signal: request.signal,
    ...(await readBody(request, limit)),
  }
}

const formats: Readonly<Record<string, CompressionFormat | undefined>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

async function readBody(request: Request, limit: number): Promise<Body> {
  if (!request.body) return noBody
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  const format = formats[encoding]
  if (!format && encoding !== 'identity') return unreadBody('unsupported-encoding')
  try {
    const inflated = format ? request.body.pipeThrough(new DecompressionStream(format)) : request.body
    const bytes = await collect(inflated, limit)
    return bytes ? decodeBody(bytes, request.headers.get('content-type')) : unreadBody('too-large')
  } catch {
    return unreadBody('invalid-encoding')
  }
}

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > limit) {
      // Not awaited: MSW keeps a clone of the request, and cancelling a body resolves only when its clone is cancelled, too.
      void reader.cancel()
      return undefined
    }
    chunks.push(next.value as Uint8Array<ArrayBuffer>)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function respond(
  { status, headers, body, stream, disturbance }: Answer,
  { method, signal }: Request,
  places: AnswerReads['places'] = [],
): Response {
  const create = (whole: BodyInit | null, init: ResponseInit) =>
    whole === null || places.length === 0 ? new Response(whole, init) : new WatchedResponse(whole, init, places)
  if (stream) return create(streamOf(stream, signal), { status, headers })
  const isEmpty = hasNoBody(status)
  const bytes = new TextEncoder().encode(isEmpty ? '' : body)
  const hasLength = status === 204 || status === 304 || headers['content-length'] !== undefined
  const sent = hasLength ? headers : { ...headers, 'content-length': String(bytes.length) }
  const whole = isEmpty || method === 'HEAD' ? null : bytes
  return create(disturbance?.break && whole ? breakOff(whole) : whole, { status, headers: sent })
}

function streamOf(source: AsyncIterable<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream({
    start(controller) {
      const abort = () => {
        controller.error(signal.reason)
        void iterator.return?.()
      }
      signal.addEventListener('abort', abort, { once: true })
    },
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

function breakOff(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isHalfway = false
  return new ReadableStream({
    // The error follows in a second pull, because it discards a chunk that has not been read.
    pull(controller) {
      if (isHalfway) controller.error(new TypeError('terminated: the answer broke off in the middle'))
      else controller.enqueue(halfOf(bytes))
      isHalfway = true
    },
  })
}
