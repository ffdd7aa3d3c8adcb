import {
  type Contract,
  type Form,
  type GapId,
  type Level,
  contract as ours,
  type RuleId,
} from '../../fixtures/built-contract/index.ts'
import { everyForm } from '../engine/target/forms-of.ts'

/** A rule of the contract, or a gap, which is observed. */
export interface ListedRule {
  readonly id: RuleId | GapId
  readonly section: string
  readonly level: Level
  readonly sentence: string
  readonly forms: readonly Form[]
}

/** Every rule and gap in the order of the specification's sections. */
const listRules = ({ rules, gaps }: Contract): readonly ListedRule[] =>
  [
    ...Object.entries(rules).map(([id, rule]) => ({ id: id as RuleId, ...rule })),
    ...Object.entries(gaps).map(([id, { section, forms, question }]) => ({
      id: id as GapId,
      section,
      forms,
      level: 'observe' as const,
      sentence: question,
    })),
  ].sort((a, b) => compareSections(a.section, b.section))

export const rules = listRules(ours)

export function compareSections(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

export interface Selection {
  readonly sections?: readonly string[]
  /** Ids, or prefixes of ids. */
  readonly rules?: readonly string[]
  /** Restricts the rules to these forms. */
  readonly forms?: readonly Form[]
}

/** The rules that a selection names, in its forms. A section includes its subsections. */
export function select(
  { sections = [], rules: ids = [], forms = everyForm }: Selection,
  contract?: Contract,
): readonly ListedRule[] {
  return (contract ? listRules(contract) : rules)
    .map(rule => ({ ...rule, forms: rule.forms.filter(form => forms.includes(form)) }))
    .filter(
      ({ id, section, forms }) =>
        forms.length > 0 &&
        (sections.length === 0 || sections.some(one => section === one || section.startsWith(`${one}.`))) &&
        (ids.length === 0 || ids.some(one => id === one || id.startsWith(one))),
    )
}
