import type { OperationId } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { lacksPath, pathOf } from '../engine/paths.ts'
import type { Step } from '../engine/step.ts'
import { refusals } from './refusals.ts'
import { noBody, webhookId } from './samples.ts'
import {
  bodyOf,
  nameOf,
  type ObservabilityForm,
  onPath,
  type Resource,
  readableId,
  skip,
  type Thing,
  things,
  updatedNameOf,
} from './things.ts'

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
  const list = (
    resource: 'alert' | 'dashboard' | 'source' | 'webhook',
    phase: number,
    name = `${resource}.list`,
    query = '',
  ): Step =>
    step(name, phase, `lists ${resource}s`, past => ({ path: onPath(past, form, `${resource}.list`)! + query }), {
      operation: `${resource}.list`,
    })
  /** What is there before the run creates anything; and what an alert can be made of, where the target file does not tell. */
  const listBefore = (resource: Resource): Step => ({
    ...list(resource, 0, `${resource}.list-before`),
    why: `lists ${resource}s, to tell them from what the run creates`,
    draft: past =>
      past.readOnly && resource === 'alert' && (form === 'selfHosted' || webhookId(past, form))
        ? skip('not needed')
        : { path: onPath(past, form, `${resource}.list`)! },
  })
  const create = (resource: Resource, thing: Thing, phase: number): Step => {
    const from =
      resource === 'dashboard'
        ? [`${form}:source.list`]
        : [
            `${form}:dashboard.create-${thing}`,
            `${form}:webhook.list`,
            `${form}:alert.list-before`,
            `${form}:dashboard.list-before`,
          ]
    return step(
      `${resource}.create-${thing}`,
      phase,
      resource === 'alert'
        ? 'creates an alert with the nine fields of the sample'
        : 'creates a dashboard with one tile',
      past => {
        const body = bodyOf(past, form, resource, nameOf(past, resource, thing), thing)
        return body
          ? { path: onPath(past, form, `${resource}.create`)!, body }
          : noBody(past, form, `${form}:dashboard.create-${thing}`)
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
        const body = bodyOf(past, form, resource, updatedNameOf(past, resource, thing), thing, true)
        const byPatch = past.exchange(`${form}:${resource}.update-by-patch`)
        return body
          ? { path, body, ...(byPatch && isSuccess(byPatch) ? { method: 'PATCH' } : {}) }
          : noBody(past, form, `${form}:dashboard.create-${thing}`)
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
            onPath(past, form, 'dashboard.list') ? value.draft(past) : lacksPath('dashboard.list', form, past.target),
        },
  )
}
