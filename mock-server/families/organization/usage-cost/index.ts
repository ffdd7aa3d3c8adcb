import type { Faults } from '../../../faults/fault.ts'
import { inRecords, type Json, refuse, succeeds } from '../../../faults/rewrite.ts'
import { day } from '../../../words/durations.ts'
import { refused } from '../../../words/refusal.ts'
import { answerObject, type Handlers, type Request } from '../../family.ts'
import { hasTag, services } from '../../service/model.ts'
import { meters, metersOf } from './model.ts'
import { roundCredits, rowsOfDay } from './rows.ts'

export const models = [meters]

const maxDays = 31
/** Limit of rows of an answer. */
const maxRows = 500_000

/** A day of the query, as its first moment in UTC. */
function dayIn({ query }: Request, name: 'from_date' | 'to_date'): number {
  const text = query.get(name) ?? ''
  const at = Date.parse(text)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  // Deployments answer with the received text as the sentence.
  if (!isDay) throw refused(text)
  return at
}

export const handlers = {
  'usageCost.get': request => {
    const { world, now, ids, query } = request
    const [from, to] = [dayIn(request, 'from_date'), dayIn(request, 'to_date')]
    if (to < from) throw refused('to_date must not be before from_date')
    if (to >= from + maxDays * day) throw refused(`to_date must be at most ${maxDays - 1} days after from_date`)
    const filters = query.getAll('filter')
    const all = request.list(services)
    const matching = new Set(all.filter(one => filters.every(filter => hasTag(one, filter))).map(({ id }) => id))
    const times = metersOf(world, ids.organizationId!, now).filter(
      // Deleted services have no tags, and no filter matches them.
      ({ serviceId }) => filters.length === 0 || matching.has(serviceId),
    )
    if (times.length * maxDays > maxRows) throw refused(`the answer would have more than ${maxRows} rows: use filter`)
    const costs = []
    for (let at = from; at <= to && at < now; at += day) costs.push(...rowsOfDay(world, times, at, now))
    const grandTotalCHC = roundCredits(costs.reduce((sum, { totalCHC }) => sum + totalCHC, 0))
    return answerObject({ grandTotalCHC, costs })
  },
} as const satisfies Handlers

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
