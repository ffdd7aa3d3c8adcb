import type { JournalEntry } from '../../../../core/mock.ts'
import { element } from '../element.ts'
import { badge } from '../parts.ts'

type Cause = JournalEntry['because']

/** What decided on an answer: a rule or a gap of the contract, a fault, chaos or a stub of yours, or where else it comes from. */
export function kindOf({ by, stub, choice, rule, basis }: Cause): string {
  if (stub) return 'stub'
  if (by) return by
  if (choice) return 'gap'
  return rule ? 'rule' : basis
}

const tones: Readonly<Record<string, string>> = { stub: 'note', fault: 'bad', chaos: 'bad', gap: 'warn' }

/** The reason of an answer in a few words; its sentence is the title. */
export function renderReason(because: Cause): HTMLElement {
  const { rule, choice, stub, why } = because
  const kind = kindOf(because)
  return element('span.reason', { title: choice ? `${choice}: ${why}` : why }, [
    badge(kind, tones[kind] ?? 'plain'),
    element('code', stub ?? rule ?? ''),
  ])
}
