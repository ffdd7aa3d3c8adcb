import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Past, Step } from '../engine/step.ts'
import { skip } from './life.ts'
import { type Singleton, stepsOn } from './singleton.ts'

/** An optional singleton of a service, none at first: it is looked for, set, got, deleted, and looked for again. */
export interface Optional extends Omit<Singleton, 'change'> {
  /** What it is set to. */
  readonly body: object
}

/** The operation that sets it; one that creates it does so where there is none. */
export const setterOf = (resource: string): OperationId =>
  ([`${resource}.upsert`, `${resource}.replace`, `${resource}.create`] as OperationId[]).find(
    id => operations[id] !== undefined,
  )!

export function optionalSteps({ resource, within, body, phase = 11 }: Optional): readonly Step[] {
  const step = stepsOn({ resource, within })
  const [get, remove] = [`${resource}.get`, `${resource}.delete`] as [OperationId, OperationId]
  const set = setterOf(resource)
  const before = step('get-before', get, phase, `looks for a ${resource} where there is none`)
  const isOwn = (past: Past) => Object.values(within).every(parent => past.created(parent) !== undefined)
  const after = (id: OperationId) => ({ from: [...Object.values(within), `cloud:${id}`] })
  return [
    {
      ...before,
      // A service that the run did not create may have one.
      draft: past => (isOwn(past) ? before.draft(past) : skip(`it is looked for where the run created something`)),
    },
    step(set.split('.')[1]!, set, phase + 1, `sets the ${resource}`, () => body),
    { ...step('get', get, phase + 2, `gets the ${resource}`), ...after(set) },
    step('delete', remove, phase + 3, `deletes the ${resource}`),
    { ...step('get-after-delete', get, phase + 4, `looks for the ${resource} that was deleted`), ...after(remove) },
  ]
}
