import { type Fields, type Operation, type OperationId, operations, resources } from '../../fixtures/contract/index.ts'

/** Looks up operations and resources of the contract by names that it may not have. */

export const findOperation = (id: string | undefined): Operation | undefined => operations[id as OperationId]

/** The resource that an operation is of: the first part of its id. */
export const resourceOf = (operation: string | undefined): string => operation?.split('.')[0] ?? ''

/** The fields of a resource; none where the contract does not describe it. */
export const fieldsOf = (resource: string | undefined): Fields =>
  resources[resource as keyof typeof resources]?.fields ?? {}

/** True for an operation outside the specification. */
export const isDocumented = (operation: OperationId): boolean =>
  !['stated', 'implied'].includes(operations[operation].basis ?? 'stated')
