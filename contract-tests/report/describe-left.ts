import type { LedgerEntry } from '../engine/ledger.ts'
import type { Left } from './report.ts'
import { shorten } from './visible.ts'

/** Longest part of an answer in a line; the json report has more. */
const LONGEST = 200
const cut = (text: string) => shorten(text, LONGEST)

/** Kind, id and name, and what else is known, line by line. */
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

export function describeLeftInOneLine(left: Left): string {
  const { what, known } = describeLeft(left)
  return [what, ...known].join('; ')
}

export const leftOf = ({ run, stray, probe, listed, deleted, ...left }: LedgerEntry): Left => left
