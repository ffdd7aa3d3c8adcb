import type { Server } from 'node:net'

/** A port that cannot be listened on; the message names it, its option, and what to do. */
export class PortRefused extends Error {
  constructor(
    /** A sentence for each port. */
    readonly sentences: readonly string[],
    /** The options that choose these ports; empty if the address is wrong. */
    readonly options: readonly string[],
  ) {
    super([...sentences, ...(options.length > 0 ? [`${options.join(', ')}: 0 takes any free port.`] : [])].join(' '))
  }
}

/** Combines all refusals into one error; an error of another kind wins. */
export function joinRefusals(errors: readonly Error[]): Error {
  const refusals = errors.filter(error => error instanceof PortRefused)
  const [other] = errors.filter(error => !(error instanceof PortRefused))
  if (other) return other
  const sentences = new Set(refusals.flatMap(refusal => refusal.sentences))
  return new PortRefused(
    [...sentences],
    refusals.flatMap(({ options }) => options),
  )
}

/** Refuses a port that two listeners share, except 0, which is another one for each. */
export function refuseEqualPorts(ports: Readonly<Record<string, number | false>>): void {
  const entries = Object.entries(ports)
  for (const [at, [option, port]] of entries.entries()) {
    const [other] = entries.slice(at + 1).find(([, one]) => one === port) ?? []
    if (other === undefined || !port) continue
    throw new PortRefused([`Port ${port} is asked for twice, by ${option} and ${other}.`], [other])
  }
}

/** Listens on a port; `option` is the option that chooses it, for the error. */
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
