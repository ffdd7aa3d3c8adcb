import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import {
  bareOf,
  digitsOf,
  fitsInteger,
  isClock,
  isComposite,
  isFloat,
  isInteger,
  isList,
  isMap,
  isNothing,
  isNumeric,
  isText,
  isTime,
  isTuple,
  partsOf,
  supertype,
  type Type,
  widthOf,
} from '../types.ts'
import { readFloat, readInteger, readTime } from './database-text.ts'
import { runOf, type SqlFunction, truth } from './signature.ts'

type Order = (a: never, b: never) => boolean

/** A string literal is read as the type that it is compared with; a string column never is. */
function readAs(other: Type, text: Compiled): (value: Scalar) => Scalar {
  if (!text.constant) {
    supertype([other, text.type])
    throw new InvalidQuery(`Expected two values of one type, but these are ${other} and ${text.type}`)
  }
  const written = String(text.at(0))
  const read = isFloat(other)
    ? readFloat(written)
    : isNumeric(other)
      ? readInteger(written, !bareOf(other).startsWith('U'))
      : isTime(other)
        ? readMoment(other, written)
        : undefined
  if (read !== undefined) return () => (fits(other, read) ? read : Number.NaN)
  const raw = `Cannot convert string '${written}' to type ${bareOf(other)}`
  throw new InvalidQuery(`Expected a value of the type ${bareOf(other)}, but this is the text "${written}"`, 0, raw)
}

/** A number outside the range of the type is neither equal to its values nor before or after them. */
function fits(type: Type, value: number): boolean {
  const width = isInteger(type) ? widthOf(type) : undefined
  return !width || fitsInteger(width, value)
}

/** A time in seconds, which is how the database compares times with numbers; a date has no time of day. */
function readMoment(type: Type, text: string): number | undefined {
  if (!isClock(type)) return text.length === 10 ? readTime(text) : undefined
  return /^\d{9,10}(\.\d+)?$/.test(text) ? Number(text) * 1000 : readTime(text)
}

const same = (value: Scalar) => value
const inMilliseconds = (value: Scalar) => (value as number) * 1000

/** Seconds are scaled to the digits of the other side, within 64 bits. */
function inMillisecondsOf(clock: Type, seconds: Compiled): (value: Scalar) => Scalar {
  if (
    seconds.constant &&
    isInteger(seconds.type) &&
    Math.abs(Number(seconds.at(0))) * 10 ** digitsOf(clock) >= 2 ** 63
  ) {
    const raw = "Can't compare decimal number due to overflow"
    throw new InvalidQuery('Expected seconds before the year 2262', 0, raw)
  }
  return inMilliseconds
}

/** Converts the values of both sides to a common type. */
function alike(a: Compiled, b: Compiled): readonly [(value: Scalar) => Scalar, (value: Scalar) => Scalar] {
  const [one, other] = [a.type, b.type]
  if (isNothing(one) || isNothing(other)) return [same, same]
  if (isText(one) && isText(other)) return [same, same]
  if (isText(one)) return [readAs(other, a), same]
  if (isText(other)) return [same, readAs(one, b)]
  if (isNumeric(one) ? isNumeric(other) : isTime(one) && isTime(other)) return [same, same]
  if (isClock(one) && isNumeric(other)) return [same, inMillisecondsOf(one, b)]
  if (isNumeric(one) && isClock(other)) return [inMillisecondsOf(other, a), same]
  if ([isList, isMap, isTuple].some(is => is(one) && is(other)) && isAlike(one, other)) return [same, same]
  const raw = `Illegal types of arguments (\`${one}\`, \`${other}\`) of function \`{}\``
  throw new InvalidQuery(`Expected values to compare, but these are ${one} and ${other}`, 0, raw)
}

function isAlike(one: Type, other: Type): boolean {
  try {
    return supertype([one, other]) !== ''
  } catch {
    return false
  }
}

/** Arrays, tuples and maps are compared element by element. */
export function order(a: Scalar, b: Scalar): number {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b ? 0 : a! < b! ? -1 : 1
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const [one, other] = [a, b].map(value => (Array.isArray(value) ? value : Object.entries(value).flat()))
  for (const [at, item] of one!.entries()) {
    if (at >= other!.length) return 1
    const difference = order(item, other![at]!)
    if (difference !== 0) return difference
  }
  return one!.length - other!.length
}

const compare =
  (holds: Order): SqlFunction =>
  ([a, b, ...more]) => {
    if (!a || !b || more.length > 0) throw new InvalidQuery('Expected two values to compare')
    const [left, right] = alike(a, b)
    if (isComposite(a.type))
      return { type: 'UInt8', run: (x: Scalar, y: Scalar) => (holds(order(x, y) as never, 0 as never) ? 1 : 0) }
    const untouched = left === same && right === same
    return {
      type: 'UInt8',
      run: untouched
        ? (x: Scalar, y: Scalar) => (holds(x as never, y as never) ? 1 : 0)
        : (x: Scalar, y: Scalar) => (holds(left(x) as never, right(y) as never) ? 1 : 0),
    }
  }

const equals = compare((a: Scalar, b: Scalar) => a === b)

/** Null-safe equality: NULL equals only NULL. */
const notDistinct =
  (expected: boolean): SqlFunction =>
  (args, budget) => {
    const run = runOf(equals, args, budget)
    const isSame = (a: Scalar, b: Scalar) => (a === null || b === null ? a === b : run(a, b) === 1)
    return { type: 'UInt8', takesNull: true, run: (a: Scalar, b: Scalar) => truth(isSame(a, b) === expected) }
  }

const keyOf = (value: Scalar) => (typeof value === 'object' ? JSON.stringify(value) : value)

/** IN: the list is one constant argument whose members were read as the type of the left side. */
const member =
  (expected: boolean): SqlFunction =>
  ([left, list]) => {
    if (!left || !list || !(isTuple(list.type) || isList(list.type))) throw new InvalidQuery('Expected a list after IN')
    const isIn = (value: Scalar, values: readonly Scalar[]) =>
      values.some(item => item !== null && order(value, item) === 0)
    if (!list.constant) {
      const run = (value: Scalar, values: readonly Scalar[]) => truth(isIn(value, values) === expected)
      return { type: 'Nullable(UInt8)', run }
    }
    const items = list.at(0) as readonly Scalar[]
    const types = isTuple(list.type) ? partsOf(list.type) : items.map(() => list.type.slice(6, -1))
    const rows = isTuple(left.type) && !types.some(isTuple) ? [items] : items
    const read = (item: Scalar, at: number) => {
      if (isTuple(left.type)) return keyOf(item)
      const [, right] = alike(left, { type: types[at]!, constant: true, at: () => item })
      return right(item)
    }
    // A number equals none of the strings.
    const fits = (item: Scalar) => item !== null && !(isText(left.type) && typeof item === 'number')
    const members = new Set(rows.map((item, at) => (fits(item) ? read(item, at) : undefined)))
    return { type: 'UInt8', run: (value: Scalar) => truth(members.has(keyOf(value)) === expected) }
  }

export const compareFunctions: Readonly<Record<string, SqlFunction>> = {
  equals,
  notEquals: compare((a: Scalar, b: Scalar) => a !== b),
  less: compare((a: number, b: number) => a < b),
  lessOrEquals: compare((a: number, b: number) => a <= b),
  greater: compare((a: number, b: number) => a > b),
  greaterOrEquals: compare((a: number, b: number) => a >= b),
  isNotDistinctFrom: notDistinct(true),
  isDistinctFrom: notDistinct(false),
  in: member(true),
  notIn: member(false),
}
