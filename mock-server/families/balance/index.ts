import type { Faults } from '../../faults/fault.ts'
import { inRecords } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'
import { day } from '../../words/durations.ts'
import { answerList, answerObject, type Handlers, type Request } from '../family.ts'
import { metersOf } from '../usage-cost/model.ts'
import { roundCredits, rowsOfDay } from '../usage-cost/rows.ts'
import { type Balance, balances } from './model.ts'

export const models = [balances]

interface Spent extends Balance {
  readonly amountSpent: number
  readonly remainingCredits: number
}

/** The balances in force, with what the usage of each day took from the first of them to expire. */
function listActive(request: Request): readonly Spent[] {
  const { world, now, ids } = request
  const all = request
    .in(balances)
    .list()
    .map(one => ({ ...one, from: Date.parse(one.startDate), to: Date.parse(one.expirationDate), amountSpent: 0 }))
    .filter(({ from, to }) => from <= now && to > now)
    .toSorted((a, b) => a.to - b.to)
  const times = metersOf(world, ids.organizationId!, now)
  const first = Math.min(now, ...all.map(({ from }) => from))
  for (let at = Math.floor(first / day) * day; at < now; at += day) {
    let cost = rowsOfDay(world, times, at, now).reduce((sum, { totalCHC }) => sum + totalCHC, 0)
    for (const one of all) {
      if (one.from > at || cost === 0) continue
      const taken = Math.min(cost, one.totalAmount - one.amountSpent)
      one.amountSpent += taken
      cost -= taken
    }
  }
  return all.flatMap(({ from: _, to: __, ...one }) => {
    const amountSpent = roundCredits(one.amountSpent)
    const remainingCredits = roundCredits(one.totalAmount - amountSpent)
    return remainingCredits > 0 ? [{ ...one, amountSpent, remainingCredits }] : []
  })
}

const total = (list: readonly Spent[]) => roundCredits(list.reduce((sum, one) => sum + one.remainingCredits, 0))

export const handlers = {
  'creditBalances.get': request => {
    const list = listActive(request)
    return answerObject({ totalRemainingCredits: total(list), balances: list })
  },
  'activeBalances.get': request => {
    const list = listActive(request).filter(({ type }) => type === 'prepaid')
    const shown = list.map(({ type: _, remainingCredits, ...one }) => ({
      ...one,
      remainingPrepaidCredits: remainingCredits,
    }))
    return answerList(shown, ({ records }) => ({
      totalRemainingPrepaidCredits: total(list),
      prepaidBalances: records,
    }))
  },
} as const satisfies Handlers

export const faults = {
  'creditBalances/adds-up': inRecords('creditBalances.get', one => ({
    ...one,
    totalRemainingCredits: Number(one.totalRemainingCredits) + 1,
  })),
  'activeBalances/are-the-prepaid-ones': inRecords('activeBalances.get', one => ({
    ...one,
    prepaidBalances:
      Array.isArray(one.prepaidBalances) &&
      one.prepaidBalances.map(each => (isRecord(each) ? { ...each, totalAmount: Number(each.totalAmount) + 1 } : each)),
  })),
} as const satisfies Faults
