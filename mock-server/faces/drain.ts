import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
// The global timers may be replaced by fake ones while a test closes its mock.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** Closes a server gracefully; calls that are still pending after `withinMs` milliseconds are aborted. */
export type DrainServer = (withinMs: number) => Promise<void>

/** Tracks the connections of a server. The returned function closes idle ones at once, others after their answer. */
export function trackConnections(server: Server): DrainServer {
  /** The pending response of each connection. A finished one is let go: it holds the body of its request. */
  const newest = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false
  /** Node considers a connection idle while the end of its answer is still being sent, and would abort it. */
  const closeIdle = () => {
    for (const socket of newest.keys()) if (socket.writableLength > 0) return
    server.closeIdleConnections()
  }
  const closeAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
    // For a response whose headers were sent without `Connection: close`.
    response.once('close', () => setImmediate(closeIdle))
  }
  const trackResponse = ({ socket }: IncomingMessage, response: ServerResponse) => {
    newest.set(socket, response)
    response.once('close', () => {
      if (newest.get(socket) === response) newest.set(socket, undefined)
    })
    if (isDraining) closeAfter(response)
  }
  server.on('connection', socket => socket.once('close', () => newest.delete(socket)))
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, trackResponse)

  return withinMs =>
    new Promise(resolve => {
      isDraining = true
      for (const response of newest.values()) if (response && !response.closed) closeAfter(response)
      const late = setTimeout(() => server.closeAllConnections(), withinMs)
      // Only stops listening: the close() of an HTTP server also closes connections that Node considers idle. Bun's is no net server.
      const { close } = server instanceof NetServer ? NetServer.prototype : server
      close.call(server, () => {
        clearTimeout(late)
        // Stops Node's timer for late requests.
        server.close()
        resolve()
      })
      closeIdle()
    })
}

/** Closes a server that passes its connections on to an HTTP server; what is open after `withinMs` is destroyed. */
export async function drainPassedOn(
  server: NetServer,
  http: Server,
  sockets: Iterable<Socket>,
  withinMs: number,
): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  http.closeIdleConnections()
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, withinMs)
  await closed
  clearTimeout(late)
}
