import { hour } from '../../words/durations.ts'
import { slotLength } from '../telemetry.ts'
import { busyness } from './shop.ts'

const slotsOfWeek = (7 * 24 * hour) / slotLength

/** The share of a week's requests that comes before each of its slots, and 1 at the end. */
const shares = (() => {
  const before = [0]
  for (let slot = 0; slot < slotsOfWeek; slot++) before.push(before[slot]! + busyness(slot * slotLength))
  return before.map(weight => weight / before[slotsOfWeek]!)
})()

/** How much of something there is before a moment, since 1970, when two weeks have `count` of it: with a fraction. */
export function amountBefore(time: number, count: number): number {
  const slot = Math.floor(time / slotLength)
  const week = Math.floor(slot / slotsOfWeek)
  const from = shares[slot - week * slotsOfWeek]!
  const to = shares[slot - week * slotsOfWeek + 1]!
  return (week + from + (to - from) * (time / slotLength - slot)) * (count / 2)
}

/** The numbers of the first thing in a slot and of the first one after it, since 1970, when two weeks have `count`. */
export function dealtIn(slot: number, count: number, seed: number): { readonly first: number; readonly next: number } {
  return { first: numberAt(slot, count, seed), next: numberAt(slot + 1, count, seed) }
}

/** No half-hour is quite like that of the week before: each begins up to a fifth of its length later. */
const numberAt = (slot: number, count: number, seed: number) =>
  Math.floor(amountBefore((slot + 0.2 * chanceOf(seed, slot, 0)) * slotLength, count))

/** A chance from 0 up to 1, for one thing among many: the same for the same numbers, in whatever order they are asked for. */
export function chanceOf(seed: number, index: number, what: number): number {
  return wordOf(seed, index, what) / 0x1_0000_0000
}

/** Eight hexadecimal digits of an id, in the same manner. */
export const digitsOf = (seed: number, index: number, what: number): string =>
  wordOf(seed, index, what).toString(16).padStart(8, '0')

function wordOf(seed: number, index: number, what: number): number {
  let hash = seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
