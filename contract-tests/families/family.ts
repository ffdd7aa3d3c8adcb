import type { Form, GapId, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'

/** What one resource family adds to the suite: what the rules of the specification's sections do not judge. */
export interface Family {
  /** A check for each rule and gap of the family; `lifecycle` makes those that every resource has. */
  readonly checks: Partial<Record<RuleId | GapId, Check>>
  /**
   * The requests that these checks read, in one form; `lifeSteps` makes those of a resource's life. A step that stands for an
   * operation has the name `<form>:<operation>`, and its `operation`, so that its answer serves the general rules too.
   */
  readonly steps?: (form: Form) => readonly Step[]
}
