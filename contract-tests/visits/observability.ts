import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import type { Past, Step } from '../engine/step.ts'
import { lifeOf } from './life.ts'
import { refusals, sendWrongMethod } from './refusals.ts'
import { alertBody, dashboardBody, noBody, referencesOf, tileOf, webhookId } from './samples.ts'
import { type Line, type Run, visit } from './visit.ts'

/** Dashboards and alerts: `third` shows what happens to an alert whose dashboard is deleted. */

export type ObservabilityForm = 'managed' | 'selfHosted'

const things = ['main', 'spare', 'third'] as const

function write(run: Run): void {
  const form = run.form as ObservabilityForm
  const webhooks = `${form}:webhook.list-before`
  if (form === 'selfHosted')
    run.call('webhook.list', { name: 'webhook.list-before', why: 'lists webhooks, one of which alerts name' })
  const dashboards = lifeOf(run, 'dashboard', {
    body: (past, name) => dashboardBody(past, form, name),
    change: (past, name, thing) =>
      dashboardBody(past, form, name, tileOf(past, form, `${form}:dashboard.create-${thing}`)?.tileId),
    from: () => [`${form}:source.list-before`],
    known: past => referencesOf(past, form).dashboardId,
  })
  /** An alert is on a dashboard of the run: its own, else the spare one. */
  const dashboardOf = (thing: string) => `${form}:dashboard.create-${things.find(one => one === thing) ?? 'spare'}`
  const alerts = lifeOf(run, 'alert', {
    body: (past, name, thing) => alertBody(past, form, name, dashboardOf(thing)),
    noBody: (past, thing) => noBody(past, form, dashboardOf(thing)),
    from: thing => [
      dashboardOf(thing),
      ...(form === 'selfHosted' ? [webhooks] : []),
      `${form}:alert.list-before`,
      `${form}:dashboard.list-before`,
    ],
  })
  dashboards.listBefore()
  // Alerts also show webhooks; a run that only reads needs nothing else of them.
  alerts.listBefore(past =>
    past.readOnly && (form === 'selfHosted' || webhookId(past, form)) ? 'not needed' : undefined,
  )
  for (const thing of things) {
    dashboards.create(thing, { why: 'creates a dashboard with one tile' })
    alerts.create(thing, { why: 'creates an alert with the nine fields of the sample' })
  }
  dashboards.read()
  alerts.read()
  run.call('dashboard.validate', {
    from: [`${form}:source.list-before`],
    body: past => dashboardBody(past, form, 'stack-parity'),
  })
  if (form === 'selfHosted') {
    run.call('root.get')
    run.call('health.get', { as: 'none' })
  }
  run.call('alert.list', { name: 'alert.list-limit', why: 'lists alerts with limit=1', query: () => ({ limit: '1' }) })
  refusals(run, alerts)
  // Alerts first: the update of a dashboard may replace its tile and so delete the alert.
  alerts.update()
  alerts.end()
  dashboards.update()
  const third = { line: `${form}:dashboard.create-third` as Line, resource: 'dashboard' } as const
  const deleted = dashboards.delete(third, 'delete-third')
  alerts.get(
    'get-after-cascade',
    { line: `${form}:alert.create-third` as Line, resource: 'alert' },
    'gets the alert whose dashboard was deleted',
    { from: [deleted!] },
  )
  dashboards.end()
  if (form === 'managed') sendWrongMethod(run, dashboards.spare)
}

const inForm = (step: Step): Step => ({
  ...step,
  draft: (past: Past) =>
    pathOf('dashboard.list', step.form, pathValues(past.target))
      ? step.draft(past)
      : lacksPath('dashboard.list', step.form, past.target),
})

export const observabilitySteps = (form: ObservabilityForm): readonly Step[] =>
  visit(form, 'dashboards and alerts', write).steps.map(inForm)
