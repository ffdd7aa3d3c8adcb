import { day, hour, minute, second } from '../../../words/durations.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Run, Scalar } from '../compiled.ts'
import { bareOf, digitsOf, hasTimeOfDay, isInterval, isTime, type Type, zoneOf } from '../types.ts'
import { dateFormats, dayOfYear, isoWeek, nameOfMonth, thursdayOfWeek } from './calendar.ts'
import { checkArguments, defineFunction, definePrepared, illegalType, type SqlFunction } from './signature.ts'
import { clampTime, type Offset, offsetOf, utcOf } from './zones.ts'

/** The units of a fixed length, in milliseconds; the other units are a number of months. */
const fixedLengths: Readonly<Record<string, number>> = { millisecond: 1, second, minute, hour, day, week: 7 * day }
const monthsPerUnit: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }
export const units = [...Object.keys(fixedLengths), ...Object.keys(monthsPerUnit)]
const capitalize = (unit: string) => `${unit[0]!.toUpperCase()}${unit.slice(1)}`

/** The first Monday after the epoch, 5 January 1970: weeks begin on Monday. */
const firstMonday = 4 * day

const monthOf = (local: number) => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth()
const startOfMonth = (month: number) => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1)

/** The index of the unit that contains a time. Only differences of indexes have a meaning. */
function indexOfUnit(unit: string, local: number): number {
  if (unit in monthsPerUnit) return Math.floor(monthOf(local) / monthsPerUnit[unit]!)
  return Math.floor((local - (unit === 'week' ? firstMonday : 0)) / fixedLengths[unit]!)
}

/** The start of the interval of `size` units that contains a time. Months count from 1970, years from the year 0. */
function startOf(unit: string, size: number, local: number): number {
  if (unit in fixedLengths) {
    // Hours count from midnight.
    const from = unit === 'week' ? firstMonday : unit === 'hour' ? Math.floor(local / day) * day : 0
    const length = fixedLengths[unit]! * size
    return Math.floor((local - from) / length) * length + from
  }
  const from = unit === 'year' ? 0 : 1970 * 12
  const length = monthsPerUnit[unit]! * size
  return startOfMonth(Math.floor((monthOf(local) - from) / length) * length + from)
}

/** Adds units to a local time. If the resulting month does not have the day, its last day is taken. */
function addUnits(unit: string, size: number, local: number): number {
  if (unit in fixedLengths) return local + size * fixedLengths[unit]!
  const month = monthOf(local) + Math.max(-10_000, Math.min(size, 10_000)) * monthsPerUnit[unit]!
  const date = Math.min(new Date(local).getUTCDate(), new Date(startOfMonth(month + 1) - day).getUTCDate())
  return startOfMonth(month) + (date - 1) * day + (local - Math.floor(local / day) * day)
}

const isDate = (type: Type) => !hasTimeOfDay(type)
const yieldsDate = (unit: string) => unit === 'week' || unit in monthsPerUnit

/** The time zone given as the last argument, or that of the time. */
const zoneName = (time: Compiled | undefined, zone: Compiled | undefined) =>
  zone ? String(zone.at(0)) : zoneOf(time?.type ?? '')

const dateTime = (zone: string, digits = 0): Type => {
  const parts = [...(digits > 0 ? [digits] : []), ...(zone === 'UTC' ? [] : [`'${zone}'`])].join(', ')
  return `DateTime${digits > 0 ? '64' : ''}${parts && `(${parts})`}`
}

/** Defines a function that returns a component of a time, such as the hour. */
const defineComponent = (
  type: Type,
  read: (date: Date, mode: number) => Scalar,
  kind: 'Time' | 'Clock' = 'Time',
  hasMode = false,
): SqlFunction =>
  definePrepared(`${kind}${hasMode ? ', Int?' : ''}, String? -> ${type}`, (budget, [time, ...rest]) => {
    const offset = offsetOf(zoneName(time, rest[hasMode ? 1 : 0]), budget)
    return (at: number, mode?: number) => read(new Date(at + offset(at)), hasMode ? (mode ?? 0) : 0)
  })

