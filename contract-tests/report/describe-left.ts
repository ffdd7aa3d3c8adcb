import type { LedgerEntry } from '../engine/ledger.ts'
import type { Left } from './report.ts'
import { shorten } from './visible.ts'

/** A line holds so much of an answer; the json report has more of it. */
const LONGEST = 200
const cut = (text: string) => shorten(text, LONGEST)

/** What is left behind, without the form: its kind, id and name, and what is known of it, a line each. */
export function describeLeft({ resource, name, id, path, answer, shown, why }: Omit<Left, 'form'>): {
  readonly what: string
  readonly known: readonly string[]
} {
  const created =
    answer && `created by ${path ?? 'a request'}, answered with ${answer.status} ${cut(answer.body)}`.trimEnd()
  const located = answer?.location === undefined ? '' : `, Location: ${cut(answer.location)}`
  return {
    what: `${resource} ${id ?? '(id not known)'} "${name}"`,
    known: [
      ...(why === undefined ? [] : [why]),
      ...(created ? [created + located] : []),
      ...(shown === undefined ? [] : [`shown as ${cut(shown)}`]),
    ],
  }
}

/** The same in one line. */
export function describeLeftInOneLine(left: Left): string {
  const { what, known } = describeLeft(left)
  return [what, ...known].join('; ')
}

/** An entry of the ledger as the report has it. */
export const leftOf = ({ form, resource, name, id, path, answer, shown, why }: LedgerEntry): Left => ({
  form,
  resource,
  name,
  id,
  path,
  answer,
  shown,
  why,
})
