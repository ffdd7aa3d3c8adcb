import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
// Not the global ones: a test may have replaced those, and its mock is closed all the same.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** Closes a server; what is not answered after so many milliseconds is broken off. */
export type Drain = (withinMs: number) => Promise<void>

/**
 * Follows the calls of a server, so that it can be closed without breaking them off: nobody new is let in, connections
 * without a call are closed, and the others once their call is answered.
 */
export function followCalls(server: Server): Drain {
  /** The newest response of each connection: to listen for the end of every response would be a thirtieth of a read. */
  const newest = new Map<Socket, ServerResponse>()
  let isDraining = false
  /** Node takes a connection for idle while the end of its answer is still being sent, and would break it off. */
  const closeIdle = () => {
    for (const socket of newest.keys()) if (socket.writableLength > 0) return
    server.closeIdleConnections()
  }
  const sayGoodbye = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
    // Its head may have left before, and said nothing of an end.
    response.once('close', () => setImmediate(closeIdle))
  }
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    newest.set(socket, response)
    if (isDraining) sayGoodbye(response)
  }
  server.on('connection', socket => socket.once('close', () => newest.delete(socket)))
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, follow)

  return withinMs =>
    new Promise(resolve => {
      isDraining = true
      for (const response of newest.values()) if (!response.closed) sayGoodbye(response)
      const late = setTimeout(() => server.closeAllConnections(), withinMs)
      // It only stops listening; that of an HTTP server closes what Node takes for idle as well.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(late)
        // Stops the timer of Node that looks for late requests.
        server.close()
        resolve()
      })
      closeIdle()
    })
}
