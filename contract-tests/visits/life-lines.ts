import { gaps, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { findOperation } from '../engine/contract.ts'
import { isLiving } from '../engine/living.ts'

/** The lines that a life has by the contract, by name. */

/** Undefined for a resource that stays as it is created. */
export const updateOf = (resource: string): OperationId | undefined =>
  ([`${resource}.update`, `${resource}.replace`] as OperationId[]).find(id => operations[id] !== undefined)

/** True when a sibling would cost money by itself, not as a part of a service. */
export function isDear(resource: string): boolean {
  const { effect, paths } = findOperation(`${resource}.create`) ?? {}
  return effect === 'costs' && !paths?.cloud?.includes('{serviceId}')
}

export const thingsOf = (resource: string): readonly string[] =>
  isLiving(resource)
    ? [
        'main',
        ...(isDear(resource) ? [] : ['spare']),
        ...(/^(?:dashboard|alert|savedSearch)$/.test(resource) ? ['third'] : []),
      ]
    : []

/** The lines that change a thing: by the operation of the contract, and by PATCH where the method is open. */
export const updatesOf = (resource: string): readonly string[] => {
  const update = updateOf(resource)
  return update ? [update, ...(`${resource}/update-method` in gaps ? [`${resource}.update-by-patch`] : [])] : []
}
