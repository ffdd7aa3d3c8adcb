import { resources } from '../../fixtures/contract/index.ts'
import { type Check, held, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import type { Past, Step } from '../engine/step.ts'
import { misfits } from '../rules/documented.ts'
import { mismatch, only, sentIn } from '../rules/fields.ts'
import { objectIn } from '../rules/lifecycle/common.ts'
import { answers } from '../rules/observations.ts'
import { agrees, eachSuccess, together, wrong } from '../rules/steps.ts'
import { nameOf, skip } from '../visits/life.ts'
import { lifeSteps, stepsOfLife } from '../visits/life-steps.ts'
import { noSource, sourceId, webhookId } from '../visits/samples.ts'
import { type ObservabilityForm, onPath } from '../visits/things.ts'

/** The life of saved searches, in both forms of the observability API, and of an alert on one. */

function lifeOf(form: ObservabilityForm) {
  const replacement = (past: Past, name: string) => {
    const source = sourceId(past, form)
    return source === undefined
      ? undefined
      : { name, sourceId: source, where: 'SeverityText:ERROR', whereLanguage: 'lucene' }
  }
  return {
    form,
    resource: 'savedSearch',
    body: (past: Past, name: string) => {
      const body = replacement(past, name)
      const filters = [{ type: 'sql', condition: "ServiceName IN ('stack-parity')" }]
      return body && { ...body, select: 'Timestamp, Body', orderBy: 'Timestamp DESC', tags: ['stack-parity'], filters }
    },
    /** It leaves out what has a default. */
    change: replacement,
    noBody: () => noSource,
    from: () => [`${form}:source.list`],
  } as const
}

/** The alert watches a search of its own, whose deletion has to take it along. */
function alertSteps(form: ObservabilityForm): readonly Step[] {
  const life = stepsOfLife(lifeOf(form))
  const creation = `${form}:savedSearch.create-third`
  const deletion = `${form}:savedSearch.delete-third`
  const alert = `${form}:savedSearch.alert`
  return [
    life.create('third', 3),
    {
      name: alert,
      ...{ form, phase: 4, method: 'POST', as: 'key', operation: 'alert.create', creates: 'alert' },
      why: 'creates an alert on a saved search',
      from: [creation, `${form}:webhook.list`, `${form}:alert.list-before`],
      draft: past => {
        const savedSearchId = past.created(creation)
        const webhook = webhookId(past, form)
        if (!savedSearchId) return skip('no saved search was created')
        if (!webhook) return skip('no webhook is known')
        const body = {
          name: nameOf(past, 'alert', 'search'),
          ...{ source: 'saved_search', savedSearchId },
          // It never fires: no window has so many rows.
          ...{ threshold: 1e15, thresholdType: 'above', interval: '1h' },
          channel: { type: 'webhook', webhookId: webhook },
        }
        return { path: onPath(past, form, 'alert.create')!, body }
      },
    },
    life.deletion(20, 'third', 'delete-third'),
    life.get(21, 'get-third-after', 'third', 'gets the saved search that the alert was on', {
      from: [deletion, creation],
    }),
    {
      name: `${form}:savedSearch.get-alert-after`,
      ...{ form, phase: 21, method: 'GET', as: 'key', operation: 'alert.get' },
      why: 'gets the alert whose saved search was deleted',
      from: [deletion, alert],
      draft: past => {
        const id = past.created(alert)
        return id ? { path: onPath(past, form, 'alert.get', id)! } : skip('no alert of this run is known')
      },
    },
  ]
}

export const steps: readonly Step[] = (['managed', 'selfHosted'] as const).flatMap(form => [
  ...lifeSteps(lifeOf(form)),
  ...alertSteps(form),
])

const defaults = { select: '', orderBy: '', tags: [], filters: [] }

export const checks = {
  'savedSearch/update-resets-the-rest': together(
    ['savedSearch.update', 'savedSearch.get-after-update'],
    ([updated, got]) => {
      const object = objectIn(got, 'savedSearch')
      if (!updated || !isSuccess(updated) || !got || !object) return undefined
      const sent = sentIn(updated)
      if (object.name !== sent.name) return notApplicable('the get does not show the replacement')
      const unsent = Object.keys(defaults).filter(name => !(name in sent))
      return agrees(mismatch(only(defaults, unsent), object, '$'), ', its default', got, updated)
    },
  ),
  'savedSearch/fields-are-typed': eachSuccess(
    ['create-main', 'get', 'list'].map(name => `savedSearch.${name}`),
    exchange => {
      const object = objectIn(exchange, 'savedSearch')
      const searches = object ? [object] : (listIn(exchange, 'savedSearch') ?? [])
      // Fields that are missing say nothing.
      return searches.flatMap(one =>
        misfits(one, { type: 'object', fields: resources.savedSearch.fields }, '$').filter(
          ({ got }) => got !== undefined,
        ),
      )
    },
  ),
  'savedSearch/alert-is-accepted': answers(['savedSearch.alert']),
  'savedSearch/delete-takes-alerts-along': together(
    ['alert', 'delete-third', 'get-alert-after', 'get-third-after'].map(name => `savedSearch.${name}`),
    ([alert, deletion, got, search]) => {
      if (!alert || !isSuccess(alert) || !deletion || !got) return undefined
      if (!isSuccess(deletion) || (search && isSuccess(search)))
        return notApplicable('the saved search was not deleted')
      const expected = 'no success for an alert whose saved search was deleted'
      return isSuccess(got) ? wrong({ path: '$', expected, got: got.response.status }, got, deletion) : held([got])
    },
  ),
} as const satisfies Record<string, Check>
