import type { Contract, Form, Group, Operation, OperationId } from '../../../fixtures/built-contract/index.ts'
import { writeValue } from '../../words/check-options.ts'
import { onceFor } from '../../words/memoize.ts'

/** A group of operations of the cloud API, or `specified`: the operations that the specification shows or lists. */
export type Offer = Group | 'specified'

export const offersOf = onceFor(({ groups }: Contract): readonly Offer[] => [
  'specified',
  ...new Set(Object.values(groups)),
])

/** Checks a list of offers. Throws an Error that begins with `task`. */
export function readOffer(contract: Contract, task: string, value: unknown): readonly Offer[] | undefined {
  if (value === undefined) return undefined
  const offers = offersOf(contract)
  if (Array.isArray(value) && value.length > 0 && value.every(one => offers.includes(one))) return value
  throw new Error(`${task}: Expected a list of ${offers.join(', ')}, received ${writeValue(value)}`)
}

/**
 * Whether an operation is offered in a form. The managed form is the group ClickStack; the self-hosted form has no
 * groups.
 */
export function isOffered(
  { groups, operations }: Contract,
  id: OperationId,
  form: Form,
  offer: readonly Offer[] | undefined,
): boolean {
  if (offer === undefined || form === 'selfHosted') return true
  const { basis = 'implied', paths, isPublic } = operations[id]
  if (isPublic && groups[id] === undefined) return true
  if (offer.includes('specified') && basis === 'implied' && paths[form] !== undefined) return true
  const group = form === 'managed' ? 'ClickStack' : groups[id]
  return group !== undefined && offer.includes(group)
}

/** The `notOffered` list of a target file: the managed form as a whole, or operations of the cloud API. */
export function listNotOffered(contract: Contract, offer: readonly Offer[] | undefined): readonly string[] {
  const entries = Object.entries(contract.operations) as [OperationId, Operation][]
  const isIn = (form: Form) => entries.some(([id, { paths }]) => paths[form] && isOffered(contract, id, form, offer))
  const forms = (['cloud', 'managed'] as const).filter(isIn)
  const missing = entries.filter(([id, { paths }]) => {
    const formsOfOperation = Object.keys(paths) as Form[]
    return (
      formsOfOperation.some(form => forms.some(one => one === form)) &&
      !formsOfOperation.some(form => isOffered(contract, id, form, offer))
    )
  })
  return [...(forms.includes('managed') ? [] : ['managed']), ...missing.map(([id]) => id)]
}
