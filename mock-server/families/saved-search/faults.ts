import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { changeResult, resultOf, succeeds } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const isAlertOnSavedSearch = (body: string) => body.includes('"saved_search"')

/** Answers a get of a deleted alert on a saved search as if it were not deleted. */
const keepDeletedAlerts = (): Fault => {
  const created = new Map<unknown, unknown>()
  return async (call, next, context) => {
    const answer = await next(call)
    if (context.operation === 'alert.create' && succeeds(answer) && isAlertOnSavedSearch(call.body)) {
      const alert = resultOf(answer)
      if (isRecord(alert)) created.set(alert.id, alert)
    }
    const kept = context.operation === 'alert.get' ? created.get(context.params.id) : undefined
    if (kept === undefined || succeeds(answer)) return answer
    const list = await next({ ...call, path: call.path.replace(/\/[^/]*$/, '') })
    return changeResult(list, () => kept)
  }
}

export const faults = {
  'savedSearch/update-resets-the-rest': wrongFieldAfterUpdate('savedSearch', 'tags', ['kept']),
  // The mock refuses an empty body.
  'savedSearch/alert-is-accepted': () => (call, next, context) =>
    next(context.operation === 'alert.create' && isAlertOnSavedSearch(call.body) ? { ...call, body: '{}' } : call),
  'savedSearch/delete-takes-alerts-along': keepDeletedAlerts,
} as const satisfies Faults
