import type { Tls } from '../target/target.ts'

/** A request to a deployment. */
export interface Outgoing {
  readonly baseUrl: string
  readonly method: string
  /** Begins with a slash, and is sent without changes. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The certificates of the connection. */
  readonly tls?: Tls
}

/** The complete answer to a request. */
export interface Incoming {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** This limit keeps an endless answer from filling the memory. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024

export const answerTooLargeError = (): Error => new Error(`the answer is over ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`)

/**
 * How requests reach a deployment: supertest in Node, fetch in a browser, a direct call in process. A client follows no
 * redirects, and rejects only when no complete answer came (connection, time-out, size, invalid HTTP); no rule
 * is judged by such a request.
 */
export interface Client {
  send(request: Outgoing): Promise<Incoming>
  /** Advances the clock of the deployment behind this client. Without it, the run waits in real time. */
  wait?(milliseconds: number): Promise<unknown>
  close?(): void
}
