import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { changeResult, failing, inAnswers, type Json, refuse, succeeds, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const inCosts = (how: (cost: Json) => Json): (() => Fault) =>
  inAnswers(successOf('usageCost.get'), answer =>
    changeResult(answer, result => (isRecord(result) ? how(result) : result)),
  )

const inRows = (how: (row: Json) => Json) =>
  inCosts(cost => ({ ...cost, costs: Array.isArray(cost.costs) ? cost.costs.map(how) : cost.costs }))

export const faults = {
  'usageCost/get-answers': failing('usageCost.get'),
  'usageCost/rows-add-up': inCosts(cost => ({ ...cost, grandTotalCHC: Number(cost.grandTotalCHC) + 1 })),
  'usageCost/days-are-those-asked-for': inRows(row => ({ ...row, date: '1999-12-31' })),
  'usageCost/more-than-31-days-are-refused': () => async (call, next, place) => {
    const answer = await next(call)
    if (place.operation !== 'usageCost.get' || answer.status !== 400) return answer
    const query = new URLSearchParams(call.query)
    const shortened = await next({
      ...call,
      query: `from_date=${query.get('from_date')}&to_date=${query.get('from_date')}`,
    })
    return succeeds(shortened) ? shortened : refuse(answer, place, 400, 'from_date')
  },
} as const satisfies Partial<Record<RuleId, () => Fault>>
