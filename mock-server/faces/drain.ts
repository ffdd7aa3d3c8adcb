import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Closes a server; what is not answered after so many milliseconds is broken off. */
export type Drain = (withinMs: number) => Promise<void>

/**
 * Follows the calls of a server, so that it can be closed without breaking them off: nobody new is let in, connections
 * without a call are closed, and the others once their call is answered.
 */
export function followCalls(server: Server): Drain {
  const underWay = new Set<ServerResponse>()
  let isDraining = false
  const sayGoodbye = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  const follow = (_: IncomingMessage, response: ServerResponse) => {
    underWay.add(response)
    if (isDraining) sayGoodbye(response)
    response.once('close', () => {
      underWay.delete(response)
      // Its head may have left before, and said nothing of an end.
      if (isDraining) setImmediate(() => server.closeIdleConnections())
    })
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, follow)

  return withinMs =>
    new Promise(resolve => {
      isDraining = true
      for (const response of underWay) sayGoodbye(response)
      const late = setTimeout(() => server.closeAllConnections(), withinMs)
      server.close(() => {
        clearTimeout(late)
        resolve()
      })
      server.closeIdleConnections()
    })
}
