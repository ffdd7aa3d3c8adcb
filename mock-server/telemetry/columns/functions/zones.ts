import { memoize } from '../../../words/memoize.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'

/** The first and the last time that the database can represent. */
const firstTime = Date.UTC(1900, 0)
const lastTime = Date.UTC(2300, 0) - 1

export const clampTime = (time: number): number => Math.min(Math.max(time || 0, firstTime), lastTime)

/** The offset of a zone from UTC at a time, both in milliseconds. */
export type Offset = (time: number) => number

/** Offsets change only at quarters of an hour. */
const quarter = 900_000
const maxQuarters = 10_000
const stepsPerQuarter = 200

/** The offsets of a zone, cached by quarters of an hour. Throws for an unknown zone. */
export function offsetOf(zone: string, budget: Budget): Offset {
  if (/^(etc\/)?(utc|gmt)$/i.test(zone)) return () => 0
  const format = formatOf(zone)
  const offsetInQuarter = memoize((number: number) => {
    budget.spend(stepsPerQuarter)
    const time = number * quarter
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second) - time
  }, maxQuarters)
  return time => offsetInQuarter(Math.floor(time / quarter))
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields = Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minute', 'second'].map(field => [field, 'numeric']),
  )
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields })
  } catch {
    throw new InvalidQuery(
      `Expected a time zone, but this is "${timeZone}"`,
      0,
      `Cannot load time zone ${timeZone}`,
      'BAD_ARGUMENTS',
    )
  }
}

/** Converts a local time of a zone to UTC. */
export function utcOf(local: number, offset: Offset): number {
  const approximate = local - offset(local)
  return local - offset(approximate)
}
