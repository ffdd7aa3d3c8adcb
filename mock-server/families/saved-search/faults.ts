import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import {
  changeId,
  forgetUpdates,
  keepDeleted,
  leaveOutCreated,
  listOldNames,
  renameSiblings,
  resetUnsent,
} from '../../faults/lifecycle.ts'
import { changeResult, failing, inAnswers, resultOf, succeeds, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const isOnSearch = (body: string) => body.includes('"saved_search"')

/** Alerts on saved searches are got as they were created, whatever became of them. */
const keepAlerts = (): Fault => {
  const created = new Map<unknown, unknown>()
  return async (call, next, place) => {
    const answer = await next(call)
    if (place.operation === 'alert.create' && succeeds(answer) && isOnSearch(call.body)) {
      const alert = resultOf(answer)
      if (isRecord(alert)) created.set(alert.id, alert)
    }
    const kept = place.operation === 'alert.get' ? created.get(place.params.id) : undefined
    if (kept === undefined || succeeds(answer)) return answer
    const list = await next({ ...call, path: call.path.replace(/\/[^/]*$/, '') })
    return changeResult(list, () => kept)
  }
}

/** A get shows another filter than the one that was created, until an update sets it right. */
const mistakeFilter = (): Fault => {
  const updated = new Set<string | undefined>()
  return async (call, next, place) => {
    const answer = await next(call)
    const { id } = place.params
    if (place.operation === 'savedSearch.update' && succeeds(answer)) updated.add(id)
    if (place.operation !== 'savedSearch.get' || !succeeds(answer) || updated.has(id)) return answer
    return changeResult(answer, search => (isRecord(search) ? { ...search, where: 'Body:other' } : search))
  }
}

export const faults = {
  'savedSearch/list-answers': failing('savedSearch.list'),
  'savedSearch/create-answers': failing('savedSearch.create'),
  'savedSearch/get-answers': failing('savedSearch.get'),
  'savedSearch/update-answers': failing('savedSearch.update'),
  'savedSearch/delete-answers': failing('savedSearch.delete'),
  'savedSearch/created-is-listed': leaveOutCreated('savedSearch'),
  'savedSearch/created-is-got': mistakeFilter,
  'savedSearch/updated-is-got': forgetUpdates('savedSearch'),
  'savedSearch/deleted-is-gone': keepDeleted('savedSearch'),
  'savedSearch/siblings-are-untouched': renameSiblings('savedSearch'),
  'savedSearch/list-agrees-with-get': listOldNames('savedSearch'),
  'savedSearch/id-never-changes': changeId('savedSearch'),
  'savedSearch/update-resets-the-rest': resetUnsent('savedSearch', 'tags', ['kept']),
  'savedSearch/fields-are-typed': inAnswers(successOf('savedSearch.create'), answer =>
    changeResult(answer, search => (isRecord(search) ? { ...search, createdAt: 7 } : search)),
  ),
  // The deployment itself refuses a body without anything in it.
  'savedSearch/alert-is-accepted': () => (call, next, place) =>
    next(place.operation === 'alert.create' && isOnSearch(call.body) ? { ...call, body: '{}' } : call),
  'savedSearch/delete-takes-alerts-along': keepAlerts,
} as const satisfies Partial<Record<RuleId, () => Fault>>
