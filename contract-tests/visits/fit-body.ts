import type { Contract, OperationId, ResourceId } from '../../fixtures/built-contract/index.ts'
import type { LaidResource } from '../../fixtures/built-contract/lay-over.ts'
import { findOperation } from '../engine/contract.ts'
import { isObject } from '../engine/recognise.ts'
import { createWholeBodies } from './whole/whole-bodies.ts'

/** True for a body with a field that a document no longer has. */
export function hasGoneField(body: unknown, operation: OperationId, contract: Contract): boolean {
  const { byDocument }: Partial<LaidResource> =
    contract.resources[findOperation(operation, contract)?.body as ResourceId] ?? {}
  return isObject(body) && byDocument?.gone.some(name => name in body) === true
}

/**
 * Fits a body that a visit writes to a document: what the document no longer has is left out, and what it newly requires is
 * added. Other contracts leave the body as it is.
 */
export function fitBody(body: unknown, operation: OperationId, contract: Contract): unknown {
  const { body: resource, method } = findOperation(operation, contract) ?? {}
  const { before, fields = {} }: Partial<LaidResource> = contract.resources[resource as ResourceId] ?? {}
  if (!before || !isObject(body)) return body
  const kept = Object.entries(body).filter(([name]) => name in fields || !(name in before.fields))
  const isMissing = (name: string) => {
    const { optional, readOnly } = fields[name]!
    return method !== 'PATCH' && !readOnly && optional !== true && optional !== 'request' && !(name in body)
  }
  const required = Object.entries(fields).filter(([name, field]) => field !== before.fields[name] && isMissing(name))
  const wish = { form: 'cloud', edition: '2.36', context: undefined, small: {}, mark: ' ', turn: 1 } as const
  const [added] = required.length > 0 ? createWholeBodies({ fields: Object.fromEntries(required) }, wish) : []
  return { ...Object.fromEntries(kept), ...added }
}
