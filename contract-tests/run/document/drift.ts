import type { Drift } from '../../report/report.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Change } from './compare-schemas.ts'

export type Touched = NonNullable<Drift['operations']>[number]

/** Side, place and what. */
export const idOf = ({ side, place, what }: Change): string => [side, place, what].filter(Boolean).join('/')

/** A difference as the contract's deviations name it: a place alone would hide what changes there later. */
export const withValues = (change: Change): string =>
  `${idOf(change)}: ${JSON.stringify(change.was ?? null)} -> ${JSON.stringify(change.is ?? null)}`

/** A change as reports carry it, with every operation that has it. */
export function toDrift(change: Change, family: string, operations: readonly Touched[]): Drift {
  const { kind, was = null, is = null } = change
  const drift = { part: 'document', kind, id: idOf(change), was, is } as const
  return { fingerprint: fingerprint(drift), ...drift, family, operations }
}

const severity = { breaking: 0, additive: 1, neutral: 2 } as const

/** Breaking ones first, then by family and place. */
export const inOrder = (a: Drift, b: Drift): number =>
  severity[a.kind] - severity[b.kind] || compare(a.family ?? '', b.family ?? '') || compare(a.id, b.id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
