import { writeFileSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:tls'
import { type DrainServer, drainPassedOn } from './drain.ts'
import { openAuthority } from './sql/certificate.ts'

/** A file that cannot be written. The message names the option and the remedy. */
export class TlsRefused extends Error {}

interface TlsOptions {
  /** The file to which the certificate authority is written. */
  readonly ca?: string
  /** The folder in which the authority is kept for the next start. */
  readonly folder?: string
  /** The address that is listened on. */
  readonly host: string
}

/** Creates a server that passes connections over TLS on to an HTTP server, with a certificate of an authority of the mock. */
export async function createTlsServer(
  http: HttpServer,
  { ca, folder, host }: TlsOptions,
): Promise<{ readonly server: Server; readonly drain: DrainServer }> {
  const authority = await openAuthority(folder)
  if (ca !== undefined) {
    try {
      writeFileSync(ca, authority.ca)
    } catch (error) {
      throw new TlsRefused(`--tls-ca ${ca}: ${(error as Error).message}. Name another file.`)
    }
  }
  const sockets = new Set<Socket>()
  const names = new Set(['localhost', '127.0.0.1', '::1', host])
  const server = createServer({ ...(await authority.issue([...names])), ALPNProtocols: ['http/1.1'] }, socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    http.emit('connection', socket)
  })
  server.on('tlsClientError', (_, socket) => socket.destroy())
  return {
    server,
    drain: withinMs => drainPassedOn(server, http, sockets, withinMs),
  }
}
