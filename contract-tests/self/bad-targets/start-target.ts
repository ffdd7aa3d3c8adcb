import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TargetFile } from '../../engine/target/target.ts'

/** Deployments that misbehave outside the specification: they answer with anything, or not at all. */

export const secrets = {
  keySecret: 'c41d-secret-of-the-cloud-key',
  secondKeySecret: 'c41d-secret-of-the-second-key',
  apiKey: '5e1f-personal-api-access-key',
  ingestionKey: '5e1f-ingestion-key-of-the-team',
}

const id = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`

/** A target file whose two APIs have one address, with every id that it can name. */
export const targetAt = (baseUrl: string): TargetFile => ({
  name: 'bad',
  // `judge` lists it there.
  control: { baseUrl: 'http://control.localhost' },
  cloud: {
    baseUrl,
    keyId: 'key',
    secondKeyId: 'second',
    organizationId: id(1),
    secondOrganizationId: id(2),
    serviceId: id(3),
    backupId: id(4),
    keySecret: secrets.keySecret,
    secondKeySecret: secrets.secondKeySecret,
    references: { dashboardId: 'd', tileId: 't', webhookId: 'w', sourceId: 's' },
  },
  selfHosted: {
    baseUrl,
    apiKey: secrets.apiKey,
    ingestionKey: secrets.ingestionKey,
    references: { dashboardId: 'd', tileId: 't', webhookId: 'w', sourceId: 's' },
  },
})

async function listen(server: Server, sockets: Set<Socket>): Promise<string> {
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface BadTarget {
  readonly baseUrl: string
  readonly target: TargetFile
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>
}

/** Starts a server that calls `speak` for each complete request head. */
export async function startSocketTarget(speak: (socket: Socket, head: string) => void): Promise<BadTarget> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let head = ''
    socket.on('data', chunk => {
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      const completeHead = head
      head = ''
      speak(socket, completeHead)
    })
  })
  const baseUrl = await listen(server, sockets)
  return { baseUrl, target: targetAt(baseUrl), sockets }
}

/** Starts an HTTP server that answers by `listener`. */
export async function startHttpTarget(listener: RequestListener): Promise<BadTarget> {
  const sockets = new Set<Socket>()
  const baseUrl = await listen(createHttpServer(listener), sockets)
  return { baseUrl, target: targetAt(baseUrl), sockets }
}
