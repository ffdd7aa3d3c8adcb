import { countOf, describeDrift } from './outline.ts'
import { type Drift, type DriftUse, isUsed } from './report.ts'

/** Differences that concern the user, and those that touch nothing that is used. */
export const divideByUse = (drift: readonly Drift[]): { own: readonly Drift[]; others: readonly Drift[] } => ({
  own: drift.filter(isUsed),
  others: drift.filter(one => !isUsed(one)),
})

/** The uses that differences touch, as sentences; the last one counts those beyond `most`. */
export function describeUses(drift: readonly Drift[], most = Number.POSITIVE_INFINITY): readonly string[] {
  const sentences = [...new Set(drift.flatMap(({ usedBy = [] }) => usedBy.map(describeUse)))]
  const more = sentences.length - most
  return more > 0 ? [...sentences.slice(0, most), `and ${more} more`] : sentences
}

/** `key.create $.name, 12 calls, as in keys.test.ts > makes a key. Send …` */
function describeUse({ operation, at, calls, from = [], fix }: DriftUse): string {
  const where = [operation, at].filter(Boolean).join(' ')
  const parts = [where, countOf(calls, 'call'), ...(from.length > 0 ? [`as in ${from.join(', ')}`] : [])]
  return `${parts.join(', ')}${fix === undefined ? '' : `. ${fix}`}`
}

/** One line for the differences that touch nothing that is used; undefined if there are none. */
export const describeOthers = (others: readonly Drift[]): string | undefined =>
  others.length === 0 ? undefined : `${describeDrift({ drift: others })} touch nothing that you call`
