import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { lacksPath, type PathValues, pathOf, pathValues } from '../engine/paths.ts'
import type { Draft, Past, Step } from '../engine/step.ts'

/** Makes a step of one form: a GET with the good key, unless `more` says otherwise. */
export type MakeStep = (name: string, phase: number, why: string, draft: Step['draft'], more?: Partial<Step>) => Step

export const stepMaker =
  (form: Form): MakeStep =>
  (name, phase, why, draft, more) => ({
    name: `${form}:${name}`,
    form,
    phase,
    method: 'GET',
    as: 'key',
    why,
    draft,
    ...more,
  })

/** The path of an operation at what the target names, but for `values`; or the reason why it is not known. */
export function at(past: Past, form: Form, operation: OperationId, values: PathValues = {}): Draft {
  const path = pathOf(operation, form, { ...pathValues(past.target), ...values })
  return path ? { path } : lacksPath(operation, form, past.target)
}
