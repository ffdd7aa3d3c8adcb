import type { Server } from 'node:http'

/** A port that cannot be listened on; the message names it, its option, and what to do. */
export class PortRefused extends Error {}

/** Listens on a port; `option` is the option that chooses it, for the refusal. */
export function listenOn(server: Server, port: number, host: string, option: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(explain(error, port, host, option)))
    server.listen(port, host, resolve)
  })
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, option: string): Error {
  const elsewhere = `Choose another with ${option}; 0 takes any free one.`
  switch (error.code) {
    case 'EADDRINUSE':
      return new PortRefused(`Port ${port} on ${host} is in use. ${elsewhere}`)
    case 'EACCES':
      return new PortRefused(`Port ${port} on ${host} needs more rights than this process has. ${elsewhere}`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PortRefused(`${host} is no address of this machine. Choose another with --host.`)
    default:
      return error
  }
}
