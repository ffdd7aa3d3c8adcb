import type { Edition, Form, GapId, Operation, OperationId } from '../../fixtures/contract/index.ts'
import type { Actor, Request } from '../families/family.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import type { Answer, Call, Listener } from '../words/call.ts'
import type { Limits } from '../words/limits.ts'
import type { World } from '../world/world.ts'
import type { AcceptedBody } from './accept/accept-body.ts'
import type { Core } from './core.ts'
import type { Cors } from './cors.ts'
import type { RouteMatch } from './dispatch/dispatch.ts'
import type { Route } from './dispatch/routes.ts'
import type { Limiter } from './rate-limit.ts'

/** Returns the address of a service's HTTP interface by the first label of its host name; undefined if none listens. */
export type SqlEndpoint = (cluster: string) => { readonly host: string; readonly port: number } | undefined

export interface Context {
  readonly core: Core
  readonly call: Call
  readonly listener: Listener
  /** The form of the path; for an unknown path, that of the listener. */
  readonly form: Form
  readonly match: RouteMatch
  /** The operation; undefined for an unknown path or a wrong method. */
  readonly id: OperationId | undefined
  readonly operation: Operation | undefined
  readonly deployment: { readonly world: World; stackOf(id: string): Request['stack'] }
  /** The choices in force for gaps, in this form. */
  readonly choiceOfGap: Readonly<Record<string, string>>
  readonly choices: ChoicesInForce
  readonly edition: Edition
  readonly segment: string
  readonly routes: readonly Route[]
  readonly limits: Limits
  readonly cors: Cors
  /** The moment of the mock's clock, in epoch milliseconds. */
  readonly now: number
  /** Answers a path outside the API, such as one of the query host; undefined if there is no such path. */
  readonly answerOutsideApi: () => Promise<Answer> | undefined
  readonly sqlEndpoint: SqlEndpoint
  /** Counts calls by caller, where rate limits are on or announced. */
  readonly limiter: Limiter | undefined
  /** Whether a call beyond the limit is refused. */
  readonly isLimited: boolean
  /** Additional headers of the answer, such as those of a rate limit. */
  headers: Readonly<Record<string, string>>
  /** Set by `authenticate`. */
  actor: Actor | undefined
  /** Set by `acceptIds`: the ids of the path, in lower case where they are case-insensitive. */
  ids: Readonly<Record<string, string>>
  /** Set by the handler: the gap whose choice is the cause of a success. */
  decidingGap?: GapId
  /** Set by `acceptBody`. */
  body: AcceptedBody | undefined
}

export const choiceOf = ({ choiceOfGap }: Pick<Context, 'choiceOfGap'>, gap: GapId): string => choiceOfGap[gap] ?? ''
