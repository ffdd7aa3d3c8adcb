import { day, hour, minute, second } from '../../../words/durations.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Run, Scalar } from '../compiled.ts'
import { bareOf, digitsOf, isClock, isInterval, isTime, type Type, zoneOf } from '../types.ts'
import { dateFormats, dayOfYear, isoWeek, nameOfMonth, thursdayOfWeek } from './calendar.ts'
import { type Implementation, illegal, making, type SqlFunction, taking } from './signature.ts'
import { momentOf, type Offset, offsetOf, withinTime } from './zones.ts'

const fixed: Readonly<Record<string, number>> = { millisecond: 1, second, minute, hour, day, week: 7 * day }
const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }
export const units = [...Object.keys(fixed), ...Object.keys(months)]
const inTitle = (unit: string) => `${unit[0]!.toUpperCase()}${unit.slice(1)}`

/** Weeks begin on Monday; the first Monday of 1970 was 5 January. */
const firstMonday = 4 * day

const monthOf = (local: number) => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth()
const startOfMonth = (month: number) => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1)

/** The index of the unit that contains a time, counted from the epoch. */
function numberOf(unit: string, local: number): number {
  if (unit in months) return Math.floor(monthOf(local) / months[unit]!)
  return Math.floor((local - (unit === 'week' ? firstMonday : 0)) / fixed[unit]!)
}

/** The origin of intervals of several units: months count from 1970, years from year 1. */
function startOf(unit: string, size: number, local: number): number {
  if (unit in fixed) {
    // Hours count from midnight.
    const from = unit === 'week' ? firstMonday : unit === 'hour' ? Math.floor(local / day) * day : 0
    const whole = fixed[unit]! * size
    return Math.floor((local - from) / whole) * whole + from
  }
  const from = unit === 'year' ? 0 : 1970 * 12
  const whole = months[unit]! * size
  return startOfMonth(Math.floor((monthOf(local) - from) / whole) * whole + from)
}

function added(unit: string, size: number, local: number): number {
  if (unit in fixed) return local + size * fixed[unit]!
  const month = monthOf(local) + Math.max(-10_000, Math.min(size, 10_000)) * months[unit]!
  const date = Math.min(new Date(local).getUTCDate(), new Date(startOfMonth(month + 1) - day).getUTCDate())
  return startOfMonth(month) + (date - 1) * day + (local - Math.floor(local / day) * day)
}

const isDate = (type: Type) => !isClock(type)
const isLong = (unit: string) => unit === 'week' || unit in months

/** The time zone given as the last argument, or that of the time. */
const zoneFrom = (time: Compiled | undefined, zone: Compiled | undefined) =>
  zone ? String(zone.at(0)) : zoneOf(time?.type ?? '')

const dateTime = (zone: string, digits = 0): Type => {
  const parts = [...(digits > 0 ? [digits] : []), ...(zone === 'UTC' ? [] : [`'${zone}'`])].join(', ')
  return `DateTime${digits > 0 ? '64' : ''}${parts && `(${parts})`}`
}

/** A component of the calendar, such as the hour. */
const part = (type: Type, read: (date: Date, more: number) => Scalar, kind = 'Time', more = ''): SqlFunction =>
  making(`${kind}${more}, String? -> ${type}`, (budget, [time, ...rest]) => {
    const offset = offsetOf(zoneFrom(time, rest[more ? 1 : 0]), budget)
    return (at: number, mode?: number) => read(new Date(at + offset(at)), more ? (mode ?? 0) : 0)
  })

const refuseDate = ({ type }: Compiled) => {
  if (isDate(type))
    throw new InvalidQuery(
      `Expected a time of day, but this is a ${bareOf(type)}`,
      0,
      `Illegal argument of type ${bareOf(type)} for function {}`,
    )
}

