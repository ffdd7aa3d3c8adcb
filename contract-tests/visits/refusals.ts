import { isSuccess } from '../engine/exchange.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { callMalformed, inSecondOrganization } from './cloud.ts'
import { type lifeOf, nameOf } from './life.ts'
import { chartBody, dashboardBody } from './samples.ts'
import { type Call, type Line, type Run, skip, type Thing } from './visit.ts'

/** The fields of the sample of an alert, each of which is left out once. */
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
/** Without one of these, only the deployment knows when the alert fires. */
const firing = ['threshold', 'thresholdType']

type LifeOf = ReturnType<typeof lifeOf>

/** Requests that must be refused, or whose answer the specification leaves open. */
export function refusals(run: Run, alerts: LifeOf): void {
  const form = run.form as 'managed' | 'selfHosted'
  /** A path beside the dashboards. */
  const beside = (context: RunContext, tail: string) =>
    pathOf('dashboard.list', form, pathValues(context.target))!.replace(/dashboards$/, tail)
  const open = (name: string, why: string, tail: string, more: Partial<Step> = { beyond: true }) =>
    run.send(name, why, context => ({ path: beside(context, tail) }), more)
  /** Creates a dashboard by another request than the usual one. */
  const dashboard = (name: string, thing: string, why: string, change: Pick<Call, 'headers'> & { with?: object }) =>
    run.call('dashboard.create', {
      name,
      why,
      from: [`${form}:source.list-before`],
      creates: 'dashboard',
      body: context => ({ ...dashboardBody(context, form, nameOf(context, 'dashboard', thing)), ...change.with }),
      headers: change.headers,
      isAside: true,
    })

  open('malformed-id', 'gets an alert whose id is no id', 'alerts/not-an-id!', {})
  open('unknown-path', 'asks for a resource that is no resource', 'no-such-resource')
  open('trailing-slash', 'lists dashboards with a slash at the end of the path', 'dashboards/')
  open('letter-case', 'lists dashboards with a capital letter in the path', 'Dashboards')
  open('head', 'asks for the head of the list of dashboards', 'dashboards', { method: 'HEAD', beyond: true })
  if (form === 'managed') managedRefusals(run, beside)
  for (const field of omissions)
    alerts.create(`without-${field}`, {
      why: `creates an alert without ${field}`,
      alter: ({ [field]: _, ...rest }) => rest,
      unless: context =>
        firing.includes(field) && !isLocal(context.target)
          ? `an alert without ${field} might fire and notify somebody, so it is created on loopback only`
          : undefined,
    })
  alerts.create('every-five-minutes', {
    why: 'creates an alert with another unit of the interval',
    alter: body => ({ ...body, interval: '5m' }),
  })
  run.send(
    'malformed-json',
    'creates an alert with a body that is not JSON',
    context => ({ path: beside(context, 'alerts'), rawBody: '{"name": ' }),
    { method: 'POST' },
  )
  dashboard('text-body', 'text', 'creates a dashboard with JSON that is labelled text/plain', {
    headers: { 'content-type': 'text/plain' },
  })
  if (form === 'managed')
    dashboard('unknown-property', 'property', 'creates a dashboard with a property that is not known', {
      with: { stackParity: true },
    })
}

/** Sent to the run's own dashboard, whatever a deployment makes of the method. */
export const sendWrongMethod = (run: Run, dashboard: Thing): Line =>
  run.add({
    ...run.make('dashboard.get', { name: 'wrong-method', on: dashboard, isAside: true, body: {} }),
    method: 'POST',
    beyond: true,
    why: 'sends POST to a dashboard of this run, which takes other methods',
  })

function managedRefusals(run: Run, beside: (context: RunContext, tail: string) => string): void {
  /** What the managed form does not have. POST is tried only where GET was refused. */
  function absent(
    name: string,
    what: readonly [reading: string, writing: string],
    body: (context: RunContext) => object,
    writing: string,
    creates?: 'chart' | 'webhook',
  ): void {
    const path = (context: RunContext) => beside(context, name.replace('-', '/'))
    const missing = 'which the managed form does not have'
    const got = run.send(name, `${what[0]}, ${missing}`, context => ({ path: path(context) }), { beyond: true })
    run.send(
      writing,
      `${what[1]}, ${missing}`,
      context => {
        const exchange = context.exchange(got)
        if (!exchange) return skip('GET got no answer')
        return isSuccess(exchange) ? skip('GET was not refused') : { path: path(context), body: body(context) }
      },
      { method: 'POST', beyond: true, from: [got], creates },
    )
  }
  absent(
    'charts',
    ['asks for charts', 'creates a chart'],
    context => ({ name: nameOf(context, 'chart', 'absent'), ...chartBody(context) }),
    'charts-create',
    'chart',
  )
  // A query creates nothing (§2.5).
  absent(
    'charts-series',
    ['asks for chart series', 'queries chart series'],
    context => chartBody(context) ?? {},
    'charts-query',
  )
  // No address below `invalid` exists.
  absent(
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
    isAside: true,
  })
  const list = 'dashboard.list'
  callMalformed(run, list, 'malformed-organization-id', 'lists dashboards of an organization', 'organizationId')
  callMalformed(run, list, 'malformed-service-id', 'lists dashboards of a service', 'serviceId')
}
