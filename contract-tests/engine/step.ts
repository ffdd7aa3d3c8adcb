import type { Contract, Effect, Form, OperationId } from '../../fixtures/built-contract/index.ts'
import type { CreatableResource } from './creatable-resources.ts'
import type { CredentialsKind } from './credentials.ts'
import type { Exchange } from './exchange.ts'
import type { Reason } from './reasons.ts'
import type { ReceiverPlace } from './receiver.ts'
import type { TargetFile } from './target/target.ts'

/** A request, or the reason for which a step is skipped. */
export type RequestOrSkip =
  | {
      readonly path: string
      /** Replaces the step's method. */
      readonly method?: string
      readonly body?: unknown
      /** Sent as it stands, instead of `body`. */
      readonly rawBody?: string
      readonly headers?: Readonly<Record<string, string>>
      /** Sends to the SQL of services, with this password or none. */
      readonly sql?: { readonly password?: string }
      /** Asks the receiver of webhooks, instead of the deployment. */
      readonly receiver?: ReceiverPlace
    }
  | {
      readonly skip: Reason
      /** The fields of the target file that are missing, such as `cloud.backupId`. */
      readonly lacks?: readonly string[]
    }

/** One request of a run. Its answer serves all rules that can read it. */
export interface Step {
  readonly name: string
  readonly form: Form
  /** The visit of which the step is a line; the lines of a visit are sent in their order. */
  readonly visit: string
  readonly operation?: OperationId
  readonly method: string
  readonly as: CredentialsKind
  /** The purpose, as the plan prints it. */
  readonly why: string
  /** Steps whose answers the request depends on. A run that sends this step also sends them, earlier. */
  readonly from?: readonly string[]
  /** Steps that come before this one if the run sends them. */
  readonly after?: readonly string[]
  /** Steps of other visits that come after this one if the run sends them. */
  readonly before?: readonly string[]
  /** Creations of the same visit. Steps of other visits that depend on them come before this step. */
  readonly awaitsUsersOf?: readonly string[]
  /** The resource that a success creates; the ledger records it before the request is sent. */
  readonly creates?: CreatableResource
  /** The step that created the object that this one acts on. Objects of the run need no `--allow-effects`. */
  readonly on?: string
  /** The effect of the request, where it is another than that of its operation. */
  readonly effect?: Effect
  /** Sends the step only if `--allow-effects` names the effect of its operation, even on a mock. */
  readonly needsAllowedEffect?: true
  /** The created object that a success deletes. */
  readonly deletes?: { readonly resource: CreatableResource; readonly step: string }
  /** Whether the request reads the receiver of webhooks, which is not part of the API. */
  readonly readsReceiver?: true
  /** A request that must not succeed: only the rule of its probe judges the answer. */
  readonly isProbe?: true
  /** Repeats the request until `until` accepts the answer or the seconds have passed. */
  readonly poll?: {
    /** The writes whose effect the answer should show. If none of them succeeded, the request is sent once. */
    readonly after: readonly string[]
    readonly withinSeconds: number
    readonly until: (exchange: Exchange, context: RunContext) => boolean
  }
  readonly makeRequest: (context: RunContext) => RequestOrSkip
  /** Another body to send at once instead of one that was refused with 400 or 422; undefined if there is none. */
  readonly amend?: (refused: Exchange, body: unknown) => unknown
}

/** The data that requests are made from: the target and the answers so far. */
export interface RunContext {
  readonly target: TargetFile
  /** The run's mark, which is in the name of everything that it creates. */
  readonly runMark: string
  readonly now: number
  readonly readOnly: boolean
  /** True if a deployment gets every variant of whole bodies, too. A mock of ours always does. */
  readonly thorough?: boolean
  /** The contract of the run, by default that of this package. */
  readonly contract?: Contract | undefined
  exchange(step: string): Exchange | undefined
  /** The id of the object that a step created; undefined unless the run can prove the creation. */
  created(step: string): string | undefined
}

/** A step of one form, by default a GET with the good key. */
export const stepOf = (
  form: Form,
  name: string,
  why: string,
  makeRequest: Step['makeRequest'],
  more: Partial<Step> = {},
): Step => ({ name: `${form}:${name}`, form, visit: '', method: 'GET', as: 'key', why, makeRequest, ...more })

/** The list that is read before the first creation of its kind, to distinguish the run's objects from others. */
export const stepOfListBefore = (form: string, resource: string): string => `${form}:${resource}.list-before`

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
