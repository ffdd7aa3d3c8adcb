import type { LedgerEntry } from '../engine/ledger.ts'
import type { LeftBehind } from './report.ts'
import { shorten } from './visible.ts'

/** The most characters of an answer in a line; the json report has more. */
const MAX_CHARACTERS = 200
const cut = (text: string) => shorten(text, MAX_CHARACTERS)

/** Describes an object that is left behind: its resource, id and name, and further facts line by line. */
export function describeLeftBehind({ resource, name, id, path, answer, shown, why }: Omit<LeftBehind, 'form'>): {
  readonly what: string
  readonly facts: readonly string[]
} {
  const created =
    answer && `created by ${path ?? 'a request'}, answered with ${answer.status} ${cut(answer.body)}`.trimEnd()
  const located = answer?.location === undefined ? '' : `, Location: ${cut(answer.location)}`
  return {
    what: `${resource} ${id ?? '(id not known)'} "${name}"`,
    facts: [
      ...(why === undefined ? [] : [why]),
      ...(created ? [created + located] : []),
      ...(shown === undefined ? [] : [`shown as ${cut(shown)}`]),
    ],
  }
}

export function describeLeftBehindInOneLine(left: LeftBehind): string {
  const { what, facts } = describeLeftBehind(left)
  return [what, ...facts].join('; ')
}

export const toLeftBehind = ({ run, stray, probe, listed, deleted, ...left }: LedgerEntry): LeftBehind => left
