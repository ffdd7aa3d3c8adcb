import { createServer, type Server } from 'node:http'
import type { Incoming } from './client.ts'

/** More of a body is not kept. */
const MAX_BODY_CHARACTERS = 16 * 1024
const MAX_NOTIFICATIONS = 200
/** The values of all other headers may be secret. */
const shownHeaders = ['content-type', 'idempotency-key']

interface Receiver {
  readonly server: Server
  readonly listening: Promise<void>
  readonly received: { readonly request: object }[]
}

/** Receivers of webhooks, by the address on which they listen. Each is opened when it is read for the first time. */
export function createReceivers() {
  const receivers = new Map<string, Receiver>()
  return {
    /** Answers with what was received, the newest first, as the journal of a mock does. */
    async read(address: string): Promise<Incoming> {
      const receiver = receivers.get(address) ?? open(address)
      receivers.set(address, receiver)
      await receiver.listening
      return { status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(receiver.received) }
    },
    close() {
      for (const { server } of receivers.values()) {
        server.close()
        server.closeAllConnections()
      }
      receivers.clear()
    },
  }
}

function open(address: string): Receiver {
  const received: { request: object }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      if (body.length < MAX_BODY_CHARACTERS) body = (body + chunk).slice(0, MAX_BODY_CHARACTERS)
    })
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [
          name,
          shownHeaders.includes(name) ? value : '[redacted]',
        ]),
      )
      if (request.method === 'POST') {
        received.unshift({ request: { method: 'POST', headers, body } })
        received.length = Math.min(received.length, MAX_NOTIFICATIONS)
      }
      response.end()
    })
  })
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  const listening = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), host, resolve)
  })
  return { server, listening, received }
}
