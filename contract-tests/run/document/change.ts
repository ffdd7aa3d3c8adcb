import { type Drift, isUsed } from '../../report/report.ts'
import { compareKinds, fingerprint } from '../fingerprint.ts'

export type Side = 'request' | 'answer' | 'parameter'
export type Kind = Drift['kind']

/** Where a change lies in a request or an answer. */
export interface Location {
  /** Such as `$.tiles[].name` of a body, `*` for the name of an entry of a map, or `query.limit`. */
  readonly path: string
  /** The documented status of an answer, such as `200`, `2XX` or `default`. */
  readonly status?: string
  /** The alternatives of unions that it lies in: each of these must hold for a body that has it. */
  readonly conditions: readonly Condition[]
  /** What the newer document takes there. */
  readonly takes?: () => { readonly type: string; readonly values?: readonly string[] }
}

/** A body has one of these fields, with one of these values if there are any. */
export interface Condition {
  readonly paths: readonly string[]
  readonly values?: readonly string[]
}

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
  /** Absent for a change of an operation or of a whole document. It does not count for the identity of the change. */
  readonly at?: Location | undefined
}

export const changesAt =
  (side: Change['side'], place: string, at?: Location) =>
  (what: string, kind: Kind, was?: unknown, is?: unknown): Change => ({ side, place, what, kind, was, is, at })

export const idOf = ({ side, place, what }: Change): string => [side, place, what].filter(Boolean).join('/')

/** A change as reports show it, with every operation that has it. */
export function toDrift(
  change: Change,
  family: string,
  operations: NonNullable<Drift['operations']>,
  usedBy?: Drift['usedBy'],
): Drift {
  const { kind, was = null, is = null } = change
  const drift = { part: 'document', kind, id: idOf(change), was, is } as const
  return { fingerprint: fingerprint(drift), ...drift, family, operations, ...(usedBy && { usedBy }) }
}

/** Changes that touch what is used first, then breaking ones, then by family and id. */
export const compareDrift = (a: Drift, b: Drift): number =>
  Number(!isUsed(a)) - Number(!isUsed(b)) ||
  compareKinds(a, b) ||
  compare(a.family ?? '', b.family ?? '') ||
  compare(a.id, b.id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
