import type { OperationId } from '../../../fixtures/contract/index.ts'
import { isObject } from '../../engine/recognise.ts'
import type { Drift } from '../../report/report.ts'
import { findBeside, isPatched } from './beside.ts'
import { compareOperation } from './compare-operation.ts'
import { createDrift, type Difference, gather, inOrder } from './difference.ts'
import { type Description, expectedOperations, readDocument } from './read-document.ts'
import { createSchemaReader } from './schema.ts'

/**
 * Judges an OpenAPI document (3.0 or 3.1) against the contract, without sending anything: what a client that is written to
 * the contract loses by it (`breaking`), what it does not notice (`additive`), and what is merely other (`neutral`).
 * Only the forms that the document describes are judged, and only what the specification itself states can break.
 * @throws UsageError with a sentence for what is no such document.
 */
export function judgeDocument(document: unknown): readonly Drift[] {
  const description = readDocument(document)
  const { forms, segment, shown, references } = description
  const read = createSchemaReader(references)
  const differences: Difference[] = []
  const compared = new Map<string, Set<OperationId>>()
  for (const form of forms) {
    for (const expected of expectedOperations(form, segment)) {
      const { id, operation, path, shape } = expected
      const counterpart =
        shown.find(one => one.shape === shape && one.method === operation.method) ??
        shown.find(one => isPatched(expected, one.method, one.shape, shown))
      if (!counterpart) {
        // What the specification does not speak of need not be in a document.
        if (operation.basis !== undefined) continue
        differences.push({ form, operation: id, what: 'gone', kind: 'breaking', was: `${operation.method} ${path}` })
        continue
      }
      const note = (about: string) => {
        const key = `${form}:${about}`
        compared.set(key, (compared.get(key) ?? new Set()).add(id))
      }
      differences.push(
        ...compareOperation({ form, id, operation, path, shown: counterpart }, { description, read }, note),
      )
    }
  }
  const drift = [
    ...gather(differences, compared),
    ...forms.flatMap(form => findBeside(form, description)),
    ...judgeVersion(description),
  ]
  // Parts that could not be read are reported; otherwise they would look like agreement.
  if (references.unread.size > 0)
    drift.push(createDrift('neutral', 'document/references-unread', null, [...references.unread].sort()))
  return inOrder(drift)
}

/** §9: the description of the cloud API has version 1.0. Another major version announces a break; the rest is a number. */
function judgeVersion({ document, forms }: Description): Drift[] {
  const version = isObject(document.info) ? document.info.version : undefined
  if (!forms.includes('cloud') || version === '1.0') return []
  const isMajor = typeof version === 'string' && /^v?\d/.test(version) && !/^v?1(?:\.|$)/.test(version)
  return [createDrift(isMajor ? 'breaking' : 'neutral', 'version/description-is-1.0', '1.0', version)]
}
