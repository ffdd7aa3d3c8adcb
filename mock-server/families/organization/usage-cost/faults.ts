import type { Faults } from '../../../faults/fault.ts'
import { inRecords, type Json, refuse, succeeds } from '../../../faults/rewrite.ts'

const inRows = (how: (row: Json) => Json) =>
  inRecords('usageCost.get', cost => ({ ...cost, costs: Array.isArray(cost.costs) ? cost.costs.map(how) : cost.costs }))

export const faults = {
  'usageCost/rows-add-up': inRecords('usageCost.get', cost => ({
    ...cost,
    grandTotalCHC: Number(cost.grandTotalCHC) + 1,
  })),
  'usageCost/days-are-those-asked-for': inRows(row => ({ ...row, date: String(row.date).replace(/^\d+/, '1999') })),
  'usageCost/each-day-stands-once': inRecords('usageCost.get', cost => ({
    ...cost,
    costs: Array.isArray(cost.costs) ? [...cost.costs, { ...cost.costs[0], totalCHC: 0 }] : cost.costs,
  })),
  'usageCost/amounts-are-not-negative': inRows(row => ({ ...row, metrics: { storageCHC: -1 } })),
  'usageCost/more-than-31-days-are-refused': () => async (call, next, context) => {
    const answer = await next(call)
    if (context.operation !== 'usageCost.get' || answer.status !== 400) return answer
    const query = new URLSearchParams(call.query)
    const shortened = await next({
      ...call,
      query: `from_date=${query.get('from_date')}&to_date=${query.get('from_date')}`,
    })
    return succeeds(shortened) ? shortened : refuse(answer, context, 400, 'from_date')
  },
} as const satisfies Faults
