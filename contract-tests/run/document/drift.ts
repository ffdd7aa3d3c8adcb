import type { Drift } from '../../report/report.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Change } from './compare-schemas.ts'

export type Touched = NonNullable<Drift['operations']>[number]

/** A change as reports carry it, with every operation that has it. */
export function toDrift(change: Change, family: string, operations: readonly Touched[]): Drift {
  const { side, place, what, kind, was = null, is = null } = change
  const drift = { part: 'document', kind, id: [side, place, what].filter(Boolean).join('/'), was, is } as const
  return { fingerprint: fingerprint(drift), ...drift, family, operations }
}

const severity = { breaking: 0, additive: 1, neutral: 2 } as const

/** Breaking ones first, then by family and place. */
export const inOrder = (a: Drift, b: Drift): number =>
  severity[a.kind] - severity[b.kind] || compare(a.family ?? '', b.family ?? '') || compare(a.id, b.id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
