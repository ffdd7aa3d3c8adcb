import type { Basis, GapId, RuleId } from '../../fixtures/contract/index.ts'

/** The cause of an answer. It is recorded where the decision is made, and the journal prints it. */
export interface Cause {
  /** The source of the decision: the specification, the vendor's document, real deployments, or the mock. */
  readonly basis: Basis
  /** The rule or gap of the contract. */
  readonly rule?: RuleId | GapId
  /** The choice in force for the gap, such as `404 json`. */
  readonly choice?: string
  /** What broke the answer on purpose: a fault, chaos or a stub. */
  readonly by?: 'fault' | 'chaos'
  /** Of a proxied call: whether the rules hold in its answer. */
  readonly judged?: 'held' | 'broken'
  /** The id of the stub that answered. */
  readonly stub?: string
  /** A sentence: what was found, and what would be accepted. */
  readonly why: string
}
