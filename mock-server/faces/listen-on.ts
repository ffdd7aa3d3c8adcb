import type { Server } from 'node:net'

/** A port that cannot be listened on. The message names the port, its option and the remedy. */
export class PortRefused extends Error {
  constructor(
    readonly sentences: readonly string[],
    /** The options that choose these ports; empty if the address is wrong. */
    readonly options: readonly string[],
  ) {
    super([...sentences, ...(options.length > 0 ? [`${options.join(', ')}: 0 takes any free port.`] : [])].join(' '))
  }
}

/** Combines port refusals into one error; any other error takes precedence. */
export function joinRefusals(errors: readonly Error[]): Error {
  const refusals = errors.filter(error => error instanceof PortRefused)
  if (refusals.length < errors.length) return errors.find(error => !(error instanceof PortRefused))!
  const sentences = new Set(refusals.flatMap(refusal => refusal.sentences))
  const options = refusals.flatMap(refusal => refusal.options)
  return new PortRefused([...sentences], options)
}

/** Refuses a port that is given twice, except 0. */
export function refuseEqualPorts(ports: Readonly<Record<string, number | false>>): void {
  const entries = Object.entries(ports)
  for (const [at, [option, port]] of entries.entries()) {
    const [other] = entries.slice(at + 1).find(([, one]) => one === port) ?? []
    if (other === undefined || !port) continue
    throw new PortRefused([`Port ${port} is given twice, by ${option} and ${other}.`], [other])
  }
}

/** Listens on a port, which `option` chooses. Rejects with a PortRefused if it cannot. */
export function listenOn(server: Server, port: number, host: string, option: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(explain(error, port, host, option)))
    server.listen(port, host, resolve)
  })
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, option: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new PortRefused([`Port ${port} on ${host} is in use.`], [option])
    case 'EACCES':
      return new PortRefused([`Port ${port} on ${host} needs more rights than this process has.`], [option])
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PortRefused([`${host} is no address of this machine. Choose another with --host.`], [])
    default:
      return error
  }
}
