import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns the proxy's own answer to a request; `nothing` closes the connection, `silence` keeps it open, undefined passes the request on. */
export type Intercept = (
  request: IncomingMessage,
  count: number,
) => { status: number; body: unknown } | 'nothing' | 'silence' | undefined

export interface Proxy {
  readonly baseUrl: string
  /** The requests that came, as `GET /path`. */
  readonly requests: readonly string[]
}

/** Stands in front of a deployment, counts the requests, and answers some of them itself. */
export async function startProxy(baseUrl: string, intercept: Intercept = () => undefined): Promise<Proxy> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const answer = intercept(request, requests.length)
    if (answer === 'nothing') return void request.socket.destroy()
    if (answer === 'silence') return
    if (answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(answer.body))
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization, 'content-type': type } = request.headers
    const passed = await fetch(baseUrl + request.url, {
      method: request.method,
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    })
    response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'text/plain' })
    response.end(Buffer.from(await passed.arrayBuffer()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
