import type { GapId, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'

/** What a family adds to what follows from the contract and to the sections of the specification. */
export interface Family {
  /** Beside those of `rules/lifecycle/`. */
  readonly checks?: Partial<Record<RuleId | GapId, Check>>
  /** The lines of its visits, in all forms. The line for an operation has its name, by which general rules find it. */
  readonly steps?: readonly Step[]
}
