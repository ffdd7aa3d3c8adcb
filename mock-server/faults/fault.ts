import type { Form, OperationId, RuleId } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'

/** The context of a call. */
export interface FaultContext {
  /** Undefined when the path belongs to no form. */
  readonly form: Form | undefined
  /** The operation whose path and method match; undefined for an unknown path or a wrong method. */
  readonly operation: OperationId | undefined
  /** The ids of the path, decoded: organizationId, serviceId, backupId, id. */
  readonly params: Readonly<Record<string, string>>
  /**
   * Authorization headers that the mock accepts: `own` for the form (and organization) of this call, `foreign` of the other
   * form, `first` and `second` of the two organizations that the target file names, empty where there is none.
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

/** Breaks exactly one rule: it answers a call itself, changes it on the way in, or changes the answer on the way out. */
export type Fault = (
  call: Call,
  next: (call: Call) => Promise<Answer>,
  context: FaultContext,
) => Answer | Promise<Answer>

/** Faults by the rule that they break. Each is a factory: a fault may keep state. */
export type Faults = Readonly<Partial<Record<RuleId, () => Fault>>>