/** The start of a unit; a date for weeks, months and longer units. */
function starts(
  [time, zone]: readonly (Compiled | undefined)[],
  unit: string,
  sizeOf: Compiled | number,
  offset: Offset,
): Implementation {
  const of = (local: number, size: number) => {
    if (!(size > 0))
      throw new InvalidQuery(
        'Expected a positive interval',
        0,
        'Value for 2nd argument of function {} must be positive',
      )
    return startOf(unit, size, local)
  }
  const size = typeof sizeOf === 'number' ? sizeOf : Number(sizeOf.at(0))
  if (isLong(unit)) return { type: 'Date', run: (at: number) => of(at + offset(at), size) }
  if (unit !== 'day') refuseDate(time!)
  const run = (at: number) => momentOf(of(at + offset(at), size), offset)
  return { type: dateTime(zoneFrom(time, zone), unit === 'millisecond' ? 3 : 0), run }
}

const starting =
  (unit: string, size = 1): SqlFunction =>
  (args, budget) => {
    taking('Time, String? -> Any', () => null)(args, budget)
    return starts(args, unit, size, offsetOf(zoneFrom(args[0], args[1]), budget))
  }

const startOfWeek: SqlFunction = making('Time, Int?, String? -> Date', (budget, [time, , zone]) => {
  const offset = offsetOf(zoneFrom(time, zone), budget)
  return (at: number, mode = 0) => {
    const shift = mode % 2 === 0 ? day : 0
    return startOf('week', 1, at + offset(at) + shift) - shift
  }
})

const startOfInterval: SqlFunction = (args, budget) => {
  const [time, interval, zone] = args
  if (!time || !isTime(time.type)) throw illegal(time?.type ?? '', 'Time')
  if (!interval || !isInterval(interval.type)) throw illegal(interval?.type ?? '', 'Interval')
  return starts([time, zone], unitOfInterval(interval.type), interval, offsetOf(zoneFrom(time, zone), budget))
}

const unitOfInterval = (type: Type) => type.slice('Interval'.length).toLowerCase()

const wordOf = (unit: Compiled | undefined) => (unit?.constant ? String(unit.at(0)).toLowerCase() : '')

function knownUnit(unit: Compiled | undefined, raw: string): string {
  const name = wordOf(unit).replace(/s$/, '')
  const found = units.find(one => one === name) ?? shortUnits[name]
  if (found) return found
  throw new InvalidQuery(`Expected a unit: ${units.join(', ')}`, 0, raw.replace('%', wordOf(unit)))
}

const shortUnits: Readonly<Record<string, string>> = {
  ...{ s: 'second', n: 'minute', mi: 'minute', h: 'hour', hh: 'hour', d: 'day', dd: 'day', wk: 'week', ww: 'week' },
  ...{ m: 'month', mm: 'month', q: 'quarter', qq: 'quarter', yy: 'year', yyyy: 'year' },
}

const truncated: SqlFunction = ([unit, ...args], budget) => {
  const implementation = starting(knownUnit(unit, "% doesn't look like datepart name in dateTrunc"))(args, budget)
  const { type, run } = implementation as { type: Type; run: Run }
  return { type, run: (_: Scalar, at: number) => run(at) }
}

/** The number of unit boundaries between two times. */
const difference: SqlFunction = ([unit, from, to, zone], budget) => {
  const name = knownUnit(unit, "Function {} does not support '%' unit")
  for (const time of [from, to]) if (!time || !isTime(time.type)) throw illegal(time?.type ?? '', 'Time')
  const [one, other] = [from, to].map(time => offsetOf(zoneFrom(time, zone), budget))
  const run = (_: Scalar, a: number, b: number) => numberOf(name, b + other!(b)) - numberOf(name, a + one!(a))
  return { type: 'Int64', run }
}

/** Adds an interval to a time by the calendar of the time's zone. */
export const plusInterval = (time: Type, interval: Type, sign: 1 | -1, budget: Budget) =>
  adding(time, unitOfInterval(interval), sign, budget)

function adding(time: Type, unit: string, sign: 1 | -1, budget: Budget) {
  const offset = offsetOf(zoneOf(time), budget)
  const becomesClock = isDate(time) && fixed[unit]! < day
  const becomesFine = unit === 'millisecond' && digitsOf(time) < 3
  const type = becomesClock ? 'DateTime' : becomesFine ? dateTime(zoneOf(time), 3) : bareOf(time)
  const run = (at: number, size: number) =>
    withinTime(momentOf(added(unit, sign * Math.trunc(size), at + offset(at)), offset))
  return { type, run }
}

