import type { Faults } from '../../faults/fault.ts'
import { mistake, succeeds } from '../../faults/rewrite.ts'

export const faults = {
  'clickhouseSetting/set-is-got': mistake('clickhouseSetting.get', 'value', 7),
  // Answers the deletion of a setting as that of one that was never set, and keeps it.
  'clickhouseSetting/deleted-is-not-listed': () => async (call, next, place) => {
    if (place.operation !== 'clickhouseSetting.delete') return next(call)
    const answer = await next({ ...call, path: call.path.replace(/[^/]+$/, 'keep_alive_timeout') })
    return succeeds(answer) ? answer : next(call)
  },
} as const satisfies Faults
