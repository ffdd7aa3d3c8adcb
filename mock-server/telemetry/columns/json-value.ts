import type { Scalar } from './compiled.ts'
import { writeTime } from './functions/database-text.ts'
import {
  bareOf,
  digitsOf,
  hasTimeOfDay,
  isInterval,
  isList,
  isMap,
  isTime,
  isTuple,
  itemOf,
  partsOf,
  type Type,
  widthOf,
} from './types.ts'

/** Converts a value to the JSON of the database: 64-bit integers are strings, times are ISO texts, infinities null. */
export function jsonValue(type: Type, value: Scalar): unknown {
  if (typeof value === 'number') return jsonNumber(type, value)
  if (value === null || typeof value === 'string') return value
  const bare = bareOf(type)
  if (isList(bare)) return (value as readonly Scalar[]).map(item => jsonValue(itemOf(bare), item))
  if (isTuple(bare)) return partsOf(bare).map((part, at) => jsonValue(part, (value as readonly Scalar[])[at]!))
  if (!isMap(bare)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonValue(itemOf(bare), item)]))
}

function jsonNumber(type: Type, value: number): unknown {
  const width = widthOf(type)
  if (!width && isTime(type))
    return hasTimeOfDay(type) ? isoTime(value, digitsOf(type)) : writeTime(value, 0).slice(0, 10)
  if ((width?.bits === 64 && width.kind !== 'Float') || isInterval(type)) return writeInteger(value)
  if (bareOf(type) === 'Bool') return value !== 0
  return Number.isFinite(value) ? value : null
}

/** Beyond 53 bits a number with few digits, such as nanoseconds, stands for these; any other for all of its own. */
function writeInteger(value: number): string {
  if (Number.isSafeInteger(value) || /^-?\d+0{6}$/.test(String(value))) return String(value)
  return String(BigInt(Number.isFinite(value) ? Math.trunc(value) : 0))
}

/** An ISO time such as `2026-01-05T00:00:00Z`, with the given number of fractional digits. */
export const isoTime = (time: number, digits: number) => `${writeTime(time, digits).replace(' ', 'T')}Z`
