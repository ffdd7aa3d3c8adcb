import type { GapId, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'

/** What one resource family adds to the suite: what neither the contract nor the specification's sections judge. */
export interface Family {
  /** Checks of rules and gaps that do not follow from the contract as those of `rules/lifecycle/` do. */
  readonly checks?: Partial<Record<RuleId | GapId, Check>>
  /**
   * The requests that the checks read, in all forms; `lifeSteps` makes those of a resource's life, and `call` the one of an
   * operation that only reads. A step that stands for an operation has the name `<form>:<operation>`, and its `operation`, so
   * that its answer serves the general rules too.
   */
  readonly steps?: readonly Step[]
}
