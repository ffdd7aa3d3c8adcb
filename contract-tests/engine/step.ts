import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import type { CreatableResource } from './creatable-resources.ts'
import type { As } from './credentials.ts'
import type { Exchange } from './exchange.ts'
import type { TargetFile } from './target/target.ts'

/** A request, or the reason why it cannot be sent. */
export type Draft =
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
    }
  | {
      readonly skip: string
      /** The fields of the target file that are missing, such as `cloud.backupId`. */
      readonly lacks?: readonly string[]
    }

/** One request of a run. Its answer serves all rules that can read it. */
export interface Step {
  readonly name: string
  readonly form: Form
  /** The visit that it is a line of; lines are sent in their order. */
  readonly visit: string
  readonly operation?: OperationId
  readonly method: string
  readonly as: As
  /** The purpose, as the plan prints it. */
  readonly why: string
  /** Steps whose answers it is made from: they are sent with it, and before it. */
  readonly from?: readonly string[]
  /** Steps that come before it, if they are sent. */
  readonly after?: readonly string[]
  /** Steps of other visits that come after it, if they are sent. */
  readonly before?: readonly string[]
  /** Creations of its visit: steps of other visits that are made from them come before it. */
  readonly awaits?: readonly string[]
  /** What a success creates; the ledger has it before the request is sent. */
  readonly creates?: CreatableResource
  /** The creation of the object that it acts on. On the run's own objects, it is sent whatever its effect is. */
  readonly on?: string
  /** Sent only where `--allow-effects` names the effect of its operation, even on loopback. */
  readonly needsAllowedEffect?: true
  /** The created object that a success deletes. */
  readonly deletes?: { readonly resource: CreatableResource; readonly step: string }
  /** A request that must not succeed, and whose answer says nothing about its operation. */
  readonly isProbe?: true
  /** Not an operation of the form, so that a success has no envelope. */
  readonly beyond?: true
  /** Repeats the request until `shows` accepts the answer, as long as the contract lets reads lag. */
  readonly settled?: {
    /** The writes that are waited for, if one of them succeeded. */
    readonly after: readonly string[]
    readonly withinSeconds: number
    readonly shows: (exchange: Exchange, context: RunContext) => boolean
  }
  readonly draft: (context: RunContext) => Draft
}

/** What a request may be made from: the target and the answers so far. */
export interface RunContext {
  readonly target: TargetFile
  /** The run's mark, which is in the name of everything that it creates. */
  readonly run: string
  readonly now: number
  readonly readOnly: boolean
  exchange(step: string): Exchange | undefined
  /** The id of a step's object, when the run can prove that the step created it. */
  created(step: string): string | undefined
}

/** A step of one form, by default a GET with the good key. */
export const stepOf = (
  form: Form,
  name: string,
  why: string,
  draft: Step['draft'],
  more: Partial<Step> = {},
): Step => ({ name: `${form}:${name}`, form, visit: '', method: 'GET', as: 'key', why, draft, ...more })

/** The list from before the first creation of its kind, which tells the run's objects from others. */
export const listBefore = (form: string, resource: string): string => `${form}:${resource}.list-before`

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
