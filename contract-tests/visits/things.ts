import type { OperationId } from '../../fixtures/contract/index.ts'
import { listIn } from '../engine/pages.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import { idOf } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { alertBody, dashboardBody, referencesOf, tileOf } from './samples.ts'

/**
 * What a run creates in both forms of the observability API: three dashboards and three alerts, named so that orders by
 * creation and by name differ. `main` is read, updated and deleted; the probes of §5 aim at `spare`; `third` shows what
 * happens to an alert whose dashboard is deleted.
 */

export type ObservabilityForm = 'managed' | 'selfHosted'
export type Thing = 'main' | 'spare' | 'third'
export type Resource = 'alert' | 'dashboard'

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