const refuseDate = ({ type }: Compiled) => {
  if (isDate(type))
    throw new InvalidQuery(
      `Expected a time of day, but this is a ${bareOf(type)}`,
      0,
      `Illegal argument of type ${bareOf(type)} for function {}`,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
}

/** Truncates a time to a number of units. The result is a date for weeks, months and longer units. */
function truncateTime(
  [time, zone]: readonly (Compiled | undefined)[],
  unit: string,
  sizeOf: Compiled | number,
  offset: Offset,
): { readonly type: Type; readonly run: Run } {
  const startAt = (local: number, size: number) => {
    if (!(size > 0))
      throw new InvalidQuery(
        'Expected a positive interval',
        0,
        'Value for 2nd argument of function {} must be positive',
      )
    return startOf(unit, size, local)
  }
  const size = typeof sizeOf === 'number' ? sizeOf : Number(sizeOf.at(0))
  if (yieldsDate(unit)) return { type: 'Date', run: (at: number) => startAt(at + offset(at), size) }
  if (unit !== 'day') refuseDate(time!)
  const run = (at: number) => utcOf(startAt(at + offset(at), size), offset)
  return { type: dateTime(zoneName(time, zone), unit === 'millisecond' ? 3 : 0), run }
}

const defineTruncation =
  (unit: string, size = 1): SqlFunction =>
  (args, budget) => {
    checkArguments('Time, String? -> Any', args, budget)
    return truncateTime(args, unit, size, offsetOf(zoneName(args[0], args[1]), budget))
  }

/** The week begins on Sunday in even modes. */
const startOfWeek: SqlFunction = definePrepared('Time, Int?, String? -> Date', (budget, [time, , zone]) => {
  const offset = offsetOf(zoneName(time, zone), budget)
  return (at: number, mode = 0) => {
    const shift = mode % 2 === 0 ? day : 0
    return startOf('week', 1, at + offset(at) + shift) - shift
  }
})

const startOfInterval: SqlFunction = (args, budget) => {
  const [time, interval, zone] = args
  if (!time || !isTime(time.type)) throw illegalType(time?.type ?? '', 'Time')
  if (!interval || !isInterval(interval.type)) throw illegalType(interval?.type ?? '', 'Interval')
  return truncateTime([time, zone], unitOfInterval(interval.type), interval, offsetOf(zoneName(time, zone), budget))
}

const unitOfInterval = (type: Type) => type.slice('Interval'.length).toLowerCase()

/** The unit that an argument names, perhaps in the plural or by an abbreviation. */
function knownUnit(unit: Compiled | undefined, raw: string): string {
  const text = unit?.constant ? String(unit.at(0)).toLowerCase() : ''
  const name = text.replace(/s$/, '')
  const known = units.find(unit => unit === name) ?? shortUnits.get(name)
  if (known) return known
  throw new InvalidQuery(`Expected a unit: ${units.join(', ')}`, 0, raw.replace('%', text), 'BAD_ARGUMENTS')
}

const shortUnits: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ s: 'second', n: 'minute', mi: 'minute', h: 'hour', hh: 'hour', d: 'day', dd: 'day', wk: 'week', ww: 'week' },
    ...{ m: 'month', mm: 'month', q: 'quarter', qq: 'quarter', yy: 'year', yyyy: 'year' },
  }),
)

const dateTrunc: SqlFunction = ([unit, ...args], budget) => {
  const truncate = defineTruncation(knownUnit(unit, "% doesn't look like datepart name in dateTrunc"))
  const { type, run } = truncate(args, budget) as { type: Type; run: Run }
  return { type, run: (_: Scalar, at: number) => run(at) }
}

/** The number of unit boundaries between two times. */
const dateDiff: SqlFunction = ([unit, from, to, zone], budget) => {
  const name = knownUnit(unit, "Function {} does not support '%' unit")
  for (const time of [from, to]) if (!time || !isTime(time.type)) throw illegalType(time?.type ?? '', 'Time')
  const [fromOffset, toOffset] = [offsetOf(zoneName(from, zone), budget), offsetOf(zoneName(to, zone), budget)]
  const run = (_: Scalar, start: number, end: number) =>
    indexOfUnit(name, end + toOffset(end)) - indexOfUnit(name, start + fromOffset(start))
  return { type: 'Int64', run }
}

/** Adds an interval to a time by the calendar of the time's zone. */
export const plusInterval = (time: Type, interval: Type, sign: 1 | -1, budget: Budget) =>
  addInterval(time, unitOfInterval(interval), sign, budget)

function addInterval(time: Type, unit: string, sign: 1 | -1, budget: Budget) {
  const offset = offsetOf(zoneOf(time), budget)
  const gainsClock = isDate(time) && fixedLengths[unit]! < day
  const gainsDigits = unit === 'millisecond' && digitsOf(time) < 3
  const type = gainsClock ? 'DateTime' : gainsDigits ? dateTime(zoneOf(time), 3) : bareOf(time)
  const run = (at: number, size: number) =>
    clampTime(utcOf(addUnits(unit, sign * Math.trunc(size), at + offset(at)), offset))
  return { type, run }
}

