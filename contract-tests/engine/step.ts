import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import type { Created } from './created.ts'
import type { As } from './credentials.ts'
import type { Exchange } from './exchange.ts'
import type { TargetFile } from './target/target.ts'

/** A request that has been worked out, or the reason why it cannot be sent. */
export type Draft =
  | {
      readonly path: string
      /** Instead of the step's own method. */
      readonly method?: string
      readonly body?: unknown
      /** Sent as it stands, instead of `body`. */
      readonly rawBody?: string
      readonly headers?: Readonly<Record<string, string>>
      /** It goes to the SQL of services instead, with these credentials or none. */
      readonly sql?: { readonly password?: string }
    }
  | {
      readonly skip: string
      /** The fields of the target file that it lacks for the request, such as `cloud.backupId`. */
      readonly lacks?: readonly string[]
    }

/** One request of a run: a value. One step serves all the rules that can read its answer. */
export interface Step {
  readonly name: string
  readonly form: Form
  /** The visit that it is a line of: the lines of a visit are sent in their order. */
  readonly visit: string
  readonly operation?: OperationId
  readonly method: string
  readonly as: As
  /** What the request is for, as the plan prints it. */
  readonly why: string
  /** Names of the steps whose answers it is made from; they are sent before it, and whenever it is sent. */
  readonly from?: readonly string[]
  /** Names of steps that are sent before it, where they are sent. */
  readonly after?: readonly string[]
  /** Names of steps of other visits that are sent after it. */
  readonly before?: readonly string[]
  /** Names of creations of its visit: what other visits make from them is sent before it. */
  readonly awaits?: readonly string[]
  /** What a success would create; it goes into the ledger before the request is sent. */
  readonly creates?: Created
  /**
   * The step that created the object that this one acts on. On objects of the run, a step is sent whatever its effect is.
   */
  readonly on?: string
  /** True when it is sent only where `--allow-effects` names the effect of its operation, on loopback, too. */
  readonly asked?: true
  /** The created thing that a success deletes. */
  readonly deletes?: { readonly resource: Created; readonly step: string }
  /** True for a request that must not succeed: its answers tell what refuses it, and nothing of its operation. */
  readonly isProbe?: true
  /** True for an answer that is no operation of the form, so that its success has no envelope. */
  readonly beyond?: true
  /** It is sent again until the answer shows what is waited for, as long as the contract allows. */
  readonly settled?: {
    /** The steps whose writing is waited for, if one of them succeeded. */
    readonly after: readonly string[]
    readonly withinSeconds: number
    readonly shows: (came: Exchange, past: Past) => boolean
  }
  readonly draft: (past: Past) => Draft
}

/** What a step may look at: the target and the answers so far. */
export interface Past {
  readonly target: TargetFile
  /** The mark of this run, part of the name of whatever it creates. */
  readonly run: string
  readonly now: number
  /** True for a run that creates nothing. */
  readonly readOnly: boolean
  exchange(step: string): Exchange | undefined
  /** The id of what a step created, when it succeeded and its id could be recognised. */
  created(step: string): string | undefined
}

/** A step of one form: a GET with the good key, unless `more` says otherwise. */
export const stepOf = (
  form: Form,
  name: string,
  why: string,
  draft: Step['draft'],
  more: Partial<Step> = {},
): Step => ({ name: `${form}:${name}`, form, visit: '', method: 'GET', as: 'key', why, draft, ...more })

/** The list from before a run creates anything of a kind: by it the run tells its own things from others. */
export const listBefore = (form: string, resource: string): string => `${form}:${resource}.list-before`

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
