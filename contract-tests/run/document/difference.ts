import type { Form, OperationId } from '../../../fixtures/contract/index.ts'
import type { Drift } from '../../report/report.ts'
import { fingerprint } from '../fingerprint.ts'

/** One difference at one operation, before those that are the same at several are told once. */
export interface Difference {
  readonly form: Form
  readonly operation: OperationId
  /** The resource and the side that it is a difference of; undefined for the operation itself. */
  readonly about?: string
  /** The place in it and what differs there, as in `role/values-gone`. */
  readonly what: string
  readonly kind: Drift['kind']
  readonly was?: unknown
  readonly is?: unknown
}

const severity = { breaking: 0, additive: 1, neutral: 2 } as const

export function createDrift(kind: Drift['kind'], id: string, was: unknown, is: unknown): Drift {
  const drift = { part: 'shapes', kind, id, was: was ?? null, is: is ?? null } as const
  return { fingerprint: fingerprint(drift), ...drift }
}

/**
 * Tells a difference once: under the name of the resource when every operation that was compared for it has the difference,
 * else under the names of those that have it. `compared` tells which were, by form and `about`.
 */
export function gather(
  differences: readonly Difference[],
  compared: ReadonlyMap<string, ReadonlySet<OperationId>>,
): Drift[] {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const { form, operation, about, what, was, is } = difference
    const key = JSON.stringify([form, about ?? operation, what, was, is])
    groups.set(key, [...(groups.get(key) ?? []), difference])
  }
  return [...groups.values()].flatMap(group => {
    const [first] = group as [Difference]
    const kind = group.map(one => one.kind).sort((a, b) => severity[a] - severity[b])[0]!
    const { form, about, what, was, is } = first
    const operations = new Set(group.map(({ operation }) => operation))
    if (about && operations.size === compared.get(`${form}:${about}`)?.size)
      return createDrift(kind, `${form}:${about}/${what}`, was, is)
    const side = about ? `${about.split('/')[1]}/` : ''
    return [...operations].map(operation => createDrift(kind, `${form}:${operation}/${side}${what}`, was, is))
  })
}

/** Breaking ones first, then by id. */
export const inOrder = (drift: readonly Drift[]): Drift[] =>
  [...drift].sort(
    (a, b) =>
      severity[a.kind] - severity[b.kind] ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : a.fingerprint < b.fingerprint ? -1 : 1),
  )
