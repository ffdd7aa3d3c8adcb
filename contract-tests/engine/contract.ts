import {
  type Fields,
  type Operation,
  type OperationId,
  operations,
  resources,
} from '../../fixtures/built-contract/index.ts'

/** Looks up operations and resources of the contract by names that may be unknown. */

export const findOperation = (id: string | undefined): Operation | undefined => operations[id as OperationId]

export const resourceOf = (operation: string | undefined): string => operation?.split('.')[0] ?? ''

export const fieldsOf = (resource: string | undefined): Fields =>
  resources[resource as keyof typeof resources]?.fields ?? {}

/** True for an operation that the specification neither states nor implies. */
export const isDocumented = (operation: OperationId): boolean =>
  !['stated', 'implied'].includes(operations[operation].basis ?? 'stated')
