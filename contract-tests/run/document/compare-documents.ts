import { deviations } from '../../../fixtures/documents/deviations.ts'
import { isObject } from '../../engine/recognise.ts'
import { groupBy } from '../../report/group-by.ts'
import type { Drift } from '../../report/report.ts'
import { compareOperations, type Documents } from './compare-operations.ts'
import type { Change } from './compare-schemas.ts'
import { inOrder, type Touched, toDrift, withValues } from './drift.ts'
import { type Description, isBeyond, readDocument, type Shown } from './read-document.ts'
import { recognise } from './recognise-operation.ts'
import { createSchemaReader } from './schema.ts'

/** A change, and the operation that has it. */
interface FoundChange {
  readonly change: Change
  readonly operation?: Touched
  readonly family: string
}

export interface ComparisonOptions {
  /** True when the older document is made of the contract, which leaves out what only a vendor can say. */
  readonly isContract?: boolean
}

/**
 * Compares two OpenAPI documents (3.0 or 3.1) of the same API: what a client that is written to the older one loses by the
 * newer one (`breaking`), what it does not notice (`additive`), and what is merely other (`neutral`). A change of a schema
 * that several operations share is one difference, with all of them.
 * @throws UsageError with a sentence for what is no such document.
 */
export function compareDocuments(
  was: unknown,
  is: unknown,
  { isContract = false }: ComparisonOptions = {},
): readonly Drift[] {
  const descriptions = { was: readDocument(was), is: readDocument(is) }
  const readers = {
    was: createSchemaReader(descriptions.was.references),
    is: createSchemaReader(descriptions.is.references),
    isContract,
  }
  const documents: Documents = { ...descriptions, readers }
  const found = [...compareAll(documents), ...aboutWhole(documents)]
  const reported = isContract ? found.filter(({ change }) => !isSilent(change) && !isDeliberate(change)) : found
  const same = groupBy(reported, ({ change: { side, place, what, kind, was, is } }) =>
    JSON.stringify([side, place, what, kind, was, is]),
  )
  const gather = (found: readonly FoundChange[]) => {
    const [{ change, family }] = found as [FoundChange]
    return toDrift(
      change,
      family,
      found.flatMap(({ operation }) => operation ?? []),
    )
  }
  return [...same.values()].map(gather).sort(inOrder)
}

/** `{id,name}` is one of these names. */
const readNames = (_: string, names: string) => `(?:${names.replaceAll(',', '|')})`

const deliberate = Object.values(deviations)
  .flat()
  .map(
    text =>
      new RegExp(
        `^${text
          .replace(/[.$[\](){}|?+^\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replace(/\\{([\w,]+)\\}/g, readNames)}$`,
      ),
  )

/** True where the contract says that it differs on purpose, in these very values. */
function isDeliberate(change: Change): boolean {
  const text = withValues(change)
  return deliberate.some(pattern => pattern.test(text))
}

const bounds = /^(?:max|min|exclusiveM|multipleOf|uniqueItems|pattern|format|values-open)/

/**
 * True for what is no difference between the contract and a document: the contract need not say all that a document says of
 * an answer, nor what only a vendor can say, and a document need not have every bound that deployments are known to have.
 */
function isSilent({ side, kind, what, is }: Change): boolean {
  if (kind === 'neutral')
    return (side === 'answer' && what !== 'gone') || /^(?:deprecated|scopes-documented)$/.test(what)
  return kind === 'additive' && side !== 'answer' && bounds.test(what) && is === undefined
}

function* compareAll(documents: Documents): Generator<FoundChange> {
  const { was, is } = documents
  const key = ({ method, shape }: Shown) => `${method} ${shape}`
  const before = new Map(was.shown.map(one => [key(one), one]))
  const after = new Map(is.shown.map(one => [key(one), one]))
  for (const [name, old] of before) {
    const now = after.get(name)
    if (!now && isBeyond(old.operation)) continue
    const { id, operation, family } = recognise(old)
    const touched = { id, method: old.method, path: old.path }
    const gone: Change = { side: 'operation', place: id, what: 'gone', kind: 'breaking' }
    const changes = now ? compareOperations({ id, operation, was: old, is: now }, documents) : [gone]
    for (const change of changes) yield { change, family, operation: touched }
  }
  for (const [name, now] of after) {
    if (before.has(name)) continue
    const { id, family } = recognise(now)
    const change: Change = { side: 'operation', place: id, what: 'new', kind: 'additive' }
    yield { change, family, operation: { id, method: now.method, path: now.path } }
  }
}

/** What concerns a document as a whole. */
function* aboutWhole({ was, is }: Documents): Generator<FoundChange> {
  const at = { side: 'document', place: '' } as const
  const whole = (change: Change): FoundChange => ({ change, family: '' })
  const [old, now] = [versionOf(was), versionOf(is)]
  if (old !== now) {
    const isMajor = old?.split('.')[0] !== now?.split('.')[0]
    // Section 9: another major version announces a break. What changed with it has lines of its own.
    yield whole({ ...at, what: 'version', kind: isMajor ? 'breaking' : 'neutral', was: old, is: now })
  }
  if (is.hasScopes && !was.hasScopes) yield whole({ ...at, what: 'scopes-documented', kind: 'neutral' })
  // Parts that could not be read are reported; otherwise they would look like agreement.
  const unread = [...new Set([...was.references.unread, ...is.references.unread])].sort()
  if (unread.length > 0) yield whole({ ...at, what: 'references-unread', kind: 'neutral', is: unread })
}

/** `1.0.0` and `1` are the same version. */
function versionOf({ document: { info } }: Description): string | undefined {
  const version = isObject(info) ? info.version : undefined
  return version === undefined ? undefined : String(version).replace(/^v|(?:\.0)+$/g, '')
}
