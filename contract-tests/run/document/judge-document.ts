import type { Form } from '../../../fixtures/contract/index.ts'
import { isObject } from '../../engine/recognise.ts'
import type { Drift } from '../../report/report.ts'
import { findBeside } from './beside.ts'
import { compareOperation } from './compare-operation.ts'
import { type Compared, createDrift, gather, inOrder } from './difference.ts'
import { type Description, type Expected, expectedOperations, readDocument } from './read-document.ts'
import { createSchemaReader, type Reader } from './schema.ts'

/**
 * Judges an OpenAPI document (3.0 or 3.1) against the contract, without sending anything: what a client that is written to
 * the contract loses by it (`breaking`), what it does not notice (`additive`), and what is merely other (`neutral`).
 * Only the forms that the document describes are judged, and only what the specification itself states can break.
 * @throws UsageError with a sentence for what is no such document.
 */
export function judgeDocument(document: unknown): readonly Drift[] {
  const description = readDocument(document)
  const { forms, references } = description
  const read = createSchemaReader(references)
  const compared = forms.flatMap(form =>
    expectedOperations(form, description).flatMap(expected => compareExpected(form, expected, description, read)),
  )
  const drift = [
    ...gather(compared),
    ...forms.flatMap(form => findBeside(form, description)),
    ...judgeVersion(description),
  ]
  // Parts that could not be read are reported; otherwise they would look like agreement.
  if (references.unread.size > 0)
    drift.push(createDrift('neutral', 'document/references-unread', null, [...references.unread].sort()))
  return inOrder(drift)
}

function compareExpected(form: Form, expected: Expected, description: Description, read: Reader): readonly Compared[] {
  const { id, operation, path, counterpart } = expected
  // What the specification does not speak of need not be in a document, and nothing in it can break.
  const isSpecified = operation.basis === undefined
  if (!counterpart) {
    const findings = [{ what: 'gone', kind: 'breaking', was: `${operation.method} ${path}` }] as const
    return isSpecified ? [{ form, operation: id, about: undefined, findings }] : []
  }
  const parts = [...compareOperation({ ...expected, form, shown: counterpart, description, read })]
  const weigh = (kind: Drift['kind']) => (kind === 'breaking' && !isSpecified ? 'neutral' : kind)
  return parts.map(([about, findings]) => ({
    form,
    operation: id,
    about,
    findings: [...findings].map(finding => ({ ...finding, kind: weigh(finding.kind) })),
  }))
}

/** §9: the description of the cloud API has version 1.0. Another major version announces a break; the rest is a number. */
function judgeVersion({ document, forms }: Description): Drift[] {
  const version = isObject(document.info) ? document.info.version : undefined
  if (!forms.includes('cloud') || version === '1.0') return []
  const isMajor = typeof version === 'string' && /^v?\d/.test(version) && !/^v?1(?:\.|$)/.test(version)
  return [createDrift(isMajor ? 'breaking' : 'neutral', 'version/description-is-1.0', '1.0', version)]
}
