import type { Basis, GapId, RuleId } from '../../fixtures/contract/index.ts'

/** The cause of an answer. It is recorded where the decision is made, and the journal prints it. */
export interface Cause {
  /** The source of the decision: the specification, the vendor's document, real deployments, or the mock. */
  readonly basis: Basis
  /** The rule or gap of the contract. */
  readonly rule?: RuleId | GapId
  /** The choice in force for the gap, such as `404 json`. */
  readonly choice?: string
  /** What changed the answer on purpose. */
  readonly by?: 'fault' | 'chaos'
  /** For a call that the proxy of the suite passed on: whether all rules hold in its answer. */
  readonly judged?: 'held' | 'broken'
  /** What the client of the proxy got instead of this answer: the proxy declined the call, held the answer back, or got none. */
  readonly instead?: { readonly as: 'declined' | 'held' | 'failed'; readonly status: number }
  /** The id of the stub that answered. */
  readonly stub?: string
  /** A sentence that explains the answer, such as what is wrong with the request and what would be accepted. */
  readonly why: string
}
