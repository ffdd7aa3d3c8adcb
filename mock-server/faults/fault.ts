import type { Contract, Form, OperationId, RuleId } from '../../fixtures/built-contract/index.ts'
import type { Answer, Call } from '../words/call.ts'

/** The context of a call. */
export interface FaultContext {
  readonly contract: Contract
  /** Undefined when the path belongs to no form. */
  readonly form: Form | undefined
  /** The operation whose path and method match; undefined for an unknown path or a wrong method. */
  readonly operation: OperationId | undefined
  /** The ids of the path by the names of its parameters, such as organizationId or id, decoded. */
  readonly params: Readonly<Record<string, string>>
  /**
   * Authorization headers: `own` is accepted for the form (and organization) of this call, `foreign` for the other form,
   * `first` and `second` for the two organizations of the target file (empty without a second one). `ingestionKey` is that
   * of the self-hosted team, which no operation accepts.
   */
  readonly authorization: {
    readonly own: string
    readonly foreign: string
    readonly ingestionKey: string
    readonly first: string
    readonly second: string
  }
  /** The ids in the target file of the mock. */
  readonly ids: {
    readonly organizationId: string
    readonly secondOrganizationId: string
    readonly serviceId: string
    readonly backupId: string
  }
}

/** Breaks exactly one rule: answers a call itself, changes the call on its way in, or the answer on its way out. */
export type Fault = (
  call: Call,
  next: (call: Call) => Promise<Answer>,
  context: FaultContext,
) => Answer | Promise<Answer>

/** Faults by the rule that they break. Each is a factory: a fault may keep state. */
export type Faults = Readonly<Partial<Record<RuleId, () => Fault>>>
