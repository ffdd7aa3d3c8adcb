import type { OperationId } from '../../fixtures/contract/index.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { Past } from '../engine/step.ts'

/**
 * What a run creates in both forms of the observability API: three dashboards and three alerts, named so that orders by
 * creation and by name differ. `main` is read, updated and deleted; the probes of §5 aim at `spare`; `third` shows what
 * happens to an alert whose dashboard is deleted.
 */

export type ObservabilityForm = 'managed' | 'selfHosted'

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

/** The path of an operation on one thing or on the collection; undefined when the target lacks what it takes. */
export function onPath(past: Past, form: ObservabilityForm, operation: OperationId, id?: string): string | undefined {
  return pathOf(operation, form, { ...pathValues(past.target), id })
}
