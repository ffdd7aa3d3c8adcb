import type { Form } from '../../fixtures/contract/index.ts'
import { everyForm, formsOf } from '../engine/target/forms-of.ts'
import { nearest } from '../engine/target/nearest.ts'
import { type TargetFile, UsageError } from '../engine/target/target.ts'
import { rules as everyRule, type ListedRule, type Selection, select } from '../rules/select.ts'
import type { Given } from './options.ts'

/** Which rules are judged: `--section`, `--rule` and `--forms`. */

export const ruleIds: readonly string[] = everyRule.map(rule => rule.id)

/** The rules that are selected; each option on its own must select some. */
export function readSelection(selection: Selection): readonly ListedRule[] {
  const { sections = [], rules: ids = [], forms } = selection
  const all = 'stack-parity verify --list prints them all.'
  const section = sections.find(one => select({ sections: [one] }).length === 0)
  if (section !== undefined) {
    const known = [...new Set(everyRule.map(rule => rule.section))]
    throw new UsageError(`--section ${section}: there is no rule of this section, only of ${known.join(', ')}.`)
  }
  const id = ids.find(one => select({ rules: [one] }).length === 0)
  if (id !== undefined) {
    const meant = nearest(id, ruleIds)
    throw new UsageError(`--rule ${id}: no rule begins so. ${meant ? `Did you mean ${meant}?` : all}`)
  }
  const selected = select(selection)
  if (selected.length > 0) return selected
  const given = [
    ...(sections.length > 0 ? [`--section ${sections.join(', ')}`] : []),
    ...(ids.length > 0 ? [`--rule ${ids.join(', ')}`] : []),
    ...(forms ? [`--forms ${forms.join(', ')}`] : []),
  ]
  throw new UsageError(`${given.join(' and ')} have no rule in common: ${all}`)
}

export function readForms(given: Given): readonly Form[] | undefined {
  for (const form of given.forms ?? []) {
    if (everyForm.some(one => one === form)) continue
    const meant = nearest(form, everyForm)
    throw new UsageError(
      `--forms takes ${everyForm.join(', ')}, not ${JSON.stringify(form)}.${meant ? ` Did you mean ${meant}?` : ''}`,
    )
  }
  return given.forms as readonly Form[] | undefined
}

/** A form that the target does not have has no rule to judge. */
export function refuseStrangeForms({ forms = [] }: Selection, target: TargetFile): void {
  const has = formsOf(target)
  const strange = forms.find(form => !has.includes(form))
  if (strange) throw new UsageError(`--forms ${strange}: the target has no such form, only ${has.join(', ')}.`)
}
