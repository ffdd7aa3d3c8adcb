import type { HttpHandler } from 'msw'
import type { Answer, Call } from '../core/call.ts'
import { createMock, type Host, type Mock } from '../core/mock.ts'
import { type Body, bodyLimit, decodeBody, noBody, unread } from './body.ts'
import { delay } from './chaos.ts'

// An optional peer: whoever takes the Koa face alone need not have it.
const msw = await import('msw/core/http').catch(() => undefined)

/** Where the two APIs seem to be. A form that is left out is not intercepted. */
export interface MswBases {
  readonly cloud?: string
  readonly selfHosted?: string
}

/**
 * Returns MSW request handlers, one for each base, that answer as the mock does. They work in Node and in a browser; the
 * routes are the mock's own, so a path that MSW would read in its own way means the same here as over HTTP.
 */
export function createMswHandlers(mock: Mock = createMock(), bases: MswBases): HttpHandler[] {
  if (!msw) throw new Error('create MSW handlers: the package msw is not installed. Run: npm install --save-dev msw')
  const { http } = msw
  const hosts: Host[] = ['cloud', 'selfHosted']
  return hosts.flatMap(host => {
    const base = bases[host]
    if (base === undefined) return []
    const { origin, pathname } = new URL(base)
    const prefix = pathname.replace(/\/$/, '')
    const inside = new RegExp(`^${(origin + prefix).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(/|$)`)
    return http.all(inside, async ({ request }) => {
      const call = await readCall(request, prefix)
      await delay(mock.chaos())
      return respond(mock.answer(call, host), call.method)
    })
  })
}

async function readCall(request: Request, prefix: string): Promise<Call> {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: pathname.slice(prefix.length) || '/',
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    ...(await readBody(request)),
  }
}

const formats: Readonly<Record<string, CompressionFormat | undefined>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

async function readBody(request: Request): Promise<Body> {
  if (!request.body) return noBody
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  const format = formats[encoding]
  if (!format && encoding !== 'identity') return unread('unsupported-encoding')
  try {
    const inflated = format ? request.body.pipeThrough(new DecompressionStream(format)) : request.body
    const bytes = await collect(inflated)
    return bytes ? decodeBody(bytes, request.headers.get('content-type')) : unread('too-large')
  } catch {
    return unread('invalid-encoding')
  }
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > bodyLimit) {
      // Not waited for: MSW keeps a copy of the request, and cancelling one of two ends only with the other.
      void reader.cancel()
      return undefined
    }
    chunks.push(next.value as Uint8Array<ArrayBuffer>)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function respond({ status, headers, body }: Answer, method: string): Response {
  const bodiless = status === 204 || status === 304
  const bytes = new TextEncoder().encode(body)
  const sent = new Headers(headers)
  if (!bodiless && (method !== 'HEAD' || body !== '')) sent.set('content-length', String(bytes.length))
  return new Response(bodiless || method === 'HEAD' ? null : bytes, { status, headers: sent })
}
