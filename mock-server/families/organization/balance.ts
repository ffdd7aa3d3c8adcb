import { z } from 'zod/v3'
import type { Faults } from '../../faults/fault.ts'
import { inRecords } from '../../faults/rewrite.ts'
import { isRecord, recordsIn } from '../../words/check-options.ts'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { time } from '../../world/record.ts'
import { answerList, answerObject, type Family, type Handlers, type Request } from '../family.ts'
import { organizations } from './model.ts'
import { metersOf, roundCredits, rowsOfDay } from './usage-cost/index.ts'

const recordFields = z.object({
  id: z.string().min(1),
  type: z.enum(['prepaid', 'trial']),
  totalAmount: z.number().nonnegative(),
  startDate: time,
  expirationDate: time,
})

/** Credits that were bought or given for a trial; the spent amount follows from the usage. */
type Balance = Readonly<z.infer<typeof recordFields>>

/** The seeded balances. In days: `began` before the start, `expires` after it. */
const plans = [
  { type: 'trial', totalAmount: 300, began: 20, expires: 10 },
  { type: 'prepaid', totalAmount: 5_000, began: 45, expires: 320 },
  { type: 'prepaid', totalAmount: 25_000, began: 30, expires: 335 },
] as const

const midnight = (at: number) => new Date(Math.floor(at / day) * day).toISOString()

export const balances: Model<Balance, 'creditBalance'> = {
  name: 'creditBalance',
  within: organizations,
  record: recordFields,
  seed(organizationId, { seed, start }) {
    const random = createRandom(seedOf(seed, 'balances', organizationId))
    return plans.map(({ began, expires, ...plan }) => ({
      id: random.uuid(),
      ...plan,
      startDate: midnight(start - began * day),
      expirationDate: midnight(start + expires * day),
    }))
  },
  defaults: (_, at, world) => ({
    id: world.newUuid(),
    type: 'prepaid',
    totalAmount: 1_000,
    startDate: new Date(at).toISOString(),
    expirationDate: new Date(at + 365 * day).toISOString(),
  }),
}

export const models = [balances]
export const splits: Family['splits'] = {
  creditBalances: {
    model: balances,
    split: ({ fields, within }) => recordsIn(fields.balances).map(one => ({ fields: one, within })),
  },
}

/** The active balances: the usage of each day was deducted from the balance that was active then and expires first. */
function listActive(request: Request) {
  const { world, now, ids } = request
  const all = request
    .list(balances)
    .map(one => ({ ...one, from: Date.parse(one.startDate), to: Date.parse(one.expirationDate), amountSpent: 0 }))
    .toSorted((a, b) => a.to - b.to)
  const periods = metersOf(world, ids.organizationId!, now)
  const first = Math.min(now, ...all.map(({ from }) => from))
  for (let at = Math.floor(first / day) * day; at < now; at += day) {
    let cost = rowsOfDay(world, periods, at, now).reduce((sum, { totalCHC }) => sum + totalCHC, 0)
    for (const one of all) {
      if (one.from > at || one.to <= at || cost === 0) continue
      const taken = Math.min(cost, one.totalAmount - one.amountSpent)
      one.amountSpent += taken
      cost -= taken
    }
  }
  return all.flatMap(({ from, to, ...one }) => {
    if (from > now || to <= now) return []
    const amountSpent = roundCredits(one.amountSpent)
    const remainingCredits = roundCredits(one.totalAmount - amountSpent)
    return remainingCredits > 0 ? [{ ...one, amountSpent, remainingCredits }] : []
  })
}

const sumCredits = (list: readonly { readonly remainingCredits: number }[]) =>
  roundCredits(list.reduce((sum, one) => sum + one.remainingCredits, 0))

export const handlers = {
  'creditBalances.get': request => {
    const list = listActive(request)
    return answerObject({ totalRemainingCredits: sumCredits(list), balances: list })
  },
  'activeBalances.get': request => {
    const list = listActive(request).filter(({ type }) => type === 'prepaid')
    const shown = list.map(({ type: _, remainingCredits, ...one }) => ({
      ...one,
      remainingPrepaidCredits: remainingCredits,
    }))
    return answerList(shown, ({ records }) => ({
      totalRemainingPrepaidCredits: sumCredits(list),
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
