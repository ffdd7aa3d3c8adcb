import { isSuccess } from '../engine/exchange.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { chartSteps } from './charts.ts'
import { hasOwnSecondKey, ownSecondKey } from './cloud.ts'
import { nameOf, skip } from './life.ts'
import { alertBody, chartBody, dashboardBody, noBody } from './samples.ts'
import { type MakeStep, type ObservabilityForm, omissions, onPath } from './things.ts'

const noOwnDashboard = 'no dashboard of this run is known'
/** Without one of these, an alert would compare with a value or in a direction that only the deployment knows. */
const firing = ['threshold', 'thresholdType']

/** Requests that are to be refused, or whose answer the specification leaves open. */
export function refusals(form: ObservabilityForm, step: MakeStep): Step[] {
  const at = (past: Past, tail: string) => onPath(past, form, 'dashboard.list')!.replace(/dashboards$/, tail)
  const dashboards = (past: Past) => onPath(past, form, 'dashboard.list')!
  const beyond = { beyond: true } as const
  const omission = (field: string) =>
    step(
      `alert.create-without-${field}`,
      7,
      `creates an alert without ${field}`,
      past => {
        if (firing.includes(field) && !isLocal(past.target))
          return skip(`an alert without ${field} might fire and notify somebody, so it is created on loopback only`)
        const body = alertBody(past, form, nameOf(past, 'alert', `without ${field}`), `${form}:dashboard.create-spare`)
        if (!body) return noBody(past, form, `${form}:dashboard.create-spare`)
        const { [field]: _, ...rest } = body
        return { path: at(past, 'alerts'), body: rest }
      },
      {
        method: 'POST',
        operation: 'alert.create',
        creates: 'alert',
        from: [`${form}:dashboard.create-spare`, `${form}:webhook.list`],
      },
    )
  const steps = [
    ...omissions.map(omission),
    step(
      'alert.create-every-five-minutes',
      7,
      'creates an alert with another unit of the interval',
      past => {
        const body = alertBody(past, form, nameOf(past, 'alert', 'five minutes'), `${form}:dashboard.create-spare`)
        return body
          ? { path: at(past, 'alerts'), body: { ...body, interval: '5m' } }
          : noBody(past, form, `${form}:dashboard.create-spare`)
      },
      {
        method: 'POST',
        operation: 'alert.create',
        creates: 'alert',
        from: [`${form}:dashboard.create-spare`, `${form}:webhook.list`],
      },
    ),
    step(
      'malformed-json',
      7,
      'creates an alert with a body that is not JSON',
      past => ({ path: at(past, 'alerts'), rawBody: '{"name": ' }),
      {
        method: 'POST',
      },
    ),
    step(
      'text-body',
      7,
      'creates a dashboard with JSON that is labelled text/plain',
      past => ({
        path: dashboards(past),
        rawBody: JSON.stringify(dashboardBody(past, form, nameOf(past, 'dashboard', 'text'))),
        headers: { 'content-type': 'text/plain' },
      }),
      { method: 'POST', creates: 'dashboard', from: [`${form}:source.list`] },
    ),
    step('malformed-id', 7, 'gets an alert whose id is no id', past => ({ path: at(past, 'alerts/not-an-id!') })),
    step(
      'unknown-path',
      7,
      'asks for a resource that is no resource',
      past => ({ path: at(past, 'no-such-resource') }),
      beyond,
    ),
    step(
      'trailing-slash',
      7,
      'lists dashboards with a slash at the end of the path',
      past => ({ path: `${dashboards(past)}/` }),
      beyond,
    ),
    step(
      'letter-case',
      7,
      'lists dashboards with a capital letter in the path',
      past => ({ path: at(past, 'Dashboards') }),
      beyond,
    ),
    step('head', 7, 'asks for the head of the list of dashboards', past => ({ path: dashboards(past) }), {
      method: 'HEAD',
      beyond: true,
    }),
  ]
  return form === 'managed' ? [...steps, ...managedRefusals(step)] : [...steps, ...chartSteps(step)]
}

