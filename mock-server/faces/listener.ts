import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from '../words/call.ts'
import { type Limits, sayBytes, usualLimits } from '../words/limits.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown
/** The request is unknown where it could not be read. */
type Refuse = (status: number, says: string, request?: IncomingMessage) => Answer

/** How often it is looked whether requests arrive in time, in milliseconds. */
const lookEvery = 30_000

/**
 * Waits until what was pipelined before is answered: a response has its socket from then on. Node hands over every request
 * as soon as its headers are there, so one without a body would overtake one whose body is still being read.
 */
function whenItsTurn(response: ServerResponse, proceed: () => void) {
  if (response.socket) proceed()
  else response.once('socket', proceed)
}

/** Returns an HTTP server that answers also what is no HTTP with `refuse`, where Node would send an empty or plain text. */
export function createListener(handle: Handler, refuse: Refuse, limits = usualLimits): Server {
  const { connections, headers: maxHeaderSize, headersMs, requestMs, idleMs } = limits
  const turnAway = (response: ServerResponse, status: number, says: string) => {
    const { headers, body } = refuse(status, says, response.req)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
  }
  let open = 0
  const late = new WeakSet<Duplex>()
  const hangingUp = new WeakSet<Duplex>()
  const hangUpOnce = (socket: Duplex, answer: Answer) => {
    if (hangingUp.has(socket)) return
    hangingUp.add(socket)
    hangUp(socket, answer)
  }
  const answer: Handler = (request, response) => {
    if (late.has(request.socket)) {
      return turnAway(response, 503, `Too many connections: ${connections} are open. Close some, or use them again.`)
    }
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return handle(request, response)
    turnAway(response, 400, 'The request has no Host header, which HTTP/1.1 asks for.')
  }
  const headersTimeout = Math.min(headersMs, requestMs)
  const timeouts = {
    headersTimeout,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersTimeout, lookEvery),
  }
  const server = createServer(
    { ...timeouts, keepAliveTimeout: 0, maxHeaderSize, requireHostHeader: false },
    (request, response) => whenItsTurn(response, () => answer(request, response)),
  )
  // An idle connection is kept for that long, so that none is closed under a request on its way.
  server.timeout = idleMs
  server.maxConnections = 2 * connections
  // A caller who has said that nothing more comes still wants its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', socket => {
    if (++open > connections) late.add(socket)
    socket.once('close', () => open--)
  })
  server.on('checkContinue', (request, response) => {
    // While an answer before it is on its way, Node would write the word between the head and the body of that one.
    whenItsTurn(response, () => {
      response.writeContinue()
      answer(request, response)
    })
  })
  // Whatever is expected beyond 100-continue is ignored: Node would answer 417 without a body.
  server.on('checkExpectation', answer)
  server.on('connect', (request, socket) => {
    // Node has let go of it: that the caller breaks off would end the process.
    socket.on('error', () => socket.destroy())
    hangUpOnce(socket, refuse(405, 'CONNECT is for proxies, and this is none.', request))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Answers to requests that came before on this connection leave first.
    setImmediate(() => hangUpOnce(socket, refuse(...reasonOf(error, limits))))
  })
  return server
}

function reasonOf({ code }: NodeJS.ErrnoException, { headers }: Limits): [status: number, says: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, `The headers of the request are longer than ${sayBytes(headers)}.`]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request did not arrive in time.']
  return [400, 'The request is not HTTP.']
}

/** How long what is on its way to a caller that is hung up on may take. */
const lingering = 5000

/** Says a last word. What still comes is read, else the system would take back what the caller has not read yet. */
function hangUp(socket: Duplex, { status, headers, body }: Answer) {
  if (!socket.writable) return void socket.destroy()
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`)
  socket.resume()
  const late = setTimeout(() => socket.destroy(), lingering)
  socket.once('close', () => clearTimeout(late))
}
