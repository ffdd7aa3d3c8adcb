import type { Cause } from './cause.ts'

/** A request as plain values. `path` and `query` are as sent (not decoded, `query` without its `?`); header names are lower case. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The decoded text of the body; empty when there is none. */
  readonly body: string
  /** The address of the client, where the face knows it. */
  readonly address?: string
  /** Aborted when the client went away, where the face knows it. */
  readonly signal?: AbortSignal
  /**
   * Why the face could not hand over the body: it is over the limit, or too much with all others that are being read, or
   * its encoding or charset is not one that it reads.
   */
  readonly unread?: 'too-large' | 'crowded' | 'unsupported-encoding' | 'unsupported-charset' | 'invalid-encoding'
}

/** An answer as plain values. */
export interface Answer {
  /** 0 when the connection is to be closed without an answer. */
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
  /** The cause of the answer. */
  readonly cause?: Cause
  /** Disturbances that the listener applies; mostly absent. */
  readonly trouble?: Trouble
}

/** Disturbances of an answer: it is delayed, then dropped or truncated. */
export interface Trouble {
  readonly delayMs?: number
  readonly break?: 'drop' | 'truncate'
}
