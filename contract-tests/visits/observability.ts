import type { OperationId } from '../../fixtures/contract/index.ts'
import { lacksPath, pathOf } from '../engine/paths.ts'
import type { Step } from '../engine/step.ts'
import { skip } from './life.ts'
import { stepsOfLife } from './life-steps.ts'
import { refusals } from './refusals.ts'
import { alertBody, dashboardBody, noBody, referencesOf, tileOf, webhookId } from './samples.ts'
import { type ObservabilityForm, onPath, things } from './things.ts'

/** The life of a dashboard and of an alert, step by step, in both forms of the observability API; what is refused beside it. */

export function observabilitySteps(form: ObservabilityForm): readonly Step[] {
  const has = (operation: OperationId) =>
    pathOf(operation, form, { organizationId: 'x', serviceId: 'x', segment: 'x', id: 'x' }) !== undefined
  const step = (name: string, phase: number, why: string, draft: Step['draft'], more: Partial<Step> = {}): Step => ({
    name: `${form}:${name}`,
    form,
    phase,
    method: 'GET',
    as: 'key',
    why,
    draft,
    ...more,
  })
  const list = (resource: 'source' | 'webhook'): Step =>
    step(`${resource}.list`, 0, `lists ${resource}s`, past => ({ path: onPath(past, form, `${resource}.list`)! }), {
      operation: `${resource}.list`,
    })
  const dashboards = stepsOfLife({
    form,
    resource: 'dashboard',
    body: (past, name) => dashboardBody(past, form, name),
    change: (past, name, thing) =>
      dashboardBody(past, form, name, tileOf(past, form, `${form}:dashboard.create-${thing}`)?.tileId),
    from: () => [`${form}:source.list`],
    known: past => referencesOf(past, form).dashboardId,
  })
  const alerts = stepsOfLife({
    form,
    resource: 'alert',
    body: (past, name, thing) => alertBody(past, form, name, `${form}:dashboard.create-${thing}`),
    noBody: (past, thing) => noBody(past, form, `${form}:dashboard.create-${thing}`),
    from: thing => [
      `${form}:dashboard.create-${thing}`,
      `${form}:webhook.list`,
      `${form}:alert.list-before`,
      `${form}:dashboard.list-before`,
    ],
  })
  /** Alerts are listed before the run for what they tell of webhooks too; a run that only reads needs nothing else of it. */
  const alertsBefore: Step = {
    ...alerts.listBefore(),
    draft: past =>
      past.readOnly && (form === 'selfHosted' || webhookId(past, form))
        ? skip('not needed')
        : { path: onPath(past, form, 'alert.list')! },
  }

  const steps: Step[] = [
    list('source'),
    ...(has('webhook.list') ? [list('webhook')] : []),
    dashboards.listBefore(),
    alertsBefore,
    ...things.flatMap((thing, index) => [
      dashboards.create(thing, 1 + index, 'creates a dashboard with one tile'),
      alerts.create(thing, 4 + index, 'creates an alert with the nine fields of the sample'),
    ]),
    ...dashboards.reads(7),
    ...alerts.reads(7),
    step(
      'alert.list-limit',
      7,
      'lists alerts with limit=1',
      past => ({
        path: `${onPath(past, form, 'alert.list')!}?limit=1`,
      }),
      { operation: 'alert.list' },
    ),
    // The alert comes first: an update of its dashboard may give its tile another id and so take it away.
    ...alerts.updates(9),
    ...alerts.deletions(12),
    ...dashboards.updates(15),
    dashboards.deletion(20, 'third', 'delete-third'),
    alerts.get(21, 'get-after-cascade', 'third', 'gets the alert whose dashboard was deleted', {
      from: [`${form}:dashboard.delete-third`, `${form}:alert.create-third`],
    }),
    ...dashboards.deletions(22),
    ...refusals(form, step),
  ]
  return steps.map(value =>
    value.draft === undefined
      ? value
      : {
          ...value,
          draft: past =>
            onPath(past, form, 'dashboard.list') ? value.draft(past) : lacksPath('dashboard.list', form, past.target),
        },
  )
}
