import {
  type Form,
  type Group,
  groups,
  type Operation,
  type OperationId,
  operations,
} from '../../../fixtures/built-contract/index.ts'

/** A group of operations of the cloud API, or `specified`: the operations that the specification shows or lists. */
export type Offer = Group | 'specified'

export const offers: readonly Offer[] = ['specified', ...new Set(Object.values(groups))]

export const isOffer = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(one => offers.includes(one))

/**
 * Whether an operation is offered in a form. The managed form is the group ClickStack; the self-hosted form has no
 * groups.
 */
export function isOffered(id: OperationId, form: Form, offer: readonly Offer[] | undefined): boolean {
  if (offer === undefined || form === 'selfHosted') return true
  const { basis = 'implied', paths, isPublic }: Operation = operations[id]
  if (isPublic && groups[id] === undefined) return true
  if (offer.includes('specified') && basis === 'implied' && paths[form] !== undefined) return true
  const group = form === 'managed' ? 'ClickStack' : groups[id]
  return group !== undefined && offer.includes(group)
}

/** The `notOffered` list of a target file: the managed form as a whole, or operations of the cloud API. */
export function listNotOffered(offer: readonly Offer[] | undefined): readonly string[] {
  const entries = Object.entries(operations) as [OperationId, Operation][]
  const isIn = (form: Form) => entries.some(([id, { paths }]) => paths[form] && isOffered(id, form, offer))
  const forms = (['cloud', 'managed'] as const).filter(isIn)
  const missing = entries.filter(([id, { paths }]) => {
    const formsOfOperation = Object.keys(paths) as Form[]
    return (
      formsOfOperation.some(form => forms.some(one => one === form)) &&
      !formsOfOperation.some(form => isOffered(id, form, offer))
    )
  })
  return [...(forms.includes('managed') ? [] : ['managed']), ...missing.map(([id]) => id)]
}
