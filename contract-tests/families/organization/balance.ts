import type { Check, Finding } from '../../engine/check.ts'
import { type JsonObject, objectsIn } from '../../engine/recognise.ts'
import { resultIn } from '../../rules/fields.ts'
import { eachAnswerTo, eachPair } from '../../rules/operations.ts'
import { heldUnless } from '../../rules/steps.ts'
import { isAboutEqual } from '../calls.ts'

function judgeSums({ totalRemainingCredits, balances }: JsonObject): readonly Finding[] {
  const all = objectsIn(balances)
  const wrongIndex = all.findIndex(
    one => !isAboutEqual(Number(one.remainingCredits), Number(one.totalAmount) - Number(one.amountSpent)),
  )
  if (wrongIndex >= 0) {
    const path = `$.result.balances[${wrongIndex}].remainingCredits`
    return [{ path, expected: 'totalAmount minus amountSpent', got: all[wrongIndex]!.remainingCredits }]
  }
  const sum = all.reduce((total, one) => total + Number(one.remainingCredits), 0)
  if (isAboutEqual(Number(totalRemainingCredits), sum)) return []
  return [{ path: '$.result.totalRemainingCredits', expected: `the sum ${sum}`, got: totalRemainingCredits }]
}

export const checks = {
  'creditBalances/adds-up': eachAnswerTo(['creditBalances.get'], exchange => {
    const result = resultIn(exchange)
    return result && judgeSums(result)
  }),
  'activeBalances/are-the-prepaid-ones': eachPair(
    ['creditBalances.get', 'activeBalances.get'],
    (creditAnswer, activeAnswer) => {
      const [credits, active] = [resultIn(creditAnswer), resultIn(activeAnswer)]
      if (!credits || !active) return undefined
      // Not amountSpent, which may change between the two answers.
      const shown = (list: unknown) => objectsIn(list).map(({ id, totalAmount }) => `${id}: ${totalAmount}`)
      const expected = shown(objectsIn(credits.balances).filter(({ type }) => type === 'prepaid')).join(', ')
      const got = shown(active.prepaidBalances).join(', ')
      const finding = got === expected ? undefined : { path: '$.result.prepaidBalances', expected, got }
      return heldUnless(finding, [activeAnswer, creditAnswer])
    },
  ),
} as const satisfies Record<string, Check>
