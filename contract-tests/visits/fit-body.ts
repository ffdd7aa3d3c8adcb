import type { Contract, OperationId, ResourceId } from '../../fixtures/built-contract/index.ts'
import type { LaidResource } from '../../fixtures/built-contract/lay-over.ts'
import { findOperation } from '../engine/contract.ts'
import { isObject } from '../engine/recognise.ts'
import { createWholeBodies } from './whole/whole-bodies.ts'

/** The fields of a body, and those that it had before a document was laid over it; undefined if that changed nothing. */
function laidBody(operation: OperationId, contract: Contract) {
  const { body, method } = findOperation(operation, contract) ?? {}
  const { before, fields = {} }: Partial<LaidResource> = contract.resources[body as ResourceId] ?? {}
  const isGone = (name: string) => before !== undefined && name in before.fields && !(name in fields)
  return before && { method, before: before.fields, fields, isGone }
}

/** True for a body with a field that a document no longer has. */
export function hasGoneField(body: unknown, operation: OperationId, contract: Contract): boolean {
  const laid = laidBody(operation, contract)
  return laid !== undefined && isObject(body) && Object.keys(body).some(laid.isGone)
}

/**
 * Fits a body that a visit writes to a document: what the document no longer has is left out, and what it newly requires is
 * added. Other contracts leave the body as it is.
 */
export function fitBody(body: unknown, operation: OperationId, contract: Contract): unknown {
  const laid = laidBody(operation, contract)
  if (!laid || !isObject(body)) return body
  const { method, before, fields, isGone } = laid
  const kept = Object.entries(body).filter(([name]) => !isGone(name))
  const isMissing = (name: string) => {
    const { optional, readOnly } = fields[name]!
    return method !== 'PATCH' && !readOnly && optional !== true && optional !== 'request' && !(name in body)
  }
  const required = Object.entries(fields).filter(([name, field]) => field !== before[name] && isMissing(name))
  const wish = { form: 'cloud', edition: '2.36', context: undefined, small: {}, mark: ' ', turn: 1 } as const
  const [added] = required.length > 0 ? createWholeBodies({ fields: Object.fromEntries(required) }, wish) : []
  return { ...Object.fromEntries(kept), ...added }
}
