import {
  type Field,
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

/** The fields of an object, with those of its variant. */
export function fieldsWithVariant(
  { fields, oneOf }: Pick<Field, 'fields' | 'oneOf'>,
  object: Readonly<Record<string, unknown>>,
): Fields {
  if (!oneOf) return fields ?? {}
  const kind = String(object[oneOf.discriminator] ?? oneOf.defaultValue)
  const override = oneOf.overrides?.find(({ field, value }) => object[field] === value)
  return { ...fields, ...(override?.variants[kind] ?? oneOf.variants[kind]) }
}
