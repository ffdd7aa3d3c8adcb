import type { Limits } from '../../words/limits.ts'
import type { Reply } from '../../words/reply.ts'
import type { Stack } from '../stack.ts'

/** Which edition of the self-hosted API is spoken: that of the specification (2.24), or the newer one (2.36). */
export type Edition = '2.24' | '2.36'

/** What a behaviour of the observability API may look at: one request, already authenticated and parsed. */
export interface Request {
  readonly stack: Stack
  readonly form: 'managed' | 'selfHosted'
  readonly edition: Edition
  /** The `{id}` of the path, decoded; undefined on a collection. */
  readonly id?: string
  /** The parsed body: an object or array, a string for a text body, `{}` for none. */
  readonly body: unknown
  readonly query: URLSearchParams
  /** The moment of the mock's clock, in epoch milliseconds. */
  readonly now: number
  readonly limits: Limits
  /** A fresh id of 24 lower-case hexadecimal digits, from the seed of the world. */
  newId(): string
  /** What the deployment does where the specification is silent: the choice taken for a gap. */
  choice(gap: string): string
}

/** Answers one operation, or throws a Refusal. */
export type Behaviour = (request: Request) => Reply
