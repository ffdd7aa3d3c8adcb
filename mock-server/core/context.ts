import type { Form, GapId, Operation, OperationId } from '../../fixtures/contract/index.ts'
import type { Actor } from '../families/family.ts'
import type { Call } from '../words/call.ts'
import type { Edition } from '../words/edition.ts'
import type { Limits } from '../words/limits.ts'
import type { Accepted } from './accept/accept-body.ts'
import type { Cors } from './cors.ts'
import type { Deployment } from './deployment.ts'
import type { Host, RouteMatch } from './dispatch/dispatch.ts'
import type { Limiter } from './rate-limit.ts'

/** One call on its way through the pipeline: what is known of it, and what each step finds. */
export interface Context {
  readonly call: Call
  readonly host: Host
  /** The form that the path belongs to; on a path of none, that of the listener. */
  readonly form: Form
  readonly match: RouteMatch
  /** The operation that is asked for; undefined for an unknown path or a wrong method. */
  readonly id: OperationId | undefined
  readonly operation: Operation | undefined
  readonly deployment: Deployment
  /** The choices in force in the silent places, for this form. */
  readonly taken: Readonly<Record<string, string>>
  readonly edition: Edition
  readonly segment: string
  readonly limits: Limits
  /** How the pages of other origins are answered. */
  readonly cors: Cors
  /** The moment of the mock's clock, in epoch milliseconds. */
  readonly now: number
  /** Counts calls by caller, where rate limits are on. */
  readonly limiter: Limiter | undefined
  /** Headers that the answer carries beside its own, such as those of a rate limit. */
  headers: Readonly<Record<string, string>>
  /** Found by `authenticate`. */
  actor: Actor | undefined
  /** Found by `acceptIds`: the ids of the path, in lower case where case means nothing. */
  ids: Readonly<Record<string, string>>
  /** Found by `acceptBody`. */
  body: Accepted | undefined
}

export const choiceOf = ({ taken }: Pick<Context, 'taken'>, gap: GapId): string => taken[gap] ?? ''
