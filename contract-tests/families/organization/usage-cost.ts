import type { Check, Finding } from '../../engine/check.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import type { RunContext } from '../../engine/step.ts'
import { queryOf, resultIn } from '../../rules/fields.ts'
import { eachAnswerTo } from '../../rules/operations.ts'
import { neverSucceeds } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { isAboutEqual } from '../calls.ts'

const tooLong = 'cloud:usageCost-of-32-days'

/** The query for the last days up to today, in UTC. */
export const lastDays = (count: number) => (context: RunContext) => {
  const day = (back: number) => new Date(context.now - back * 86_400_000).toISOString().slice(0, 10)
  return { from_date: day(count - 1), to_date: day(0) }
}

const judgeCost = (
  find: (cost: JsonObject, rows: readonly JsonObject[], query: URLSearchParams) => Finding | undefined,
): Check =>
  eachAnswerTo(
    ['usageCost.get'],
    exchange => {
      const cost = resultIn(exchange)
      if (!cost || !Array.isArray(cost.costs)) return undefined
      const finding = find(cost, cost.costs.filter(isObject), queryOf(exchange))
      return finding ? [finding] : []
    },
    'the answer shows no costs',
  )

export const checks = {
  'usageCost/rows-add-up': judgeCost(({ grandTotalCHC }, rows) => {
    const sum = rows.reduce((total, { totalCHC }) => total + Number(totalCHC), 0)
    const isRight = typeof grandTotalCHC === 'number' && isAboutEqual(grandTotalCHC, sum)
    return isRight ? undefined : { path: '$.result.grandTotalCHC', expected: `the sum ${sum}`, got: grandTotalCHC }
  }),
  'usageCost/days-are-those-asked-for': judgeCost((_, rows, query) => {
    const [from, to] = [query.get('from_date') ?? '', query.get('to_date') ?? '']
    const index = rows.findIndex(({ date }) => typeof date !== 'string' || date < from || date > to)
    const path = `$.result.costs[${index}].date`
    return index < 0 ? undefined : { path, expected: `a day from ${from} to ${to}`, got: rows[index]!.date }
  }),
  'usageCost/each-day-stands-once': judgeCost((_, rows) => {
    const keys = rows.map(({ date, entityType, entityId }) => JSON.stringify([date, entityType, entityId]))
    const index = keys.findIndex((key, at) => keys.indexOf(key) < at)
    return index < 0
      ? undefined
      : { path: `$.result.costs[${index}]`, expected: 'a day and entity that no row before has', got: keys[index] }
  }),
  'usageCost/amounts-are-not-negative': judgeCost((_, rows) => {
    const amounts = rows.flatMap(({ totalCHC, metrics }, at) => [
      [`$.result.costs[${at}].totalCHC`, totalCHC] as const,
      ...Object.entries(isObject(metrics) ? metrics : {}).map(
        ([name, amount]) => [`$.result.costs[${at}].metrics.${name}`, amount] as const,
      ),
    ])
    const [path, got] = amounts.find(([, amount]) => typeof amount === 'number' && amount < 0) ?? []
    return path === undefined ? undefined : { path, expected: 'no negative amount', got }
  }),
  'usageCost/more-than-31-days-are-refused': neverSucceeds([tooLong]),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'usage cost', run => {
  run.call('usageCost.get', { query: lastDays(8) })
  run.call('usageCost.get', {
    name: 'usageCost-of-32-days',
    why: 'asks for the usage cost of too many days',
    query: lastDays(32),
    notJudgedByOperation: true,
  })
})
