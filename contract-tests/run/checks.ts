import type { Contract, Form, GapId, RuleId } from '../../fixtures/built-contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import type { Family } from '../families/index.ts'
import * as families from '../families/index.ts'
import * as sections from '../rules/index.ts'
import { checks as lifecycleChecks, checksBy as lifecycleChecksBy } from '../rules/lifecycle/index.ts'

/** All checks: of lives, of the sections of the specification and of the families; and the steps of the families. */

type ChecksOf<Source> = Source extends { readonly checks: infer Checks } ? keyof Checks : never
type AnySource = (typeof sections)[keyof typeof sections] | (typeof families)[keyof typeof families]
type Checked = keyof typeof lifecycleChecks | ChecksOf<AnySource>

const sources: readonly Family[] = [...Object.values(sections), ...Object.values(families)]

/** By the rule that a check judges or the gap that it observes. */
export const checks: Readonly<Record<RuleId | GapId, Check>> = withSources(lifecycleChecks)

/** The checks by another contract, such as one over which a document was laid. */
export const checksBy = (contract: Contract) => withSources(lifecycleChecksBy(contract))

function withSources(lives: object): Readonly<Record<RuleId | GapId, Check>> {
  return Object.assign({}, lives, ...sources.map(source => source.checks))
}

export const familySteps = (form: Form, contract?: Contract): readonly Step[] =>
  sources
    .flatMap(({ steps = [] }) => steps)
    .flatMap(stepsBy => stepsBy(contract))
    .filter(step => step.form === form)

/** A type error here names the rule or the gap that has no check. */
export type Unchecked = None<Exclude<RuleId | GapId, Checked>>
type None<Missing extends never> = Missing
