import type { OperationId } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../harness/exchange.ts'
import { findList, idOf } from '../harness/recognise.ts'
import type { Draft, Past, Step } from '../harness/step.ts'
import { pathOf, pathValues } from './paths.ts'
import { alertBody, chartBody, dashboardBody, referencesOf, tileOf, webhookId } from './samples.ts'

/**
 * The requests that judge the observability API, for both of its forms. Three dashboards and three alerts are created,
 * named so that the orders of creation and of names all differ: `main` is read, updated and deleted; `spare` is what the
 * probes of §5 aim at; `third` shows what becomes of an alert whose dashboard is deleted.
 */

export type ObservabilityForm = 'managed' | 'selfHosted'
export type Thing = 'main' | 'spare' | 'third'
type Resource = 'alert' | 'dashboard'

const letters: Record<Thing, string> = { main: 'b', spare: 'c', third: 'a' }
const things = ['main', 'spare', 'third'] as const
const required = [
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
export const omissions = required

export const nameOf = (past: Past, resource: Resource, thing: string) =>
  `stack-parity ${past.run} ${letters[thing as Thing] ?? thing} ${resource}`
const skip = (reason: string): Draft => ({ skip: reason })

/** The path of an operation on one thing or on the collection; a Draft with the reason when the target lacks what it takes. */
export function onPath(past: Past, form: ObservabilityForm, operation: OperationId, id?: string): string | undefined {
  return pathOf(operation, form, { ...pathValues(past.target), id })
}

/** An id to read by: created in this run, else named by the target, else the first of a list. */
export function readableId(past: Past, form: ObservabilityForm, resource: Resource, thing: Thing): string | undefined {
  const created = past.created(`${form}:${resource}.create-${thing}`)
  if (created) return created
  const named = resource === 'dashboard' ? referencesOf(past, form).dashboardId : undefined
  return named ?? idOf(findList(past.exchange(`${form}:${resource}.list`)?.json, resource)?.[0], resource)
}

export function bodyOf(
  past: Past,
  form: ObservabilityForm,
  resource: Resource,
  name: string,
  thing: Thing,
  again = false,
): object | undefined {
  return resource === 'dashboard'
    ? dashboardBody(
        past,
        form,
        name,
        again ? tileOf(past, form, `${form}:dashboard.create-${thing}`)?.tileId : undefined,
      )
    : alertBody(past, form, name, `${form}:dashboard.create-${thing}`)
}

const noBody = 'a dashboard with a tile and a webhook are needed, and neither the target file nor reading gives them'

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
  const list = (
    resource: 'alert' | 'dashboard' | 'source' | 'webhook',
    phase: number,
    name = `${resource}.list`,
    query = '',
  ): Step =>
    step(name, phase, `lists ${resource}s`, past => ({ path: onPath(past, form, `${resource}.list`)! + query }), {
      operation: `${resource}.list`,
    })
  /** A list that is only read when nothing else names what an alert is made of. */
  const listBefore = (resource: Resource): Step => ({
    ...list(resource, 0, `${resource}.list-before`),
    why: `lists ${resource}s to find what an alert can be made of`,
    draft: past => {
      const { dashboardId, tileId } = referencesOf(past, form)
      const known = resource === 'alert' ? form === 'selfHosted' || webhookId(past, form) : true
      return known || (dashboardId && tileId && resource === 'dashboard')
        ? skip('not needed')
        : { path: onPath(past, form, `${resource}.list`)! }
    },
  })
  const create = (resource: Resource, thing: Thing, phase: number): Step => {
    const from =
      resource === 'dashboard'
        ? [`${form}:source.list`]
        : [`${form}:dashboard.create-${thing}`, `${form}:webhook.list`, `${form}:alert.list-before`]
    return step(
      `${resource}.create-${thing}`,
      phase,
      resource === 'alert'
        ? 'creates an alert with the nine fields of the sample'
        : 'creates a dashboard with one tile',
      past => {
        const body = bodyOf(past, form, resource, nameOf(past, resource, thing), thing)
        return body ? { path: onPath(past, form, `${resource}.create`)!, body } : skip(noBody)
      },
      { method: 'POST', operation: `${resource}.create`, creates: resource, from },
    )
  }
  const onThing = (
    resource: Resource,
    name: string,
    phase: number,
    method: string,
    verb: 'get' | 'update' | 'delete',
    thing: Thing,
    why: string,
    more: Partial<Step> = {},
  ): Step => {
    const source = `${form}:${resource}.create-${thing}`
    return step(
      `${resource}.${name}`,
      phase,
      why,
      past => {
        const created = past.created(source)
        const id = method === 'GET' && name === 'get' ? readableId(past, form, resource, thing) : created
        if (!id) return skip(method === 'GET' ? `no ${resource} is known` : `no ${resource} of this run is known`)
        const path = onPath(past, form, `${resource}.${verb}`, id)!
        if (verb !== 'update') return { path }
        const body = bodyOf(past, form, resource, `${nameOf(past, resource, thing)} updated`, thing, true)
        const byPatch = past.exchange(`${form}:${resource}.update-by-patch`)
        return body ? { path, body, ...(byPatch && isSuccess(byPatch) ? { method: 'PATCH' } : {}) } : skip(noBody)
      },
      { method, operation: `${resource}.${verb}`, from: [source, `${form}:${resource}.list`], ...more },
    )
  }
  const deletion = (resource: Resource, thing: Thing, phase: number, name = 'delete'): Step =>
    onThing(resource, name, phase, 'DELETE', 'delete', thing, `deletes the ${resource} again`, {
      deletes: { resource, step: `${form}:${resource}.create-${thing}` },
    })

  /** Update by PUT, else by PATCH; then get what came of it. */
  const updates = (resource: Resource, phase: number): Step[] => [
    onThing(resource, 'update', phase, 'PUT', 'update', 'main', `replaces the ${resource} by PUT`),
    {
      ...onThing(
        resource,
        'update-by-patch',
        phase + 1,
        'PATCH',
        'update',
        'main',
        `updates the ${resource} by PATCH, since PUT did not succeed`,
      ),
      from: [`${form}:${resource}.update`, `${form}:${resource}.create-main`],
      draft: past => {
        const put = past.exchange(`${form}:${resource}.update`)
        if (!put || put.response.status < 300) return skip('PUT succeeded')
        return onThing(resource, 'update', phase, 'PUT', 'update', 'main', '').draft(past)
      },
    },
    onThing(resource, 'get-after-update', phase + 2, 'GET', 'get', 'main', `gets the ${resource} after its update`, {
      from: [`${form}:${resource}.update`, `${form}:${resource}.update-by-patch`, `${form}:${resource}.create-main`],
    }),
  ]
  const deletions = (resource: Resource, phase: number): Step[] => {
    const deleted = `${form}:${resource}.delete`
    const after = { from: [deleted, `${form}:${resource}.create-main`] }
    return [
      deletion(resource, 'main', phase),
      onThing(
        resource,
        'get-after-delete',
        phase + 1,
        'GET',
        'get',
        'main',
        `gets the ${resource} that was deleted`,
        after,
      ),
      {
        ...list(resource, phase + 1, `${resource}.list-after-delete`),
        ...after,
        why: `lists ${resource}s without the deleted one`,
      },
      onThing(
        resource,
        'update-after-delete',
        phase + 1,
        'PUT',
        'update',
        'main',
        `updates the ${resource} that was deleted`,
        after,
      ),
      {
        ...onThing(
          resource,
          'delete-after-delete',
          phase + 2,
          'DELETE',
          'delete',
          'main',
          `deletes the ${resource} that was deleted`,
        ),
        ...after,
      },
    ]
  }

  const steps: Step[] = [
    list('source', 0),
    ...(has('webhook.list') ? [list('webhook', 0)] : []),
    listBefore('dashboard'),
    listBefore('alert'),
    ...things.flatMap((thing, index) => [create('dashboard', thing, 1 + index), create('alert', thing, 4 + index)]),
    list('dashboard', 7),
    list('alert', 7),
    { ...list('alert', 7, 'alert.list-limit', '?limit=1'), why: 'lists alerts with limit=1' },
    onThing('dashboard', 'get', 8, 'GET', 'get', 'main', 'gets the dashboard'),
    onThing('alert', 'get', 8, 'GET', 'get', 'main', 'gets the alert'),
    // The alert comes first: an update of its dashboard may give its tile another id and so take it away.
    ...updates('alert', 9),
    ...deletions('alert', 12),
    ...updates('dashboard', 15),
    deletion('dashboard', 'third', 20, 'delete-third'),
    onThing('alert', 'get-after-cascade', 21, 'GET', 'get', 'third', 'gets the alert whose dashboard was deleted', {
      from: [`${form}:dashboard.delete-third`, `${form}:alert.create-third`],
    }),
    ...deletions('dashboard', 22),
    ...refusals(form, step),
  ]
  return steps.map(value =>
    value.draft === undefined
      ? value
      : {
          ...value,
          draft: past =>
            onPath(past, form, 'dashboard.list')
              ? value.draft(past)
              : skip('the target file does not name organization and service'),
        },
  )
}

