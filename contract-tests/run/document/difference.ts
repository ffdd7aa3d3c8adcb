import type { Form, OperationId } from '../../../fixtures/contract/index.ts'
import { groupBy } from '../../report/group-by.ts'
import type { Drift } from '../../report/report.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Finding } from './compare-fields.ts'

/** What was compared at one operation, and how it differs. */
export interface Compared {
  readonly form: Form
  readonly operation: OperationId
  /** The resource and the side that was compared; undefined for the operation itself. */
  readonly about: string | undefined
  readonly findings: readonly Finding[]
}

const severity = { breaking: 0, additive: 1, neutral: 2 } as const

export function createDrift(kind: Drift['kind'], id: string, was: unknown, is: unknown): Drift {
  const drift = { part: 'shapes', kind, id, was: was ?? null, is: is ?? null } as const
  return { fingerprint: fingerprint(drift), ...drift }
}

/**
 * Tells a difference once: under the name of the resource when every operation that was compared for it has the difference,
 * else under the names of those that have it.
 */
export function gather(compared: readonly Compared[]): Drift[] {
  const differences = compared.flatMap(({ findings, ...where }) => findings.map(finding => ({ ...where, ...finding })))
  const operationsOf = (list: readonly Omit<Compared, 'findings'>[]) => new Set(list.map(({ operation }) => operation))
  const same = groupBy(differences, ({ form, operation, about, what, was, is }) =>
    JSON.stringify([form, about ?? operation, what, was, is]),
  )
  return [...same.values()].flatMap(group => {
    const { form, about, what, was, is } = group[0]!
    const kind = group.map(one => one.kind).sort((a, b) => severity[a] - severity[b])[0]!
    const operations = operationsOf(group)
    const all = operationsOf(compared.filter(one => one.form === form && one.about === about))
    if (about && operations.size === all.size) return createDrift(kind, `${form}:${about}/${what}`, was, is)
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
