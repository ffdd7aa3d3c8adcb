import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import type { RunContext, Step } from '../engine/step.ts'
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
    body: (context, name) => dashboardBody(context, form, name),
    change: (context, name, thing) =>
      dashboardBody(context, form, name, tileOf(context, form, `${form}:dashboard.create-${thing}`)?.tileId),
    from: () => [`${form}:source.list-before`],
    known: context => referencesOf(context, form).dashboardId,
  })
  /** An alert is on a dashboard of the run: its own, else the spare one. */
  const dashboardOf = (thing: string) => `${form}:dashboard.create-${things.find(one => one === thing) ?? 'spare'}`
  const alerts = lifeOf(run, 'alert', {
    body: (context, name, thing) => alertBody(context, form, name, dashboardOf(thing)),
    noBody: (context, thing) => noBody(context, form, dashboardOf(thing)),
    from: thing => [
      dashboardOf(thing),
      ...(form === 'selfHosted' ? [webhooks] : []),
      `${form}:alert.list-before`,
      `${form}:dashboard.list-before`,
    ],
  })
  dashboards.listBefore()
  // Alerts also show webhooks; a run that only reads needs nothing else of them.
  alerts.listBefore(context =>
    context.readOnly && (form === 'selfHosted' || webhookId(context, form)) ? 'not needed' : undefined,
  )
  for (const thing of things) {
    dashboards.create(thing, { why: 'creates a dashboard with one tile' })
    alerts.create(thing, { why: 'creates an alert with the nine fields of the sample' })
  }
  dashboards.read()
  alerts.read()
  run.call('dashboard.validate', {
    from: [`${form}:source.list-before`],
    body: context => dashboardBody(context, form, 'stack-parity'),
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
  draft: (context: RunContext) =>
    pathOf('dashboard.list', step.form, pathValues(context.target))
      ? step.draft(context)
      : lacksPath('dashboard.list', step.form, context.target),
})

export const observabilitySteps = (form: ObservabilityForm): readonly Step[] =>
  visit(form, 'dashboards and alerts', write).steps.map(inForm)
