/** One request as it goes out. `path` begins with a slash and is sent as it stands. */
export interface Outgoing {
  readonly baseUrl: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One answer as it came in; header names are lower case. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A longer answer is not read to its end: whoever sends without end must not fill the memory. */
export const LARGEST_ANSWER = 8 * 1024 * 1024

export const tooLarge = (): Error => new Error(`the answer is over ${LARGEST_ANSWER / 1024 / 1024} MiB`)

/**
 * How requests reach a deployment: supertest in Node, fetch in a browser, a direct call in process. A client follows no
 * redirect and rejects only when no whole answer came (connection, time-out, size, broken HTTP): that is the harness's trouble, not
 * the target's.
 */
export interface Client {
  send(request: Outgoing): Promise<Incoming>
  /** Lets time pass for the deployment behind it, where that is in its hands; else real time passes. */
  wait?(milliseconds: number): Promise<unknown>
  close?(): void
}
