import { hour } from '../../words/durations.ts'
import { slotLength } from '../telemetry.ts'
import { relativeLoad } from './shop.ts'

const slotsPerWeek = (7 * 24 * hour) / slotLength

/** For each slot of a week, the share of the requests of the week that come before it; 1 at the end. */
const cumulativeShares = (() => {
  const before = [0]
  for (let slot = 0; slot < slotsPerWeek; slot++) before.push(before[slot]! + relativeLoad(slot * slotLength))
  return before.map(weight => weight / before[slotsPerWeek]!)
})()

/** The number of events from 1970 to a time, as a fraction, if two weeks have `count` events. */
export function eventsBefore(time: number, count: number): number {
  const slot = Math.floor(time / slotLength)
  const week = Math.floor(slot / slotsPerWeek)
  const from = cumulativeShares[slot - week * slotsPerWeek]!
  const to = cumulativeShares[slot - week * slotsPerWeek + 1]!
  return (week + from + (to - from) * (time / slotLength - slot)) * (count / 2)
}

/** The indexes, counted from 1970, of the first event of a slot and of the next slot, if two weeks have `count` events. */
export const eventsOfSlot = (slot: number, count: number, seed: number) => ({
  first: firstEventOf(slot, count, seed),
  next: firstEventOf(slot + 1, count, seed),
})

/** Each half-hour begins at random up to a fifth of its length late, so that weeks differ. */
const firstEventOf = (slot: number, count: number, seed: number) =>
  Math.floor(eventsBefore((slot + 0.2 * chanceOf(seed, slot, 0)) * slotLength, count))

/** A random number from 0 to 1, 1 excluded, that depends on the arguments alone, not on the order of calls. */
export const chanceOf = (seed: number, index: number, draw: number): number => hash(seed, index, draw) / 0x1_0000_0000

/** Eight random hexadecimal digits that depend on the arguments alone. */
export const digitsOf = (seed: number, index: number, draw: number): string =>
  hash(seed, index, draw).toString(16).padStart(8, '0')

function hash(seed: number, index: number, draw: number): number {
  let word = seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(draw + 1, 0x85ebca6b)
  word = Math.imul(word ^ (word >>> 16), 0x7feb352d)
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b)
  return (word ^ (word >>> 16)) >>> 0
}
