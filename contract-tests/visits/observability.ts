import { pathOf, pathValues, skipForUnknownPath } from '../engine/paths.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { lifeOf } from './life.ts'
import { refusals, sendWrongMethod } from './refusals.ts'
import { alertBody, dashboardBody, referencesOf, skipWithoutReferences, tileOf, webhookId } from './samples.ts'
import { type Line, type Run, visit } from './visit.ts'

/** Dashboards and alerts. The deletion of the dashboard `third` shows what happens to its alert. */

export type ObservabilityForm = 'managed' | 'selfHosted'

const aliases = ['main', 'spare', 'third'] as const

function write(run: Run): void {
  const form = run.form as ObservabilityForm
  const webhooks = `${form}:webhook.list-before`
  if (form === 'selfHosted')
    run.call('webhook.list', { name: 'webhook.list-before', why: 'lists webhooks, one of which alerts name' })
  const dashboards = lifeOf(run, 'dashboard', {
    body: (context, name) => dashboardBody(context, form, name),
    change: (context, name, alias) =>
      dashboardBody(context, form, name, tileOf(context, form, `${form}:dashboard.create-${alias}`)?.tileId),
    from: () => [`${form}:source.list-before`],
    known: context => referencesOf(context, form).dashboardId,
  })
  /** The dashboard of an alert: that with the same alias, else `spare`. */
  const dashboardOf = (alias: string) => `${form}:dashboard.create-${aliases.find(one => one === alias) ?? 'spare'}`
  const alerts = lifeOf(run, 'alert', {
    body: (context, name, alias) => alertBody(context, form, name, dashboardOf(alias)),
    skipWithoutBody: (context, alias) => skipWithoutReferences(context, form, dashboardOf(alias)),
    from: alias => [
      dashboardOf(alias),
      ...(form === 'selfHosted' ? [webhooks] : []),
      `${form}:alert.list-before`,
      `${form}:dashboard.list-before`,
    ],
  })
  dashboards.listBefore()
  // A run that only reads needs the alerts just for the ids of webhooks.
  alerts.listBefore(context =>
    context.readOnly && (form === 'selfHosted' || webhookId(context, form)) ? 'not needed' : undefined,
  )
  for (const alias of aliases) {
    dashboards.create(alias, { why: 'creates a dashboard with one tile' })
    alerts.create(alias, { why: 'creates an alert with the nine fields of the sample' })
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

const skipWithoutPath = (step: Step): Step => ({
  ...step,
  makeRequest: (context: RunContext) =>
    pathOf('dashboard.list', step.form, pathValues(context.target))
      ? step.makeRequest(context)
      : skipForUnknownPath('dashboard.list', step.form, context.target),
})

export const observabilitySteps = (form: ObservabilityForm): readonly Step[] =>
  visit(form, 'dashboards and alerts', write).steps.map(skipWithoutPath)
