import type { Scalar, ValueType } from './compiled.ts'
import { writeTime } from './functions/database-text.ts'

/** A value as the database writes it into JSON: 64-bit integers in quotes, times in ISO form, no infinities. */
export function jsonValue(type: ValueType, value: Scalar): unknown {
  if (typeof value !== 'number') return value
  if (type === 'wide') return String(value)
  if (type === 'day') return writeTime(value, false).slice(0, 10)
  if (type === 'time' || type === 'second') return isoTime(value, type === 'time')
  return Number.isFinite(value) ? value : null
}

/** `2026-01-05T00:00:00Z`, with nanoseconds when it has a fraction. */
export const isoTime = (time: number, withFraction: boolean) => `${writeTime(time, withFraction).replace(' ', 'T')}Z`
