import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer, Listener } from '../words/call.ts'
import { defaultLimits, formatBytes, type Limits } from '../words/limits.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown
/** The request is undefined if it could not be parsed. */
type Refuse = (status: number, sentence: string, request?: IncomingMessage) => Answer

/** Interval of the checks for late requests. */
const checkEveryMs = 30_000

/** Waits until earlier pipelined requests, whose bodies may still be read, are answered: the response has a socket then. */
function afterEarlier(response: ServerResponse, proceed: () => void) {
  if (response.socket) proceed()
  else response.once('socket', proceed)
}

/** Creates an HTTP server that answers invalid HTTP with `refuse`, where Node would answer with an empty or plain text. */
export function createListener(handle: Handler, refuse: Refuse, limits = defaultLimits): Server {
  const { connections, headers: maxHeaderSize, headersMs, requestMs, idleMs } = limits
  const reject = (response: ServerResponse, status: number, sentence: string) => {
    const { headers, body } = refuse(status, sentence, response.req)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
  }
  let open = 0
  const excess = new WeakSet<Duplex>()
  const hangingUp = new WeakSet<Duplex>()
  const hangUpOnce = (socket: Duplex, answer: Answer) => {
    if (hangingUp.has(socket)) return
    hangingUp.add(socket)
    hangUp(socket, answer)
  }
  const answer: Handler = (request, response) => {
    if (excess.has(request.socket)) {
      return reject(response, 503, `Too many connections: ${connections} are open. Close some, or use them again.`)
    }
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return handle(request, response)
    reject(response, 400, 'The request has no Host header, which HTTP/1.1 requires.')
  }
  const headersTimeout = Math.min(headersMs, requestMs)
  const timeouts = {
    headersTimeout,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersTimeout, checkEveryMs),
  }
  const server = createServer(
    { ...timeouts, keepAliveTimeout: 0, maxHeaderSize, requireHostHeader: false },
    (request, response) => afterEarlier(response, () => answer(request, response)),
  )
  // Instead of keepAliveTimeout, which could close a connection while a request is being sent.
  server.timeout = idleMs
  server.maxConnections = 2 * connections
  // A client may close its sending side and still wait for the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', socket => {
    if (++open > connections) excess.add(socket)
    socket.once('close', () => open--)
  })
  server.on('checkContinue', (request, response) => {
    // Node would write the 100 between the head and the body of an answer that is still being sent.
    afterEarlier(response, () => {
      response.writeContinue()
      answer(request, response)
    })
  })
  // Ignores other expectations than 100-continue: Node would answer them with an empty 417.
  server.on('checkExpectation', answer)
  server.on('connect', (request, socket) => {
    // Node has detached the socket: without a listener, its errors would end the process.
    socket.on('error', () => socket.destroy())
    hangUpOnce(socket, refuse(405, 'CONNECT is for proxies, and this is not one.', request))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Answers to earlier requests on this connection are sent first.
    setImmediate(() => hangUpOnce(socket, refuse(...reasonOf(error, limits))))
  })
  return server
}

function reasonOf({ code }: NodeJS.ErrnoException, { headers }: Limits): [status: number, sentence: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, `The headers of the request are longer than ${formatBytes(headers)}.`]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request did not arrive in time.']
  return [400, 'The request is not HTTP.']
}

/** The time that a client has to read its last answer. */
const lingerMs = 5000

/** Sends a last answer, and reads all further data: otherwise the system could reset the connection before the client has read it. */
function hangUp(socket: Duplex, { status, headers, body }: Answer) {
  if (!socket.writable) return void socket.destroy()
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`)
  socket.resume()
  const late = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(late))
}

/** Writes the refusal of a request that did not become a call, or whose call failed, in the error shape of the listener. */
export function writeListenerRefusal(listener: Listener | 'control', status: number, sentence: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(bodyShapes[listener](status, sentence)),
  }
}

const bodyShapes = {
  cloud: (status: number, error: string) => ({ status, error, requestId: crypto.randomUUID() }),
  selfHosted: (_status: number, message: string) => ({ message }),
  control: (_status: number, error: string) => ({ error }),
}
