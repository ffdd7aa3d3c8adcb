import {
  type Contract,
  type Field,
  type Fields,
  type Operation,
  type OperationId,
  contract as ours,
} from '../../fixtures/built-contract/index.ts'

/**
 * Looks up operations and resources of a contract by names that may be unknown. Without a contract, it is that of this package;
 * a run with a vendor's document has one of its own, in `run.contract`, `context.contract` and `evidence.contract`.
 */

export const findOperation = (id: string | undefined, { operations }: Contract = ours): Operation | undefined =>
  operations[id as OperationId]

export const resourceOf = (operation: string | undefined): string => operation?.split('.')[0] ?? ''

export const fieldsOf = (resource: string | undefined, { resources }: Contract = ours): Fields =>
  resources[resource as keyof typeof resources]?.fields ?? {}

/** True for an operation that the specification neither states nor implies, such as one that only a document has. */
export function isDocumented(operation: OperationId): boolean {
  const { basis = 'stated' } = findOperation(operation) ?? { basis: 'documented' }
  return basis !== 'stated' && basis !== 'implied'
}

const ownResources = new Set(Object.keys(ours.operations).map(resourceOf))

/** True for a resource of a vendor's document that this package does not know. */
export const isOnlyInDocuments = (resource: string): boolean => resource !== '' && !ownResources.has(resource)

/** Computes what follows from a contract once, since a proxy needs it for every call. */
export function onceFor<Value>(make: (contract: Contract) => Value): (contract?: Contract) => Value {
  const known = new WeakMap<Contract, { readonly value: Value }>()
  return (contract = ours) => {
    const found = known.get(contract) ?? { value: make(contract) }
    known.set(contract, found)
    return found.value
  }
}

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
