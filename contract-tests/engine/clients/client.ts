/** `path` begins with a slash and is sent as it stands. */
export interface Outgoing {
  readonly baseUrl: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The file of the certificate authority to trust. */
  readonly ca?: string
}

/** Header names are in lower case. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Limit in bytes, so that an endless answer cannot fill the memory. */
export const LARGEST_ANSWER = 8 * 1024 * 1024

export const tooLarge = (): Error => new Error(`the answer is over ${LARGEST_ANSWER / 1024 / 1024} MiB`)

/**
 * How requests reach a deployment: supertest in Node, fetch in a browser, a direct call in process. A client follows no
 * redirects, and rejects only when no complete answer came (connection, time-out, size, invalid HTTP); such a request
 * says nothing about the target's rules.
 */
export interface Client {
  send(request: Outgoing): Promise<Incoming>
  /** Advances the clock of the deployment behind this client. Without it, the run waits in real time. */
  wait?(milliseconds: number): Promise<unknown>
  close?(): void
}
