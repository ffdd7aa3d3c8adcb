import { type Field, type Form, resources } from '../../fixtures/contract/index.ts'
import { absent, type Check, describe, held, notApplicable, type Verdict } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { findObject } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { sentIn } from '../rules/fields.ts'
import { lifecycle } from '../rules/lifecycle/index.ts'
import { answers } from '../rules/observations.ts'
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
  const step = (
    name: string,
    phase: number,
    method: string,
    why: string,
    draft: Step['draft'],
    more: Partial<Step>,
  ): Step => ({
    name: `${form}:savedSearch.${name}`,
    ...{ form, phase, method, why, draft },
    as: 'key',
    ...more,
  })
  return [
    life.create('third', 3),
    step(
      'alert',
      4,
      'POST',
      'creates an alert on a saved search',
      past => {
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
      {
        operation: 'alert.create',
        creates: 'alert',
        from: [creation, `${form}:webhook.list`, `${form}:alert.list-before`],
      },
    ),
    life.deletion(20, 'third', 'delete-third'),
    life.get(21, 'get-third-after', 'third', 'gets the saved search that the alert was on', {
      from: [`${form}:savedSearch.delete-third`, creation],
    }),
    step(
      'get-alert-after',
      21,
      'GET',
      'gets the alert whose saved search was deleted',
      past => {
        const id = past.created(`${form}:savedSearch.alert`)
        return id ? { path: onPath(past, form, 'alert.get', id)! } : skip('no alert of this run is known')
      },
      { operation: 'alert.get', from: [`${form}:savedSearch.delete-third`, `${form}:savedSearch.alert`] },
    ),
  ]
}

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [] : [...lifeSteps(lifeOf(form)), ...alertSteps(form)]

const broken = (expected: string, got: unknown, path: string, ...exchanges: [Exchange, ...Exchange[]]): Verdict => ({
  outcome: 'broken',
  detail: describe({ path, expected, got }, exchanges[0]),
  exchanges,
})

const objectIn = (exchange: Exchange | undefined) =>
  exchange && isSuccess(exchange) ? findObject(exchange.json, 'savedSearch') : undefined

const defaults = { select: '', orderBy: '', tags: [], filters: [] }

const resetsTheRest: Check = {
  reads: form => [`${form}:savedSearch.update`, `${form}:savedSearch.get-after-update`],
  judge: evidence => {
    const names = ['update', 'get-after-update'].map(name => `${evidence.form}:savedSearch.${name}`)
    const [updated, got] = names.map(name => evidence.of(name)[0])
    const object = objectIn(got)
    if (!updated || !isSuccess(updated) || !got || !object) return absent(evidence, ...names)
    const sent = sentIn(updated)
    if (object.name !== sent.name) return notApplicable('the get does not show the replacement')
    for (const [name, value] of Object.entries(defaults)) {
      if (name in sent || !(name in object)) continue
      const [expected, shown] = [JSON.stringify(value), JSON.stringify(object[name])]
      if (expected !== shown) return broken(`${expected}, its default`, object[name], `$.${name}`, got, updated)
    }
    return held([got])
  },
}

const fits = (value: unknown, { type, values, format }: Field): boolean =>
  (Array.isArray(value) ? 'array' : typeof value) === type &&
  (values === undefined || values.includes(value as string)) &&
  (format !== 'date-time' || !Number.isNaN(Date.parse(String(value))))

/** The first field that is not of its type: fields that are missing say nothing. */
const misfit = (object: object) =>
  Object.entries(resources.savedSearch.fields as Readonly<Record<string, Field>>).find(
    ([name, field]) => name in object && !fits(object[name as keyof typeof object], field),
  )

const typed: Check = {
  reads: form => ['create-main', 'get', 'list'].map(name => `${form}:savedSearch.${name}`),
  judge: evidence => {
    const found = evidence.of(...['create-main', 'get', 'list'].map(name => `${evidence.form}:savedSearch.${name}`))
    const good = found.filter(isSuccess)
    if (good.length === 0) return absent(evidence, `${evidence.form}:savedSearch.list`)
    for (const exchange of good) {
      const object = objectIn(exchange)
      for (const one of object ? [object] : (listIn(exchange, 'savedSearch') ?? [])) {
        const [name, field] = misfit(one) ?? []
        if (name && field)
          return broken(
            `a ${field.type}${field.values ? ` of ${field.values.join(', ')}` : ''}`,
            one[name as keyof typeof one],
            `$.${name}`,
            exchange,
          )
      }
    }
    return held(good)
  },
}

const takesAlertsAlong: Check = {
  reads: form =>
    ['alert', 'delete-third', 'get-alert-after', 'get-third-after'].map(name => `${form}:savedSearch.${name}`),
  judge: evidence => {
    const names = ['alert', 'delete-third', 'get-alert-after', 'get-third-after'].map(
      name => `${evidence.form}:savedSearch.${name}`,
    )
    const [alert, deletion, got, search] = names.map(name => evidence.of(name)[0])
    if (!alert || !isSuccess(alert) || !deletion || !got) return absent(evidence, ...names)
    if (!isSuccess(deletion) || (search && isSuccess(search))) return notApplicable('the saved search was not deleted')
    return isSuccess(got)
      ? broken('no success for an alert whose saved search was deleted', got.response.status, '$', got, deletion)
      : held([got])
  },
}

export const checks = {
  ...lifecycle('savedSearch'),
  'savedSearch/update-resets-the-rest': resetsTheRest,
  'savedSearch/fields-are-typed': typed,
  'savedSearch/alert-is-accepted': answers(form => [`${form}:savedSearch.alert`]),
  'savedSearch/delete-takes-alerts-along': takesAlertsAlong,
}
