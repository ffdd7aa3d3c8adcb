import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from '../core/call.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown
type Refuse = (status: number, says: string) => Answer

/**
 * Limits of every listener: 64 KiB of request headers, which must be there within a minute, the whole request within
 * five. An idle connection is kept for as long as the caller likes, so that none is closed under a request on its way.
 */
const limits = { maxHeaderSize: 64 * 1024, headersTimeout: 60_000, requestTimeout: 300_000, keepAliveTimeout: 0 }

/** Returns an HTTP server that answers also what is no HTTP with `refuse`, where Node would send an empty or plain text. */
export function createListener(handle: Handler, refuse: Refuse): Server {
  const answer: Handler = (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return handle(request, response)
    const { status, headers, body } = refuse(400, 'The request has no Host header, which HTTP/1.1 asks for.')
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
  }
  const server = createServer({ ...limits, requireHostHeader: false }, answer)
  // Whatever is expected beyond 100-continue is ignored: Node would answer 417 without a body.
  server.on('checkExpectation', answer)
  server.on('connect', (_request, socket) => {
    hangUp(socket, refuse(405, 'CONNECT is for proxies, and this is none.'))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Answers to requests that came before on this connection leave first.
    setImmediate(() => hangUp(socket, refuse(...reasonOf(error))))
  })
  return server
}

function reasonOf({ code }: NodeJS.ErrnoException): [status: number, says: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'The headers of the request are longer than 64 KiB.']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request did not arrive in time.']
  return [400, 'The request is not HTTP.']
}

function hangUp(socket: Duplex, { status, headers, body }: Answer) {
  if (!socket.writable) return void socket.destroy()
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`)
}