function managedRefusals(step: MakeStep): Step[] {
  const at = (past: Past, tail: string) => onPath(past, 'managed', 'dashboard.list')!.replace(/dashboards$/, tail)
  const dashboardsOf = (past: Past, change: object) =>
    pathOf('dashboard.list', 'managed', { ...pathValues(past.target), ...change })!
  /** Absent resources are tried by POST only where GET was refused: what answers GET exists, and is left alone. */
  const afterRefusal = (
    reading: string,
    name: string,
    why: string,
    draft: (past: Past) => Draft,
    creates?: 'chart' | 'webhook',
  ) =>
    step(
      name,
      8,
      why,
      past => {
        const got = past.exchange(`managed:${reading}`)
        if (!got) return skip('GET got no answer')
        return isSuccess(got) ? skip('GET was not refused') : draft(past)
      },
      { method: 'POST', beyond: true, from: [`managed:${reading}`], creates },
    )
  return [
    step('charts', 7, 'asks for charts, which the managed form does not have', past => ({ path: at(past, 'charts') }), {
      beyond: true,
    }),
    step(
      'charts-series',
      7,
      'asks for chart series, which the managed form does not have',
      past => ({ path: at(past, 'charts/series') }),
      {
        beyond: true,
      },
    ),
    step(
      'webhooks',
      7,
      'lists webhooks, which the managed form does not have',
      past => ({ path: at(past, 'webhooks') }),
      { beyond: true },
    ),
    afterRefusal(
      'charts',
      'charts-create',
      'creates a chart, which the managed form does not have',
      past => ({ path: at(past, 'charts'), body: { name: nameOf(past, 'chart', 'absent'), ...chartBody(past) } }),
      'chart',
    ),
    // A query creates nothing (§2.5).
    afterRefusal(
      'charts-series',
      'charts-query',
      'queries chart series, which the managed form does not have',
      past => ({ path: at(past, 'charts/series'), body: chartBody(past) ?? {} }),
    ),
    // Nobody can be reached at a name below `invalid`.
    afterRefusal(
      'webhooks',
      'webhooks-create',
      'creates a webhook, which the managed form does not have',
      past => ({
        path: at(past, 'webhooks'),
        body: { name: nameOf(past, 'webhook', 'absent'), service: 'generic', url: 'https://stack-parity.invalid/' },
      }),
      'webhook',
    ),
    // The method aims at what the run created: whatever a deployment makes of it, nothing else is touched.
    step(
      'wrong-method',
      27,
      'sends POST to a dashboard of this run, which takes other methods',
      past => {
        const id = past.created('managed:dashboard.create-spare')
        return id ? { path: at(past, `dashboards/${encodeURIComponent(id)}`), body: {} } : skip(noOwnDashboard)
      },
      { method: 'POST', beyond: true, from: ['managed:dashboard.create-spare'] },
    ),
    step('unknown-organization', 7, 'lists dashboards of an organization that does not exist', past => ({
      path: dashboardsOf(past, { organizationId: crypto.randomUUID() }),
    })),
    step('unknown-service', 7, 'lists dashboards of a service that does not exist', past => ({
      path: dashboardsOf(past, { serviceId: crypto.randomUUID() }),
    })),
    step(
      'foreign-organization',
      7,
      'lists dashboards with the key of the second organization',
      past =>
        hasOwnSecondKey(past)
          ? { path: dashboardsOf(past, {}) }
          : skip(`the target file does not name ${ownSecondKey}`),
      { as: 'secondKey' },
    ),
    step(
      'foreign-service',
      7,
      'lists dashboards under the second organization, to which the service does not belong, with the key of that organization',
      past => {
        const organizationId = past.target.cloud?.secondOrganizationId
        return organizationId
          ? { path: dashboardsOf(past, { organizationId }) }
          : skip('the target file does not name a secondOrganizationId')
      },
      { as: 'secondKey' },
    ),
    step('malformed-organization-id', 7, 'lists dashboards of an organization whose id is no UUID', past => ({
      path: dashboardsOf(past, { organizationId: 'not-a-uuid' }),
    })),
    step('malformed-service-id', 7, 'lists dashboards of a service whose id is no UUID', past => ({
      path: dashboardsOf(past, { serviceId: 'not-a-uuid' }),
    })),
    step(
      'unknown-property',
      7,
      'creates a dashboard with a property that is not known',
      past => ({
        path: dashboardsOf(past, {}),
        body: { ...dashboardBody(past, 'managed', nameOf(past, 'dashboard', 'property')), stackParity: true },
      }),
      { method: 'POST', creates: 'dashboard', from: ['managed:source.list'] },
    ),
  ]
}