const addingIn =
  (unit: string, sign: 1 | -1): SqlFunction =>
  (args, budget) => {
    taking('Time, Number -> Any', () => null)(args, budget)
    return adding(args[0]!.type, unit, sign, budget)
  }

const dateOf = (date: Date) => date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
const clockOf = (date: Date) => date.getUTCHours() * 10_000 + date.getUTCMinutes() * 100 + date.getUTCSeconds()

const monday = (date: Date, mode: number) => {
  const from = mode === 2 || mode === 3 ? date.getUTCDay() : (date.getUTCDay() + 6) % 7
  return mode === 1 || mode === 2 ? from : from + 1
}

/** Steps per component of a formatted time. */
const stepsPerLetter = 20

const formatted = making('Time, String, String? -> String', (budget, [time, , zone]) => {
  const offset = offsetOf(zoneFrom(time, zone), budget)
  return (at: number, format: string) =>
    format.replace(/%([\s\S]?)/g, (_, letter: string) => {
      budget.spend(stepsPerLetter)
      const write = Object.hasOwn(dateFormats, letter) ? dateFormats[letter] : undefined
      if (write) return String(write(new Date(Math.floor((at + offset(at)) / second) * second), at))
      throw new InvalidQuery(
        `Expected a letter of a time after %, but this is "${letter}"`,
        0,
        `Incorrect syntax '%${letter}', symbol is not supported '${letter}' for function {}`,
      )
    })
})

const each = (write: (unit: string) => readonly [string, SqlFunction]) => Object.fromEntries(units.map(write))

export const timeFunctions: Readonly<Record<string, SqlFunction>> = {
  toYear: part('UInt16', date => date.getUTCFullYear()),
  toISOYear: part('UInt16', date => thursdayOfWeek(date).getUTCFullYear()),
  toQuarter: part('UInt8', date => Math.floor(date.getUTCMonth() / 3) + 1),
  toMonth: part('UInt8', date => date.getUTCMonth() + 1),
  toISOWeek: part('UInt8', isoWeek),
  toWeek: part('UInt8', date => Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)),
  toDayOfYear: part('UInt16', dayOfYear),
  toDayOfMonth: part('UInt8', date => date.getUTCDate()),
  toDayOfWeek: part('UInt8', monday, 'Time', ', Int?'),
  toHour: part('UInt8', date => date.getUTCHours(), 'Clock'),
  toMinute: part('UInt8', date => date.getUTCMinutes(), 'Clock'),
  toSecond: part('UInt8', date => date.getUTCSeconds(), 'Clock'),
  toMillisecond: part('UInt16', date => date.getUTCMilliseconds(), 'Clock'),
  toYYYYMM: part('UInt32', date => Math.floor(dateOf(date) / 100)),
  toYYYYMMDD: part('UInt32', dateOf),
  toYYYYMMDDhhmmss: part('UInt64', date => dateOf(date) * 1_000_000 + clockOf(date)),
  monthName: part('String', nameOfMonth),
  ...each(unit => [`toStartOf${inTitle(unit)}`, starting(unit)]),
  toStartOfWeek: startOfWeek,
  toMonday: starting('week'),
  toStartOfSecond: making('Clock -> $1', () => time => Math.floor(time / second) * second),
  toStartOfFiveMinutes: starting('minute', 5),
  toStartOfTenMinutes: starting('minute', 10),
  toStartOfFifteenMinutes: starting('minute', 15),
  timeSlot: starting('minute', 30),
  toStartOfInterval: startOfInterval,
  dateTrunc: truncated,
  dateDiff: difference,
  ...each(unit => [`toInterval${inTitle(unit)}`, taking(`Number -> Interval${inTitle(unit)}`, Math.trunc)]),
  ...each(unit => [`add${inTitle(unit)}s`, addingIn(unit, 1)]),
  ...each(unit => [`subtract${inTitle(unit)}s`, addingIn(unit, -1)]),
  formatDateTime: formatted,
}
