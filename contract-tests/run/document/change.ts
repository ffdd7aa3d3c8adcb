import type { Drift } from '../../report/report.ts'
import { compareKinds, fingerprint } from '../fingerprint.ts'

export type Side = 'request' | 'answer' | 'parameter'
export type Kind = Drift['kind']

/** One difference between two documents, or between a document and an answer (`answered`). */
export interface Change {
  readonly side: Side | 'operation' | 'document' | 'answered'
  /** Below a component (`Service.profile`), which many operations share, or below an operation (`udf.list:result`). */
  readonly place: string
  /** What changed, such as `gone` or `values-new`; for an answer also the keyword that it violates, such as `enum`. */
  readonly what: string
  readonly kind: Kind
  readonly was?: unknown
  readonly is?: unknown
}

export const changesAt =
  (side: Change['side'], place: string) =>
  (what: string, kind: Kind, was?: unknown, is?: unknown): Change => ({ side, place, what, kind, was, is })

export const idOf = ({ side, place, what }: Change): string => [side, place, what].filter(Boolean).join('/')

/** A change as reports show it, with every operation that has it. */
export function toDrift(change: Change, family: string, operations: NonNullable<Drift['operations']>): Drift {
  const { kind, was = null, is = null } = change
  const drift = { part: 'document', kind, id: idOf(change), was, is } as const
  return { fingerprint: fingerprint(drift), ...drift, family, operations }
}

/** Breaking changes first, then by family and id. */
export const compareDrift = (a: Drift, b: Drift): number =>
  compareKinds(a, b) || compare(a.family ?? '', b.family ?? '') || compare(a.id, b.id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
