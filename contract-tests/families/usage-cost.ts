import type { Form } from '../../fixtures/contract/index.ts'
import { absent, type Check, type Finding, judgeEach, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isObject, type JsonObject } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { neverSucceeds } from '../rules/observations.ts'
import { asking, read } from './reads.ts'

const get = 'cloud:usageCost.get'
const tooLong = 'cloud:usageCost-of-32-days'

/** The last days up to today, in UTC. */
const days = (count: number) => (past: Past) => {
  const day = (back: number) => new Date(past.now - back * 86_400_000).toISOString().slice(0, 10)
  return `from_date=${day(count - 1)}&to_date=${day(0)}`
}

const judgeCost = (
  find: (cost: JsonObject, rows: readonly JsonObject[], query: URLSearchParams) => Finding | undefined,
) =>
  ({
    reads: () => [get],
    judge: evidence =>
      judgeEach(
        evidence.of(get).filter(isSuccess),
        ({ json, request }) => {
          const cost = isObject(json) && isObject(json.result) ? json.result : undefined
          if (!cost || !Array.isArray(cost.costs)) return undefined
          const found = find(cost, cost.costs.filter(isObject), new URLSearchParams(request.path.split('?')[1]))
          return found ? [found] : []
        },
        () => (evidence.of(get).length > 0 ? notApplicable('the answer shows no costs') : absent(evidence, get)),
      ),
  }) satisfies Check

export const checks = {
  'usageCost/get-answers': answersAsDocumented('usageCost.get'),
  'usageCost/rows-add-up': judgeCost(({ grandTotalCHC }, rows) => {
    const sum = rows.reduce((total, { totalCHC }) => total + Number(totalCHC), 0)
    // Sums of decimal fractions are not exact.
    const isSum = typeof grandTotalCHC === 'number' && Math.abs(grandTotalCHC - sum) <= 1e-6 * Math.max(1, sum)
    return isSum ? undefined : { path: '$.result.grandTotalCHC', expected: `the sum ${sum}`, got: grandTotalCHC }
  }),
  'usageCost/days-are-those-asked-for': judgeCost((_, rows, query) => {
    const [from, to] = [query.get('from_date') ?? '', query.get('to_date') ?? '']
    const index = rows.findIndex(({ date }) => typeof date !== 'string' || date < from || date > to)
    const path = `$.result.costs[${index}].date`
    return index < 0 ? undefined : { path, expected: `a day from ${from} to ${to}`, got: rows[index]!.date }
  }),
  'usageCost/more-than-31-days-are-refused': neverSucceeds(() => [tooLong]),
} as const satisfies Record<string, Check>

export function steps(form: Form): readonly Step[] {
  if (form !== 'cloud') return []
  const { operation: _, ...step } = read('usageCost.get')
  return [
    asking(read('usageCost.get'), days(8)),
    asking({ ...step, why: 'asks for the usage cost of too many days' }, days(32), tooLong),
  ]
}
