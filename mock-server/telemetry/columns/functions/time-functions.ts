import { Unreadable } from '../../query/unreadable.ts'
import { type Compiled, isTime, type Scalar } from '../compiled.ts'
import type { SqlFunction } from './sql-functions.ts'

/** Functions of times; all times are UTC. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

function refuseOther(arg: Compiled | undefined) {
  if (!arg || !isTime(arg.type))
    throw new Unreadable(`Expected a time, but this is ${arg ? `a ${arg.type}` : 'nothing'}`)
}

const partOf =
  (part: (date: Date) => number): SqlFunction =>
  ([arg]) => {
    refuseOther(arg)
    return { type: 'integer', run: (time: number) => part(new Date(time)) }
  }

const startOf =
  (size: number): SqlFunction =>
  ([arg]) => {
    refuseOther(arg)
    return { type: 'second', run: (time: number) => Math.floor(time / size) * size }
  }

const monthOf = (time: number) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth()
const fixed =
  (size: number, from = 0) =>
  (time: number) =>
    Math.floor((time - from) / size)
const firstMonday = 4 * day

/** The number of a moment's unit, counted through. */
const numberOf: Readonly<Record<string, (time: number) => number>> = {
  second: fixed(second),
  minute: fixed(minute),
  hour: fixed(hour),
  day: fixed(day),
  week: fixed(7 * day, firstMonday),
  month: monthOf,
  quarter: time => Math.floor(monthOf(time) / 3),
  year: time => new Date(time).getUTCFullYear(),
}

/** How many borders of a unit lie between two moments. */
const difference: SqlFunction = ([unit, from, to]) => {
  const name = String(unit?.constant ? unit.at(0) : '')
    .toLowerCase()
    .replace(/s$/, '')
  const count = Object.hasOwn(numberOf, name) ? numberOf[name] : undefined
  if (!count) throw new Unreadable(`Expected a unit: ${Object.keys(numberOf).join(', ')}`)
  refuseOther(from)
  refuseOther(to)
  return { type: 'wide', run: (_: Scalar, a: number, b: number) => count(b) - count(a) }
}

export const timeFunctions: Readonly<Record<string, SqlFunction>> = {
  toYear: partOf(date => date.getUTCFullYear()),
  toMonth: partOf(date => date.getUTCMonth() + 1),
  toDayOfMonth: partOf(date => date.getUTCDate()),
  toDayOfWeek: partOf(date => date.getUTCDay() || 7),
  toHour: partOf(date => date.getUTCHours()),
  toMinute: partOf(date => date.getUTCMinutes()),
  toSecond: partOf(date => date.getUTCSeconds()),
  toStartOfMinute: startOf(minute),
  toStartOfFiveMinutes: startOf(5 * minute),
  toStartOfTenMinutes: startOf(10 * minute),
  toStartOfFifteenMinutes: startOf(15 * minute),
  toStartOfHour: startOf(hour),
  toStartOfDay: startOf(day),
  dateDiff: difference,
}
