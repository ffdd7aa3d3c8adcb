import { z } from 'zod/v3'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf, time } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'

/** Credits that were paid for, or given for a trial; what was spent of them follows from the usage. */
export interface Balance {
  readonly id: string
  readonly type: 'prepaid' | 'trial'
  readonly totalAmount: number
  readonly startDate: string
  readonly expirationDate: string
}

/** The balances of the start: what they began with, and when, in days before and after the start. */
const plans = [
  { type: 'trial', totalAmount: 300, began: 20, expires: 10 },
  { type: 'prepaid', totalAmount: 5_000, began: 45, expires: 320 },
  { type: 'prepaid', totalAmount: 25_000, began: 30, expires: 335 },
] as const

const midnight = (at: number) => new Date(Math.floor(at / day) * day).toISOString()

export const balances: Model<Balance, 'creditBalance'> = {
  name: 'creditBalance',
  within: organizations,
  record: recordOf({
    type: z.enum(['prepaid', 'trial']),
    totalAmount: z.number().nonnegative(),
    startDate: time,
    expirationDate: time,
  }),
  seed(organizationId, { seed, start }) {
    const random = createRandom(seedOf(seed, 'balances', organizationId))
    return plans.map(({ began, expires, ...plan }) => ({
      id: random.uuid(),
      ...plan,
      startDate: midnight(start - began * day),
      expirationDate: midnight(start + expires * day),
    }))
  },
  usual: (_, at, world) => ({
    id: world.newUuid(),
    type: 'prepaid',
    totalAmount: 1_000,
    startDate: new Date(at).toISOString(),
    expirationDate: new Date(at + 365 * day).toISOString(),
  }),
}
