import { day, minute, second } from '../../../words/durations.ts'
import { writeFraction } from './database-text.ts'

/** The calendar, and the formats of `formatDateTime`. */

export const dayOfYear = (date: Date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / day) + 1
export const thursdayOfWeek = (date: Date) => new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * day)
export const isoWeek = (date: Date) => Math.ceil(dayOfYear(thursdayOfWeek(date)) / 7)
const digits = (value: number, size = 2) => String(value).padStart(size, '0')
const monthNames = 'January February March April May June July August September October November December'.split(' ')
const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
export const nameOfMonth = (date: Date) => monthNames[date.getUTCMonth()]!
const nameOfDay = (date: Date) => dayNames[date.getUTCDay()]!

/** Functions that write each format, by the letter after `%`. The UTC fields of `date` have the local time of the zone. */
export const dateFormats: Readonly<Record<string, (date: Date, time: number) => string | number>> = {
  a: date => nameOfDay(date).slice(0, 3),
  b: date => nameOfMonth(date).slice(0, 3),
  c: date => digits(date.getUTCMonth() + 1),
  C: date => digits(Math.floor(date.getUTCFullYear() / 100)),
  d: date => digits(date.getUTCDate()),
  D: date => `${digits(date.getUTCMonth() + 1)}/${digits(date.getUTCDate())}/${digits(date.getUTCFullYear() % 100)}`,
  e: date => date.getUTCDate(),
  f: (_, time) => writeFraction(time - Math.floor(time / second) * second, 6),
  F: date => date.toISOString().slice(0, 10),
  G: date => thursdayOfWeek(date).getUTCFullYear(),
  h: date => digits(date.getUTCHours() % 12 || 12),
  H: date => digits(date.getUTCHours()),
  i: date => digits(date.getUTCMinutes()),
  I: date => digits(date.getUTCHours() % 12 || 12),
  j: date => digits(dayOfYear(date), 3),
  k: date => digits(date.getUTCHours()),
  l: date => digits(date.getUTCHours() % 12 || 12),
  m: date => digits(date.getUTCMonth() + 1),
  M: nameOfMonth,
  n: () => '\n',
  p: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  Q: date => Math.floor(date.getUTCMonth() / 3) + 1,
  r: date =>
    `${digits(date.getUTCHours() % 12 || 12)}:${digits(date.getUTCMinutes())} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}`,
  R: date => date.toISOString().slice(11, 16),
  s: date => digits(date.getUTCSeconds()),
  S: date => digits(date.getUTCSeconds()),
  t: () => '\t',
  T: date => date.toISOString().slice(11, 19),
  u: date => date.getUTCDay() || 7,
  V: date => digits(isoWeek(date)),
  w: date => date.getUTCDay(),
  W: nameOfDay,
  y: date => digits(date.getUTCFullYear() % 100),
  Y: date => digits(date.getUTCFullYear(), 4),
  z: (date, time) => {
    const minutes = Math.round((date.getTime() - time) / minute)
    return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(Math.abs(minutes) / 60))}${digits(Math.abs(minutes) % 60)}`
  },
  '%': () => '%',
}
