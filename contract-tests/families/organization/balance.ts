import type { Check, Finding } from '../../engine/check.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { resultIn } from '../../rules/fields.ts'
import { eachSuccess, heldUnless, judgeTogether } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { isAboutEqual } from '../calls.ts'

const balancesIn = (all: unknown): readonly JsonObject[] => (Array.isArray(all) ? all.filter(isObject) : [])

function judgeSums({ totalRemainingCredits, balances }: JsonObject): readonly Finding[] {
  const all = balancesIn(balances)
  const wrongIndex = all.findIndex(
    one => !isAboutEqual(Number(one.remainingCredits), Number(one.totalAmount) - Number(one.amountSpent)),
  )
  const path = `$.result.balances[${wrongIndex}].remainingCredits`
  if (wrongIndex >= 0)
    return [{ path, expected: 'totalAmount minus amountSpent', got: all[wrongIndex]!.remainingCredits }]
  const sum = all.reduce((total, one) => total + Number(one.remainingCredits), 0)
  if (isAboutEqual(Number(totalRemainingCredits), sum)) return []
  return [{ path: '$.result.totalRemainingCredits', expected: `the sum ${sum}`, got: totalRemainingCredits }]
}

export const checks = {
  'creditBalances/adds-up': eachSuccess(['creditBalances.get'], exchange => {
    const result = resultIn(exchange)
    return result && judgeSums(result)
  }),
  'activeBalances/are-the-prepaid-ones': judgeTogether(
    ['creditBalances.get', 'activeBalances.get'],
    ([all, prepaid]) => {
      const [credits, active] = [resultIn(all), resultIn(prepaid)]
      if (!all || !prepaid || !credits || !active) return undefined
      // The spent amounts may change between the two answers.
      const shown = (list: unknown) => balancesIn(list).map(({ id, totalAmount }) => `${id}: ${totalAmount}`)
      const expected = shown(balancesIn(credits.balances).filter(({ type }) => type === 'prepaid')).join(', ')
      const got = shown(active.prepaidBalances).join(', ')
      const finding = got === expected ? undefined : { path: '$.result.prepaidBalances', expected, got }
      return heldUnless(finding, [prepaid, all])
    },
  ),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'balance', run => {
  run.call('creditBalances.get')
  run.call('activeBalances.get')
})
