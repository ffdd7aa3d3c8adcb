import { operations } from '../../fixtures/contract/index.ts'
import { lacksPath } from '../engine/paths.ts'
import type { Step } from '../engine/step.ts'
import { skip } from './life.ts'
import { stepsOfLife } from './life-steps.ts'
import { stepMaker } from './make-step.ts'
import { refusals } from './refusals.ts'
import { alertBody, dashboardBody, noBody, referencesOf, tileOf, webhookId } from './samples.ts'
import { type ObservabilityForm, onPath, things } from './things.ts'

/** The life of a dashboard and of an alert, step by step, in both forms of the observability API; what is refused beside it. */

export function observabilitySteps(form: ObservabilityForm): readonly Step[] {
  const step = stepMaker(form)
  const list = (resource: 'source' | 'webhook'): readonly Step[] => {
    const operation = `${resource}.list` as const
    const draft: Step['draft'] = past => ({ path: onPath(past, form, operation)! })
    return form in operations[operation].paths ? [step(operation, 0, `lists ${resource}s`, draft, { operation })] : []
  }
  const dashboards = stepsOfLife({
    form,
    resource: 'dashboard',
    body: (past, name) => dashboardBody(past, form, name),
    change: (past, name, thing) =>
      dashboardBody(past, form, name, tileOf(past, form, `${form}:dashboard.create-${thing}`)?.tileId),
    from: () => [`${form}:source.list`],
    known: past => referencesOf(past, form).dashboardId,
  })
  /** The dashboard of the run that an alert stands on: one of its own, else the spare one. */
  const dashboardOf = (thing: string) => `${form}:dashboard.create-${things.find(one => one === thing) ?? 'spare'}`
  const alerts = stepsOfLife({
    form,
    resource: 'alert',
    body: (past, name, thing) => alertBody(past, form, name, dashboardOf(thing)),
    noBody: (past, thing) => noBody(past, form, dashboardOf(thing)),
    from: thing => [
      dashboardOf(thing),
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

  const steps: readonly Step[] = [
    ...list('source'),
    ...list('webhook'),
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
      past => ({ path: `${onPath(past, form, 'alert.list')!}?limit=1` }),
      { operation: 'alert.list' },
    ),
    ...dashboards.probes(8),
    ...alerts.probes(8),
    // The alert comes first: an update of its dashboard may give its tile another id and so take it away.
    ...alerts.updates(9),
    ...alerts.deletions(12),
    ...dashboards.updates(15),
    dashboards.deletion(20, 'third', 'delete-third'),
    alerts.get(21, 'get-after-cascade', 'third', 'gets the alert whose dashboard was deleted', {
      from: [`${form}:dashboard.delete-third`, `${form}:alert.create-third`],
    }),
    ...dashboards.deletions(22),
    ...refusals(form, alerts),
  ]
  return steps.map(value => ({
    ...value,
    draft: past =>
      onPath(past, form, 'dashboard.list') ? value.draft(past) : lacksPath('dashboard.list', form, past.target),
  }))
}
