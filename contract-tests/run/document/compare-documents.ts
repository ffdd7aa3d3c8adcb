import { deviations } from '../../../fixtures/documents/deviations.ts'
import { groupBy } from '../../engine/group-by.ts'
import { isObject } from '../../engine/recognise.ts'
import type { Drift } from '../../report/report.ts'
import type { ChangedOperation, UseJudge } from '../usage/judge-use.ts'
import { type Change, changesAt, compareDrift, idOf, toDrift } from './change.ts'
import { compareOperations, type Documents } from './compare-operations.ts'
import {
  type DocumentOperation,
  isUndocumented,
  matchContract,
  type ParsedDocument,
  readDocument,
} from './read-document.ts'
import { createSchemaReader } from './schema.ts'

/** A change and the operation in which it was found; without one, the change concerns the whole document. */
interface LocatedChange {
  readonly change: Change
  readonly operation?: ChangedOperation
  readonly family: string
}

export interface ComparisonOptions {
  /** True if the older document was generated from the contract, which does not have all that a vendor documents. */
  readonly isContract?: boolean
  /** Says of each change which use it touches. */
  readonly judgeUse?: UseJudge | undefined
}

/**
 * Compares two OpenAPI documents (3.0 or 3.1) of the same API: what a client written to the older one loses (`breaking`),
 * what it does not notice (`additive`), and other differences (`neutral`). A change of a schema that several operations share
 * is one difference.
 * @throws UsageError if one of the values is no such document.
 */
export function compareDocuments(
  was: unknown,
  is: unknown,
  { isContract = false, judgeUse }: ComparisonOptions = {},
): readonly Drift[] {
  const [before, after] = [readDocument(was), readDocument(is)]
  const readers = { was: createSchemaReader(before.references), is: createSchemaReader(after.references), isContract }
  const documents: Documents = { was: before, is: after, readers }
  const changes = [...compareAll(documents), ...compareWhole(documents)]
  const reported = isContract ? changes.filter(({ change }) => !isExpected(change) && !isDeliberate(change)) : changes
  const same = groupBy(reported, ({ change: { at: _, ...identity } }) => JSON.stringify(identity))
  const toOneDrift = (changes: readonly LocatedChange[]) => {
    const operations = changes.flatMap(({ operation }) => (operation ? withoutShape(operation) : []))
    const usedBy = judgeUse && distinct(changes.flatMap(({ change, operation }) => judgeUse(change, operation) ?? []))
    return toDrift(changes[0]!.change, changes[0]!.family, operations, usedBy)
  }
  return [...same.values()].map(toOneDrift).sort(compareDrift)
}

const distinct = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map(value => [JSON.stringify(value), value])).values(),
]

const withoutShape = ({ id, method, path }: ChangedOperation) => ({ id, method, path })

/** The deviations as patterns: `*` matches anything, `{id,name}` one of the names. */
const deliberate = Object.values(deviations)
  .flat()
  .map(
    text =>
      new RegExp(
        `^${text
          .replace(/[.$[\](){}|?+^\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replace(/\\{([\w,]+)\\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)}$`,
      ),
  )

/** Whether `deviations` lists this difference, with these values: another change at the same place is reported. */
function isDeliberate(change: Change): boolean {
  const text = `${idOf(change)}: ${JSON.stringify(change.was ?? null)} -> ${JSON.stringify(change.is ?? null)}`
  return deliberate.some(pattern => pattern.test(text))
}

const bounds = /^(?:max|min|exclusiveM|multipleOf|uniqueItems|pattern|format|values-open)/

/**
 * Whether a difference between the contract and a vendor's document is expected. The contract describes neither every detail
 * of an answer nor deprecations and scopes; a document may omit bounds that deployments have.
 */
function isExpected({ side, kind, what, is }: Change): boolean {
  if (kind === 'neutral')
    return (
      (side === 'answer' && what !== 'gone') || /^(?:deprecated|scopes-documented|.*-changed-not-judged)$/.test(what)
    )
  return kind === 'additive' && side !== 'answer' && bounds.test(what) && is === undefined
}

function* compareAll(documents: Documents): Generator<LocatedChange> {
  const { was, is } = documents
  const key = ({ method, shape }: DocumentOperation) => `${method} ${shape}`
  const before = new Map(was.operations.map(one => [key(one), one]))
  const after = new Map(is.operations.map(one => [key(one), one]))
  for (const [name, old] of before) {
    const now = after.get(name)
    if (!now && isUndocumented(old.operation)) continue
    const { id, operation, family } = matchContract(old)
    const changes = now
      ? compareOperations({ id, operation, was: old, is: now }, documents)
      : [changesAt('operation', id)('gone', 'breaking')]
    for (const change of changes) yield { change, family, operation: { id, ...placeOf(old) } }
  }
  for (const [name, now] of after) {
    if (before.has(name)) continue
    const { id, family } = matchContract(now)
    const change = changesAt('operation', id)('new', 'additive')
    yield { change, family, operation: { id, ...placeOf(now) } }
  }
}

const placeOf = ({ method, path, shape }: DocumentOperation) => ({ method, path, shape })

/** Compares what concerns a document as a whole. */
function* compareWhole({ was, is }: Documents): Generator<LocatedChange> {
  const change = changesAt('document', '')
  const family = ''
  const [old, now] = [versionOf(was), versionOf(is)]
  if (old !== now) {
    const isMajor = old?.split('.')[0] !== now?.split('.')[0]
    // Section 9: another major version announces breaking changes, which are reported separately.
    yield { change: change('version', isMajor ? 'breaking' : 'neutral', old, now), family }
  }
  if (is.hasScopes && !was.hasScopes) yield { change: change('scopes-documented', 'neutral'), family }
  // Parts that could not be read are reported; otherwise they would look equal.
  const unread = [...new Set([...was.references.unread, ...is.references.unread])].sort()
  if (unread.length > 0) yield { change: change('references-unread', 'neutral', undefined, unread), family }
}

/** `1.0.0` and `1` are the same version. */
function versionOf({ document: { info } }: ParsedDocument): string | undefined {
  const version = isObject(info) ? info.version : undefined
  return version === undefined ? undefined : String(version).replace(/^v|(?:\.0)+$/g, '')
}
