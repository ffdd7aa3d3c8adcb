import type { Cause } from './cause.ts'

/** The listener that receives a call. */
export type Listener = 'cloud' | 'selfHosted'

/**
 * A request as plain values. `path` and `query` are as sent (not decoded, `query` without its `?`); header names are
 * lower case.
 */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The decoded text of the body; empty when there is none. */
  readonly body: string
  /** The address at which the caller finds the API, if it is not `http://` and the header `host`. */
  readonly base?: string
  /** The address of the client, if the face knows it. */
  readonly address?: string
  /** Aborted when the client disconnects, if the face knows it. */
  readonly signal?: AbortSignal
  /** Where the face notes which fields of the answer its caller reads, if it does. */
  readonly reads?: object
  /**
   * Why the face could not read the body: it exceeds the limit, alone or together with the other bodies that are being
   * read; its encoding or charset is not supported; or its bytes are no valid text.
   */
  readonly unread?: 'too-large' | 'crowded' | 'unsupported-encoding' | 'unsupported-charset' | 'invalid-encoding'
}

/** An answer as plain values. */
export interface Answer {
  /** 0 closes the connection without an answer. */
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
  /** The bytes of an answer that an engine streams, in place of `body`. */
  readonly stream?: AsyncIterable<Uint8Array>
  /** The cause of the answer. */
  readonly cause?: Cause
  /** Disturbances that the listener applies; mostly absent. */
  readonly disturbance?: Disturbance
}

/** Whether HTTP forbids a body to answers of this status. */
export const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304

/** Disturbances of an answer: it is delayed, then dropped or truncated. */
export interface Disturbance {
  readonly delayMs?: number
  readonly break?: 'drop' | 'truncate'
}
