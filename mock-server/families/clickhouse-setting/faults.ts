import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { mistake } from '../../faults/optional.ts'
import { failing, succeeds } from '../../faults/rewrite.ts'

export const faults = {
  'clickhouseSetting/list-answers': failing('clickhouseSetting.list'),
  'clickhouseSetting/schema-answers': failing('clickhouseSetting.schema'),
  'clickhouseSetting/get-answers': failing('clickhouseSetting.get'),
  'clickhouseSetting/update-answers': failing('clickhouseSetting.update'),
  'clickhouseSetting/delete-answers': failing('clickhouseSetting.delete'),
  'clickhouseSetting/set-is-got': mistake('clickhouseSetting.get', 'value', '7'),
  'clickhouseSetting/deleted-is-not-listed': keepSettings,
} as const satisfies Partial<Record<RuleId, () => Fault>>

/** Answers the deletion of a setting as that of one that was never set, and keeps it. */
function keepSettings(): Fault {
  return async (call, next, { operation }) => {
    if (operation !== 'clickhouseSetting.delete') return next(call)
    const answer = await next({ ...call, path: call.path.replace(/[^/]+$/, 'keep_alive_timeout') })
    return succeeds(answer) ? answer : next(call)
  }
}
