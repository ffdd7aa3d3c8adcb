import { hour } from '../../words/durations.ts'
import { slotLength } from '../telemetry.ts'
import { busyness } from './shop.ts'

const slotsOfWeek = (7 * 24 * hour) / slotLength

/** The cumulative share of a week's requests before each slot, and 1 at the end. */
const shares = (() => {
  const before = [0]
  for (let slot = 0; slot < slotsOfWeek; slot++) before.push(before[slot]! + busyness(slot * slotLength))
  return before.map(weight => weight / before[slotsOfWeek]!)
})()

/** The number of events before a time since 1970, with a fraction, if two weeks have `count`. */
export function amountBefore(time: number, count: number): number {
  const slot = Math.floor(time / slotLength)
  const week = Math.floor(slot / slotsOfWeek)
  const from = shares[slot - week * slotsOfWeek]!
  const to = shares[slot - week * slotsOfWeek + 1]!
  return (week + from + (to - from) * (time / slotLength - slot)) * (count / 2)
}

/** The index of the first event in a slot and of the first one after it, since 1970, if two weeks have `count`. */
export function dealtIn(slot: number, count: number, seed: number): { readonly first: number; readonly next: number } {
  return { first: numberAt(slot, count, seed), next: numberAt(slot + 1, count, seed) }
}

/** Shifts each half-hour by up to a fifth of its length, so that weeks differ. */
const numberAt = (slot: number, count: number, seed: number) =>
  Math.floor(amountBefore((slot + 0.2 * chanceOf(seed, slot, 0)) * slotLength, count))

/** A random number from 0 up to 1, determined by its arguments alone, whatever the order of calls. */
export function chanceOf(seed: number, index: number, what: number): number {
  return wordOf(seed, index, what) / 0x1_0000_0000
}

/** Eight random hexadecimal digits, determined in the same way. */
export const digitsOf = (seed: number, index: number, what: number): string =>
  wordOf(seed, index, what).toString(16).padStart(8, '0')

function wordOf(seed: number, index: number, what: number): number {
  let hash = seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
