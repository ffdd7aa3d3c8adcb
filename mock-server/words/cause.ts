import type { Basis, GapId, RuleId } from '../../fixtures/contract/index.ts'

/** Why an answer is as it is. It is recorded where the decision is made, and the journal prints it. */
export interface Cause {
  /** Where the decision comes from: the specification, the vendor's document, real deployments, or the mock. */
  readonly basis: Basis
  /** The rule or the gap of the contract behind it. */
  readonly rule?: RuleId | GapId
  /** The choice in force for the gap, such as `404 json`. */
  readonly choice?: string
  /** What broke the answer on purpose; absent where the mock answered as it always does. */
  readonly by?: 'fault' | 'chaos'
  /** Of a call that a proxy passed on: whether the rules hold in the answer. */
  readonly judged?: 'held' | 'broken'
  /** The id of the stub that answered. */
  readonly stub?: string
  /** A sentence: what was found, and what would have been accepted. */
  readonly why: string
}
