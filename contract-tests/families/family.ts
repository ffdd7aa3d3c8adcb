import type { GapId, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'

/** What one resource family adds to the suite: what neither the contract nor the specification's sections judge. */
export interface Family {
  /** Checks of rules and gaps that do not follow from the contract as those of `rules/lifecycle/` do. */
  readonly checks?: Partial<Record<RuleId | GapId, Check>>
  /** The lines of its visits, in all forms. The line that stands for an operation has its name, so that general rules read it. */
  readonly steps?: readonly Step[]
}