type MakeStep = (name: string, phase: number, why: string, draft: Step['draft'], more?: Partial<Step>) => Step

/** Requests that are to be refused, or whose answer the specification leaves open. */
function refusals(form: ObservabilityForm, step: MakeStep): Step[] {
  const at = (past: Past, tail: string) => onPath(past, form, 'dashboard.list')!.replace(/dashboards$/, tail)
  const dashboards = (past: Past) => onPath(past, form, 'dashboard.list')!
  const beyond = { beyond: true } as const
  const omission = (field: string) =>
    step(
      `alert.create-without-${field}`,
      7,
      `creates an alert without ${field}`,
      past => {
        const body = alertBody(past, form, nameOf(past, 'alert', `without ${field}`), `${form}:dashboard.create-spare`)
        if (!body) return skip(noBody)
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
        return body ? { path: at(past, 'alerts'), body: { ...body, interval: '5m' } } : skip(noBody)
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
    step(
      'wrong-method',
      7,
      'sends a method that the list of sources does not have',
      past => ({ path: at(past, 'sources'), body: {} }),
      {
        method: 'PATCH',
        beyond: true,
      },
    ),
  ]
  return form === 'managed' ? [...steps, ...managedRefusals(step)] : [...steps, ...chartSteps(step)]
}

function managedRefusals(step: MakeStep): Step[] {
  const at = (past: Past, tail: string) => onPath(past, 'managed', 'dashboard.list')!.replace(/dashboards$/, tail)
  const dashboardsOf = (past: Past, change: object) =>
    pathOf('dashboard.list', 'managed', { ...pathValues(past.target), ...change })!
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
      'charts-query',
      7,
      'queries chart series, which the managed form does not have',
      past => ({ path: at(past, 'charts/series'), body: chartBody(past) ?? {} }),
      { method: 'POST', beyond: true },
    ),
    step(
      'webhooks',
      7,
      'lists webhooks, which the managed form does not have',
      past => ({ path: at(past, 'webhooks') }),
      { beyond: true },
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

function chartSteps(step: MakeStep): Step[] {
  const path = '/api/v2/charts/series'
  const query = { method: 'POST', operation: 'chart.query', from: ['selfHosted:source.list'] } as const
  const draft =
    (change: (body: Record<string, unknown>) => object, unit: 1 | 1000 = 1) =>
    (past: Past): Draft => {
      const body = chartBody(past, unit)
      return body ? { path, body: change(body as Record<string, unknown>) } : skip('no source is known')
    }
  const series = (change: object) => (body: Record<string, unknown>) => ({
    ...body,
    series: (body.series as object[]).map(one => ({ ...one, ...change })),
  })
  const other = (method: string) =>
    step(
      `chart.${method.toLowerCase()}`,
      7,
      `sends ${method} where charts allow POST only`,
      past => ({
        path,
        ...(method === 'PUT' || method === 'PATCH' ? { body: chartBody(past) ?? {} } : {}),
      }),
      { method, beyond: true },
    )
  return [
    step(
      'chart.query',
      7,
      'queries the last day by the hour, with an empty groupBy',
      draft(body => body),
      query,
    ),
    step(
      'chart.query-in-seconds',
      7,
      'the same query with times in seconds',
      draft(body => body, 1000),
      query,
    ),
    step('chart.free-text', 7, 'queries with a bare word in where', draft(series({ where: 'checkout' })), query),
    step(
      'chart.unreadable-where',
      7,
      'queries with a filter that cannot be read',
      draft(series({ where: 'level:(((' })),
      query,
    ),
    step(
      'chart.unknown-source',
      7,
      'queries a source that does not exist',
      draft(series({ sourceId: 'ffffffffffffffffffffffff' })),
      query,
    ),
    step('twelve-characters', 7, 'gets a dashboard by an id of twelve characters', () => ({
      path: '/api/v2/dashboards/abcdefghijkl',
    })),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map(other),
  ]
}
