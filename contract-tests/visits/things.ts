import type { OperationId } from '../../fixtures/contract/index.ts'
import type { Resource as CreatedResource } from '../harness/ledger.ts'
import { creationMark, updateMark } from '../harness/mark.ts'
import { listIn } from '../harness/pages.ts'
import { idOf } from '../harness/recognise.ts'
import type { Draft, Past, Step } from '../harness/step.ts'
import { pathOf, pathValues } from './paths.ts'
import { alertBody, dashboardBody, referencesOf, tileOf } from './samples.ts'

/**
 * What a run creates in the observability API, for both of its forms: three dashboards and three alerts, named so that the
 * orders of creation and of names all differ. `main` is read, updated and deleted; `spare` is what the probes of §5 aim at;
 * `third` shows what becomes of an alert whose dashboard is deleted.
 */

export type ObservabilityForm = 'managed' | 'selfHosted'
export type Thing = 'main' | 'spare' | 'third'
export type Resource = 'alert' | 'dashboard'

const letters: Record<Thing, string> = { main: 'b', spare: 'c', third: 'a' }
export const things = ['main', 'spare', 'third'] as const
/** The fields of the sample, each of which is left out once. */
export const omissions = [
  'dashboardId',
  'tileId',
  'threshold',
  'interval',
  'source',
  'thresholdType',
  'channel',
  'name',
  'message',
] as const
/** The name that something is created with. */
export const nameOf = (past: Past, resource: CreatedResource, thing: string) =>
  named(creationMark(past.run, resource), thing, resource)
/** The name that an update gives: it proves nothing of what carries it. */
export const updatedNameOf = (past: Past, resource: Resource, thing: string) =>
  named(updateMark(past.run), thing, resource)
const named = (mark: string, thing: string, resource: CreatedResource) =>
  `stack-parity ${mark} ${letters[thing as Thing] ?? thing} ${resource}`
export const skip = (reason: string): Draft => ({ skip: reason })

/** The path of an operation on one thing or on the collection; a Draft with the reason when the target lacks what it takes. */
export function onPath(past: Past, form: ObservabilityForm, operation: OperationId, id?: string): string | undefined {
  return pathOf(operation, form, { ...pathValues(past.target), id })
}

/** An id to read by: created in this run, else named by the target, else the first of a list. */
export function readableId(past: Past, form: ObservabilityForm, resource: Resource, thing: Thing): string | undefined {
  const created = past.created(`${form}:${resource}.create-${thing}`)
  if (created) return created
  const named = resource === 'dashboard' ? referencesOf(past, form).dashboardId : undefined
  return named ?? idOf(listIn(past.exchange(`${form}:${resource}.list`), resource)?.[0], resource)
}

export function bodyOf(
  past: Past,
  form: ObservabilityForm,
  resource: Resource,
  name: string,
  thing: Thing,
  again = false,
): object | undefined {
  return resource === 'dashboard'
    ? dashboardBody(
        past,
        form,
        name,
        again ? tileOf(past, form, `${form}:dashboard.create-${thing}`)?.tileId : undefined,
      )
    : alertBody(past, form, name, `${form}:dashboard.create-${thing}`)
}

/** Makes a step of one form. */
export type MakeStep = (name: string, phase: number, why: string, draft: Step['draft'], more?: Partial<Step>) => Step
