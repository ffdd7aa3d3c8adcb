import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { changeResult, resultOf, succeeds } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const isOnSearch = (body: string) => body.includes('"saved_search"')

/** Answers a get of an alert on a saved search with its creation, even if it is deleted. */
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

export const faults = {
  'savedSearch/update-resets-the-rest': wrongFieldAfterUpdate('savedSearch', 'tags', ['kept']),
  // The deployment itself refuses a body without anything in it.
  'savedSearch/alert-is-accepted': () => (call, next, place) =>
    next(place.operation === 'alert.create' && isOnSearch(call.body) ? { ...call, body: '{}' } : call),
  'savedSearch/delete-takes-alerts-along': keepAlerts,
} as const satisfies Faults
