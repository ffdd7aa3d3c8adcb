import { operations } from '../../../fixtures/built-contract/index.ts'
import { createFinder, plainPath } from '../document/find-operation.ts'
import type { DocumentOperation } from '../document/read-document.ts'
import { decodeBodies, type ReadAttachment } from '../har/decode-bodies.ts'
import { readHar } from '../har/read-har.ts'
import { recogniseOperation } from '../har/recognise-call.ts'

/** A recorded call of an operation, as a usage counts it. */
export interface UsedCall {
  readonly method: string
  readonly path: string
  readonly operation?: string
  readonly query: string
  readonly body: string
  readonly status: number
  readonly from: string
  /** The text of the answer, where it was recorded whole. */
  readonly answer: string | undefined
}

/**
 * The calls of recorded traffic (HAR 1.2) to operations of the contract or of documents, and the number of other entries.
 * @throws UsageError if the value is no recording.
 */
export function callsOfHar(
  recording: unknown,
  name: string,
  documented: readonly DocumentOperation[],
  readAttachment?: ReadAttachment,
): { readonly calls: readonly UsedCall[]; readonly others: number } {
  const { recorded } = readHar(decodeBodies(recording, readAttachment))
  const find = createFinder({ operations: documented })
  const calls = recorded.flatMap(
    ({ number, method: sent, path: whole, query, body, status, text, unread }): UsedCall[] => {
      const method = sent === 'HEAD' ? 'GET' : sent
      const path = plainPath(whole)
      const known = recogniseOperation(method, path)
      const template = known?.operation
        ? operations[known.operation].paths[known.form as never]
        : find({ method, path })?.shape
      if (template === undefined) return []
      const call = {
        method,
        path: template,
        query: query.slice(1),
        body: body ?? '',
        status,
        from: `${name} #${number}`,
      }
      const answer = unread === undefined ? text : undefined
      return [{ ...call, answer, ...(known?.operation && { operation: known.operation }) }]
    },
  )
  return { calls, others: recorded.length - calls.length }
}
