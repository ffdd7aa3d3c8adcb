import type { Contract } from '../../fixtures/built-contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { pathOf, pathValues, skipForUnknownPath } from '../engine/paths.ts'
import { because } from '../engine/reasons.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { callMalformed, inSecondOrganization, sendToSiblings } from './cloud.ts'
import { lifeOf, nameOf } from './life.ts'
import {
  alertBody,
  chartBody,
  dashboardBody,
  findTile,
  referencesOf,
  skipWithoutReferences,
  webhookId,
} from './samples.ts'
import { type CallOptions, type Run, skip, visit } from './visit.ts'
import { wholeAlert, wholeDashboard } from './whole/boards.ts'

/** Dashboards and alerts. The deletion of the dashboard `third` shows what happens to its alert. */

export type ObservabilityForm = 'managed' | 'selfHosted'

const aliases = ['main', 'spare', 'third'] as const

/** The fields of the specification's sample of an alert. A run creates alerts that lack one of them. */
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
/** If one of these is missing, the deployment decides when the alert fires. */
const firingFields = ['threshold', 'thresholdType']

function write(run: Run): void {
  const form = run.form as ObservabilityForm
  const webhooks = `${form}:webhook.list-before`
  if (form === 'selfHosted')
    run.call('webhook.list', { name: 'webhook.list-before', why: 'lists webhooks, one of which alerts name' })
  const dashboards = lifeOf(run, 'dashboard', {
    body: (context, name) => dashboardBody(context, form, name),
    change: (context, name, alias) =>
      dashboardBody(context, form, name, findTile(context, form, `${form}:dashboard.create-${alias}`)?.tileId),
    from: () => [`${form}:source.list-before`],
    known: context => referencesOf(context, form).dashboardId,
    whole: wholeDashboard(form),
  })
  /** The line that creates the dashboard of an alert: the one with the same alias, else `spare`. */
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
    whole: wholeAlert(form),
  })
  dashboards.listBefore()
  // A run that only reads needs the alerts just for the ids of webhooks.
  alerts.listBefore(context =>
    context.readOnly && (form === 'selfHosted' || webhookId(context, form)) ? 'it is not needed' : undefined,
  )
  const [, , third] = aliases.map(alias => ({
    dashboard: dashboards.create(alias, { why: 'creates a dashboard with one tile' }),
    alert: alerts.create(alias, { why: 'creates an alert with the nine fields of the sample' }),
  }))
  dashboards.read()
  alerts.read()
  run.call('dashboard.validate', {
    from: [`${form}:source.list-before`],
    body: context => dashboardBody(context, form, 'stack-parity'),
  })
  if (form === 'selfHosted') {
    run.call('health.get', { as: 'none' })
    run.call('readiness.get', { as: 'none' })
  }
  run.call('alert.list', { name: 'alert.list-limit', why: 'lists alerts with limit=1', query: () => ({ limit: '1' }) })
  addRefusals(run, form, alerts)
  // Alerts first: the update of a dashboard may replace its tile and so delete the alert.
  alerts.update()
  alerts.whole()
  alerts.end()
  dashboards.update()
  const deleted = dashboards.delete(third!.dashboard, 'delete-third')!
  alerts.get('get-after-cascade', third!.alert, 'gets the alert whose dashboard was deleted', { from: [deleted] })
  dashboards.whole()
  dashboards.end()
  if (form === 'managed')
    run.call('dashboard.get', {
      name: 'wrong-method',
      method: 'POST',
      why: 'sends POST to a dashboard of this run, which takes other methods',
      // A deployment might accept the request, so it is sent to an object of the run.
      on: dashboards.spare,
      notJudgedByOperation: true,
      body: {},
    })
}

