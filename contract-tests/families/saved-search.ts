import { type Check, held, notJudged } from '../engine/check.ts'
import { isSuccess, sentIn } from '../engine/exchange.ts'
import { objectIn } from '../engine/history/objects.ts'
import type { RunContext } from '../engine/step.ts'
import { findMismatch, pick } from '../rules/fields.ts'
import { judgeUpdates } from '../rules/lifecycle/created.ts'
import { eachObject } from '../rules/lifecycle/objects.ts'
import { anySucceeds, brokenBy, heldUnless } from '../rules/steps.ts'
import { lifeOf, nameOf } from '../visits/life.ts'
import type { ObservabilityForm } from '../visits/observability.ts'
import { skipWithoutSource, sourceId, webhookId } from '../visits/samples.ts'
import { type CreatedObject, type Run, skip, visit } from '../visits/visit.ts'

/** Saved searches in both observability forms, and an alert on one of them. */

function write(run: Run): void {
  const form = run.form as ObservabilityForm
  const replacement = (context: RunContext, name: string) => {
    const source = sourceId(context, form)
    return source === undefined
      ? undefined
      : { name, sourceId: source, where: 'SeverityText:ERROR', whereLanguage: 'lucene' }
  }
  const searches = lifeOf(run, 'savedSearch', {
    body: (context, name) => {
      const body = replacement(context, name)
      const filters = [{ type: 'sql', condition: "ServiceName IN ('stack-parity')" }]
      return body && { ...body, select: 'Timestamp, Body', orderBy: 'Timestamp DESC', tags: ['stack-parity'], filters }
    },
    // Leaves out the fields that have a default.
    change: replacement,
    skipWithoutBody: () => skipWithoutSource,
    from: () => [`${form}:source.list-before`],
    whole: {
      values: { condition: "ServiceName IN ('stack-parity', 'ü')" },
      omit: Object.fromEntries(
        ['lucene', 'sql_ast'].map(type => [`filters.type=${type}`, 'deployments keep it, but take none']),
      ),
    },
  })
  searches.begin()
  // The alert has a search of its own: the deletion of the search must delete the alert.
  const third = searches.create('third')
  const alert: CreatedObject = {
    resource: 'alert',
    line: run.call('alert.create', {
      name: 'savedSearch.alert',
      why: 'creates an alert on a saved search',
      creates: 'alert',
      from: [
        third.line,
        ...(form === 'selfHosted' ? [`${form}:webhook.list-before`] : []),
        `${form}:alert.list-before`,
      ],
      body: context => {
        const savedSearchId = context.created(third.line)
        const webhook = webhookId(context, form)
        if (!savedSearchId || !webhook) return undefined
        return {
          name: nameOf(context, 'alert', 'search'),
          source: 'saved_search',
          savedSearchId,
          // The alert never fires: no window has that many rows.
          threshold: 1e15,
          thresholdType: 'above',
          interval: '1h',
          channel: { type: 'webhook', webhookId: webhook },
        }
      },
      skipReason: context => skip(context.created(third.line) ? 'no webhook is known' : 'no saved search was created'),
    }),
  }
  searches.read()
  searches.update()
  searches.whole()
  searches.end()
  const deleted = searches.delete(third, 'delete-third')!
  searches.get('get-third-after', third, 'gets the saved search that the alert was on', { from: [deleted] })
  run.call('alert.get', {
    name: 'savedSearch.get-alert-after',
    why: 'gets the alert whose saved search was deleted',
    on: alert,
    from: [deleted],
  })
}

export const steps = (['managed', 'selfHosted'] as const).flatMap(form => visit(form, 'saved search', write).steps)

const defaults = { select: '', orderBy: '', tags: [], filters: [] }

export const checks = {
  'savedSearch/update-resets-the-rest': judgeUpdates(
    'savedSearch',
    ['savedSearch.update', 'get-after-update'],
    (updated, got) => {
      const object = objectIn(got, 'savedSearch')
      if (!object) return undefined
      const sent = sentIn(updated)
      if (object.name !== sent.name) return notJudged('the get does not show the replacement')
      const unsent = Object.keys(defaults).filter(name => !(name in sent))
      return heldUnless(findMismatch(pick(defaults, unsent), object, '$'), [got, updated], ', its default')
    },
  ),
  'savedSearch/alert-is-accepted': anySucceeds(['savedSearch.alert']),
  'savedSearch/delete-takes-alerts-along': eachObject(
    'alert',
    { lines: ['alert', 'delete-third', 'get-alert-after', 'get-third-after'].map(name => `savedSearch.${name}`) },
    function* ({ creations, removals, gets }, { isAfter, mayLag, objectsOf }) {
      const { savedSearchId } = sentIn(creations[0])
      const search = objectsOf('savedSearch').find(({ id }) => id === savedSearchId)
      const deletion = search?.removals.find(one => removals.includes(one) && isSuccess(one))
      // A rule of the life judges a saved search that is still there.
      if (!deletion || search?.gets.some(one => isAfter(one, deletion) && isSuccess(one))) return
      for (const got of gets.filter(one => isAfter(one, deletion) && !mayLag(one, deletion))) {
        const expected = 'no success for an alert whose saved search was deleted'
        yield isSuccess(got) ? brokenBy({ path: '$', expected, got: got.response.status }, got, deletion) : held([got])
      }
    },
  ),
} as const satisfies Record<string, Check>
