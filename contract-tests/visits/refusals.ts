import { isSuccess } from '../engine/exchange.ts'
import type { PathValues } from '../engine/paths.ts'
import type { Past, Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { chartSteps } from './charts.ts'
import { MALFORMED, UNKNOWN, underSecond, withSecondKey } from './cloud.ts'
import { nameOf, skip } from './life.ts'
import type { stepsOfLife } from './life-steps.ts'
import { at, stepMaker } from './make-step.ts'
import { chartBody, dashboardBody } from './samples.ts'
import { type ObservabilityForm, omissions, onPath } from './things.ts'

/** Without one of these, an alert would compare with a value or in a direction that only the deployment knows. */
const firing = ['threshold', 'thresholdType']

/** The path of something next to the dashboards. */
const beside = (past: Past, form: ObservabilityForm, tail: string) =>
  onPath(past, form, 'dashboard.list')!.replace(/dashboards$/, tail)

/** Requests that are to be refused, or whose answer the specification leaves open. */
export function refusals(form: ObservabilityForm, alerts: ReturnType<typeof stepsOfLife>): readonly Step[] {
  const step = stepMaker(form)
  const open = (name: string, why: string, tail: string, more: Partial<Step> = { beyond: true }) =>
    step(name, 7, why, past => ({ path: beside(past, form, tail) }), more)
  /** Creates an alert with another body than the sample. */
  const altered = (thing: string, why: string, change: (body: Record<string, unknown>) => object): Step => {
    const creation = alerts.create(thing, 7, why)
    const draft: Step['draft'] = past => {
      const draft = creation.draft(past)
      return 'path' in draft ? { ...draft, body: change(draft.body as Record<string, unknown>) } : draft
    }
    return { ...creation, draft }
  }
  const omission = (field: string): Step => {
    const creation = altered(`without-${field}`, `creates an alert without ${field}`, ({ [field]: _, ...rest }) => rest)
    const draft: Step['draft'] = past =>
      firing.includes(field) && !isLocal(past.target)
        ? skip(`an alert without ${field} might fire and notify somebody, so it is created on loopback only`)
        : creation.draft(past)
    return { ...creation, draft }
  }
  return [
    ...omissions.map(omission),
    altered('every-five-minutes', 'creates an alert with another unit of the interval', body => ({
      ...body,
      interval: '5m',
    })),
    step(
      'malformed-json',
      7,
      'creates an alert with a body that is not JSON',
      past => ({ path: beside(past, form, 'alerts'), rawBody: '{"name": ' }),
      { method: 'POST' },
    ),
    step(
      'text-body',
      7,
      'creates a dashboard with JSON that is labelled text/plain',
      past => ({
        path: beside(past, form, 'dashboards'),
        body: dashboardBody(past, form, nameOf(past, 'dashboard', 'text')),
        headers: { 'content-type': 'text/plain' },
      }),
      { method: 'POST', creates: 'dashboard', from: [`${form}:source.list`] },
    ),
    open('malformed-id', 'gets an alert whose id is no id', 'alerts/not-an-id!', {}),
    open('unknown-path', 'asks for a resource that is no resource', 'no-such-resource'),
    open('trailing-slash', 'lists dashboards with a slash at the end of the path', 'dashboards/'),
    open('letter-case', 'lists dashboards with a capital letter in the path', 'Dashboards'),
    open('head', 'asks for the head of the list of dashboards', 'dashboards', { method: 'HEAD', beyond: true }),
    ...(form === 'managed' ? managedRefusals() : chartSteps()),
  ]
}

/**
 * Asks for what the managed form does not have. It is tried by POST only where GET was refused: what answers GET exists, and
 * is left alone.
 */
function absent(
  name: string,
  [reading, writing]: readonly [string, string],
  writingStep: string,
  body: (past: Past) => object,
  creates?: 'chart' | 'webhook',
): readonly Step[] {
  const step = stepMaker('managed')
  const path = (past: Past) => beside(past, 'managed', name.replace('-', '/'))
  return [
    step(name, 7, `${reading}, which the managed form does not have`, past => ({ path: path(past) }), { beyond: true }),
    step(
      writingStep,
      8,
      `${writing}, which the managed form does not have`,
      past => {
        const got = past.exchange(`managed:${name}`)
        if (!got) return skip('GET got no answer')
        return isSuccess(got) ? skip('GET was not refused') : { path: path(past), body: body(past) }
      },
      { method: 'POST', beyond: true, from: [`managed:${name}`], creates },
    ),
  ]
}

function managedRefusals(): readonly Step[] {
  const step = stepMaker('managed')
  const dashboardsOf = (name: string, why: string, values: PathValues) =>
    step(name, 7, why, past => at(past, 'managed', 'dashboard.list', values))
  return [
    ...absent(
      'charts',
      ['asks for charts', 'creates a chart'],
      'charts-create',
      past => ({ name: nameOf(past, 'chart', 'absent'), ...chartBody(past) }),
      'chart',
    ),
    // A query creates nothing (§2.5).
    ...absent(
      'charts-series',
      ['asks for chart series', 'queries chart series'],
      'charts-query',
      past => chartBody(past) ?? {},
    ),
    // Nobody can be reached at a name below `invalid`.
    ...absent(
      'webhooks',
      ['lists webhooks', 'creates a webhook'],
      'webhooks-create',
      past => ({ name: nameOf(past, 'webhook', 'absent'), service: 'generic', url: 'https://stack-parity.invalid/' }),
      'webhook',
    ),
    // The method aims at what the run created: whatever a deployment makes of it, nothing else is touched.
    step(
      'wrong-method',
      27,
      'sends POST to a dashboard of this run, which takes other methods',
      past => {
        const id = past.created('managed:dashboard.create-spare')
        if (id === undefined) return skip('no dashboard of this run is known')
        return { path: beside(past, 'managed', `dashboards/${encodeURIComponent(id)}`), body: {} }
      },
      { method: 'POST', beyond: true, from: ['managed:dashboard.create-spare'] },
    ),
    dashboardsOf('unknown-organization', 'lists dashboards of an organization that does not exist', {
      organizationId: UNKNOWN,
    }),
    dashboardsOf('unknown-service', 'lists dashboards of a service that does not exist', { serviceId: UNKNOWN }),
    step(
      'foreign-organization',
      7,
      'lists dashboards with the key of the second organization',
      past => withSecondKey(past, at(past, 'managed', 'dashboard.list')),
      { as: 'secondKey' },
    ),
    step(
      'foreign-service',
      7,
      'lists dashboards under the second organization, to which the service does not belong, with the key of that organization',
      past => underSecond(past, 'managed', 'dashboard.list'),
      { as: 'secondKey' },
    ),
    dashboardsOf('malformed-organization-id', 'lists dashboards of an organization whose id is no UUID', {
      organizationId: MALFORMED,
    }),
    dashboardsOf('malformed-service-id', 'lists dashboards of a service whose id is no UUID', { serviceId: MALFORMED }),
    step(
      'unknown-property',
      7,
      'creates a dashboard with a property that is not known',
      past => ({
        path: beside(past, 'managed', 'dashboards'),
        body: { ...dashboardBody(past, 'managed', nameOf(past, 'dashboard', 'property')), stackParity: true },
      }),
      { method: 'POST', creates: 'dashboard', from: ['managed:source.list'] },
    ),
  ]
}
