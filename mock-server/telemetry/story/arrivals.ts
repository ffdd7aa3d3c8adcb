import type { Random } from '../../world/random.ts'
import { busyness } from './shop.ts'

/** Rows are dealt half-hour by half-hour of the epoch, each from a seed of its own: no matter from where somebody starts. */
export const slotLength = 1_800_000
const slotsOfWeek = (7 * 24 * 3_600_000) / slotLength

/** The share of a week's rows that comes before each of its slots, and 1 at the end. */
const shares = (() => {
  const before = [0]
  for (let slot = 0; slot < slotsOfWeek; slot++) before.push(before[slot]! + busyness(slot * slotLength))
  return before.map(weight => weight / before[slotsOfWeek]!)
})()

/** How many rows there are before a slot since 1970, when two weeks have `count`: whole weeks are alike, to the row. */
export function rowsBefore(slot: number, count: number): number {
  const week = Math.floor(slot / slotsOfWeek)
  const rows = (week * count) / 2
  const whole = Math.floor(rows)
  return whole + Math.floor(rows - whole + shares[slot - week * slotsOfWeek]! * (count / 2))
}

/** One slot, and what is to be dealt in it. */
export interface Slot {
  readonly number: number
  /** The number of its first row since 1970. */
  readonly first: number
  readonly count: number
}

/** The slots from a moment on, without end; at least `least` rows in each. */
export function* slotsFrom(since: number, count: number, least = 0): Generator<Slot> {
  for (let number = Math.floor(since / slotLength); ; number++) {
    const first = rowsBefore(number, count)
    yield { number, first, count: Math.max(least, rowsBefore(number + 1, count) - first) }
  }
}

/** The moment of the row `index` of a slot: rows are spread over it, and in order. */
export function dealMoment({ number, count }: Slot, index: number, random: Random): number {
  return Math.floor((number + (index + random.next()) / count) * slotLength)
}
