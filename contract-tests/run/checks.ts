import type { Form, GapId, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import type { Family } from '../families/family.ts'
import * as families from '../families/index.ts'
import * as sections from '../rules/index.ts'

/** The sections of the specification and the families as one: their checks and their steps. */

type Families = typeof families
type Checked =
  | keyof typeof sections.checks
  | {
      [Name in keyof Families]: Families[Name] extends { readonly checks: infer Checks } ? keyof Checks : never
    }[keyof Families]

const all: readonly Family[] = Object.values(families)

/** Every check of the suite, by the rule that it judges or the gap that it observes. */
export const checks: Readonly<Record<RuleId | GapId, Check>> = Object.assign(
  {},
  sections.checks,
  ...all.map(family => family.checks),
)

/** The steps that the families add in a form. */
export const familySteps = (form: Form): readonly Step[] => all.flatMap(family => family.steps?.(form) ?? [])

/** A type error here names the rule or the gap that has no check. */
export type Unchecked = None<Exclude<RuleId | GapId, Checked>>
type None<Missing extends never> = Missing