const defineAddition =
  (unit: string, sign: 1 | -1): SqlFunction =>
  (args, budget) => {
    checkArguments('Time, Number -> Any', args, budget)
    return addInterval(args[0]!.type, unit, sign, budget)
  }

/** A date as a number such as 20260105, and a time of day as a number such as 133059. */
const dateOf = (date: Date) => date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
const clockOf = (date: Date) => date.getUTCHours() * 10_000 + date.getUTCMinutes() * 100 + date.getUTCSeconds()

/** The week begins on Sunday in the modes 2 and 3; days count from 0 in the modes 1 and 2. */
const dayOfWeek = (date: Date, mode: number) => {
  const from = mode === 2 || mode === 3 ? date.getUTCDay() : (date.getUTCDay() + 6) % 7
  return mode === 1 || mode === 2 ? from : from + 1
}

/** Steps per letter after a `%`. */
const stepsPerLetter = 20

const formatDateTime = definePrepared('Time, String, String? -> String', (budget, [time, , zone]) => {
  const offset = offsetOf(zoneName(time, zone), budget)
  return (at: number, format: string) =>
    format.replace(/%([\s\S]?)/g, (_, letter: string) => {
      budget.spend(stepsPerLetter)
      const write = Object.hasOwn(dateFormats, letter) ? dateFormats[letter] : undefined
      if (write) return String(write(new Date(Math.floor((at + offset(at)) / second) * second), at))
      throw new InvalidQuery(
        `Expected a letter of a time after %, but this is "${letter}"`,
        0,
        `Incorrect syntax '%${letter}', symbol is not supported '${letter}' for function {}`,
        'BAD_ARGUMENTS',
      )
    })
})

const forEachUnit = (write: (unit: string) => readonly [string, SqlFunction]) => Object.fromEntries(units.map(write))

export const timeFunctions: Readonly<Record<string, SqlFunction>> = {
  toYear: defineComponent('UInt16', date => date.getUTCFullYear()),
  toISOYear: defineComponent('UInt16', date => thursdayOfWeek(date).getUTCFullYear()),
  toQuarter: defineComponent('UInt8', date => Math.floor(date.getUTCMonth() / 3) + 1),
  toMonth: defineComponent('UInt8', date => date.getUTCMonth() + 1),
  toISOWeek: defineComponent('UInt8', isoWeek),
  toWeek: defineComponent('UInt8', date => Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)),
  toDayOfYear: defineComponent('UInt16', dayOfYear),
  toDayOfMonth: defineComponent('UInt8', date => date.getUTCDate()),
  toDayOfWeek: defineComponent('UInt8', dayOfWeek, 'Time', true),
  toHour: defineComponent('UInt8', date => date.getUTCHours(), 'Clock'),
  toMinute: defineComponent('UInt8', date => date.getUTCMinutes(), 'Clock'),
  toSecond: defineComponent('UInt8', date => date.getUTCSeconds(), 'Clock'),
  toMillisecond: defineComponent('UInt16', date => date.getUTCMilliseconds(), 'Clock'),
  toYYYYMM: defineComponent('UInt32', date => Math.floor(dateOf(date) / 100)),
  toYYYYMMDD: defineComponent('UInt32', dateOf),
  toYYYYMMDDhhmmss: defineComponent('UInt64', date => dateOf(date) * 1_000_000 + clockOf(date)),
  monthName: defineComponent('String', nameOfMonth),
  ...forEachUnit(unit => [`toStartOf${capitalize(unit)}`, defineTruncation(unit)]),
  toStartOfWeek: startOfWeek,
  toMonday: defineTruncation('week'),
  toStartOfSecond: definePrepared('Clock -> $1', () => time => Math.floor(time / second) * second),
  toStartOfFiveMinutes: defineTruncation('minute', 5),
  toStartOfTenMinutes: defineTruncation('minute', 10),
  toStartOfFifteenMinutes: defineTruncation('minute', 15),
  timeSlot: defineTruncation('minute', 30),
  toStartOfInterval: startOfInterval,
  dateTrunc,
  dateDiff,
  ...forEachUnit(unit => [
    `toInterval${capitalize(unit)}`,
    defineFunction(`Number -> Interval${capitalize(unit)}`, Math.trunc),
  ]),
  ...forEachUnit(unit => [`add${capitalize(unit)}s`, defineAddition(unit, 1)]),
  ...forEachUnit(unit => [`subtract${capitalize(unit)}s`, defineAddition(unit, -1)]),
  formatDateTime,
}