/** Adds requests that must be refused, and requests whose answer the specification leaves open. */
function addRefusals(run: Run, form: ObservabilityForm, alerts: ReturnType<typeof lifeOf>): void {
  const sendToSibling = sendToSiblings(run, 'dashboard.list')
  /** Creates a dashboard with other headers or further fields. */
  const createDashboard = (
    name: string,
    alias: string,
    why: string,
    change: Pick<CallOptions, 'headers'> & { with?: object },
  ) =>
    run.call('dashboard.create', {
      name,
      why,
      from: [`${form}:source.list-before`],
      creates: 'dashboard',
      body: context => ({ ...dashboardBody(context, form, nameOf(context, 'dashboard', alias)), ...change.with }),
      headers: change.headers,
      notJudgedByOperation: true,
    })

  sendToSibling('malformed-id', 'gets an alert by a malformed id', path =>
    path.replace(/dashboards$/, 'alerts/not-an-id!'),
  )
  if (form === 'managed') addManagedRefusals(run)
  for (const field of omissions)
    alerts.create(`without-${field}`, {
      why: `creates an alert without ${field}`,
      alter: ({ [field]: _, ...rest }) => rest,
      unless: context =>
        firingFields.includes(field) && !isMock(context.target)
          ? because('an alert without {field} might fire and notify somebody, so it is created on a mock only', {
              field,
            })
          : undefined,
    })
  alerts.create('every-five-minutes', {
    why: 'creates an alert with another unit of the interval',
    alter: body => ({ ...body, interval: '5m' }),
  })
  run.send(
    'malformed-json',
    'creates an alert with a body that is not JSON',
    context => ({ path: siblingPath(context, form, 'alerts'), rawBody: '{"name": ' }),
    { method: 'POST' },
  )
  createDashboard('text-body', 'text', 'creates a dashboard with JSON that is labelled text/plain', {
    headers: { 'content-type': 'text/plain' },
  })
  if (form === 'managed')
    createDashboard('unknown-property', 'property', 'creates a dashboard with a property that is not known', {
      with: { stackParity: true },
    })
}

/** The path of the list of dashboards with another end. */
const siblingPath = (context: RunContext, form: ObservabilityForm, tail: string) =>
  pathOf('dashboard.list', form, pathValues(context.target))!.replace(/dashboards$/, tail)

function addManagedRefusals(run: Run): void {
  /** Tries a resource that the managed form must not have. POST is sent only if GET was refused. */
  function tryAbsent(
    name: string,
    why: readonly [reading: string, writing: string],
    body: (context: RunContext) => object,
    nameOfPost: string,
    creates?: 'chart' | 'webhook',
  ): void {
    const path = (context: RunContext) => siblingPath(context, 'managed', name.replace('-', '/'))
    const missing = 'which the managed form does not have'
    const get = run.send(name, `${why[0]}, ${missing}`, context => ({ path: path(context) }))
    run.send(
      nameOfPost,
      `${why[1]}, ${missing}`,
      context => {
        const exchange = context.exchange(get)
        if (!exchange) return skip(because('{line} did not succeed', { line: get }))
        return isSuccess(exchange) ? skip('GET was not refused') : { path: path(context), body: body(context) }
      },
      { method: 'POST', from: [get], creates },
    )
  }
  tryAbsent(
    'charts',
    ['lists charts', 'creates a chart'],
    context => ({ name: nameOf(context, 'chart', 'absent'), ...chartBody(context) }),
    'charts-create',
    'chart',
  )
  // A query creates nothing (§2.5).
  tryAbsent(
    'charts-series',
    ['gets chart series', 'queries chart series'],
    context => chartBody(context) ?? {},
    'charts-query',
  )
  // No address below `invalid` exists.
  tryAbsent(
    'webhooks',
    ['lists webhooks', 'creates a webhook'],
    context => ({
      name: nameOf(context, 'webhook', 'absent'),
      service: 'generic',
      url: 'https://stack-parity.invalid/',
    }),
    'webhooks-create',
    'webhook',
  )
  run.call('dashboard.list', {
    ...inSecondOrganization,
    name: 'foreign-service',
    why: 'lists dashboards under the second organization, to which the service does not belong, with the key of that organization',
    notJudgedByOperation: true,
  })
  callMalformed(run, 'dashboard.list', 'organizationId')
  callMalformed(run, 'dashboard.list', 'serviceId')
}

const skipWithoutPath = (step: Step): Step => ({
  ...step,
  makeRequest: (context: RunContext) =>
    pathOf('dashboard.list', step.form, pathValues(context.target))
      ? step.makeRequest(context)
      : skipForUnknownPath('dashboard.list', step.form, context.target),
})

export const observabilitySteps = (form: ObservabilityForm, contract?: Contract): readonly Step[] =>
  visit(form, 'dashboards and alerts', write).steps(contract).map(skipWithoutPath)
