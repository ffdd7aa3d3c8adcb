import { InvalidQuery } from '../../query/invalid-query.ts'
import { type Compiled, constantOf, type Scalar } from '../compiled.ts'
import {
  bareOf,
  digitsOf,
  fitsInteger,
  hasTimeOfDay,
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

type Relation = (a: never, b: never) => boolean

/** Converts a string literal to the type that it is compared with; a string column is refused. */
function readAs(other: Type, string: Compiled): (value: Scalar) => Scalar {
  if (!string.constant) {
    if (isTime(other)) {
      const raw = `No operation {} between ${bareOf(string.type)} and ${other}`
      throw new InvalidQuery(
        `Expected two times, but these are ${other} and ${string.type}`,
        0,
        raw,
        'ILLEGAL_TYPE_OF_ARGUMENT',
      )
    }
    supertype([other, string.type])
    throw new InvalidQuery(`Expected two values of one type, but these are ${other} and ${string.type}`)
  }
  const text = String(string.at(0))
  const number = readLiteral(other, text)
  if (number !== undefined) return () => (fits(other, number) ? number : Number.NaN)
  const raw = `Cannot convert string '${text}' to type ${bareOf(other)}`
  throw new InvalidQuery(`Expected a value of the type ${bareOf(other)}, but this is the text "${text}"`, 0, raw)
}

function readLiteral(type: Type, text: string): number | undefined {
  if (isFloat(type)) return readFloat(text)
  if (isNumeric(type)) return readInteger(text, !bareOf(type).startsWith('U'))
  return isTime(type) ? readMoment(type, text) : undefined
}

/** Whether a number is in the range of a type. Other numbers compare as NaN: they are not equal, less or greater. */
function fits(type: Type, value: number): boolean {
  const width = isInteger(type) ? widthOf(type) : undefined
  return !width || fitsInteger(width, value)
}

/** A literal has no zone, and all of its seconds. */
const momentPattern = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d(?:\.\d+)?)?$/

/** Parses a date or, for a type with a time of day, a time or a number of seconds. */
function readMoment(type: Type, text: string): number | undefined {
  if (!hasTimeOfDay(type)) return text.length === 10 ? readTime(text) : undefined
  if (/^\d{9,10}(\.\d+)?$/.test(text)) return Number(text) * 1000
  return momentPattern.test(text) ? readTime(text) : undefined
}

const identity = (value: Scalar) => value
const inMilliseconds = (value: Scalar) => (value as number) * 1000

/** Converts seconds for a comparison with a time. Refuses those that overflow the 64 bits to which the database scales them. */
function secondsToMilliseconds(clock: Type, seconds: Compiled): (value: Scalar) => Scalar {
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

/** The conversions of both sides to a common type. */
function conversionsToCommonType(
  a: Compiled,
  b: Compiled,
): readonly [(value: Scalar) => Scalar, (value: Scalar) => Scalar] {
  const [one, other] = [a.type, b.type]
  if (isNothing(one) || isNothing(other)) return [identity, identity]
  if (isText(one) && isText(other)) return [identity, identity]
  if (isText(one)) return [readAs(other, a), identity]
  if (isText(other)) return [identity, readAs(one, b)]
  if (isNumeric(one) ? isNumeric(other) : isTime(one) && isTime(other)) return [identity, identity]
  if (hasTimeOfDay(one) && isNumeric(other)) return [identity, secondsToMilliseconds(one, b)]
  if (isNumeric(one) && hasTimeOfDay(other)) return [secondsToMilliseconds(other, a), identity]
  if ([isList, isMap, isTuple].some(isOfKind => isOfKind(one) && isOfKind(other)) && haveSupertype(one, other))
    return [identity, identity]
  const raw = `Illegal types of arguments (\`${one}\`, \`${other}\`) of function \`{}\``
  throw new InvalidQuery(
    `Expected values to compare, but these are ${one} and ${other}`,
    0,
    raw,
    'ILLEGAL_TYPE_OF_ARGUMENT',
  )
}

function haveSupertype(one: Type, other: Type): boolean {
  try {
    return supertype([one, other]) !== ''
  } catch {
    return false
  }
}

/** Compares two values as a sort does: arrays, tuples and maps element by element. */
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

const defineComparison =
  (holds: Relation): SqlFunction =>
  ([a, b, ...more]) => {
    if (!a || !b || more.length > 0) throw new InvalidQuery('Expected two values to compare')
    const [left, right] = conversionsToCommonType(a, b)
    if (isComposite(a.type))
      return { type: 'UInt8', run: (x: Scalar, y: Scalar) => (holds(order(x, y) as never, 0 as never) ? 1 : 0) }
    const isUnconverted = left === identity && right === identity
    return {
      type: 'UInt8',
      run: isUnconverted
        ? (x: Scalar, y: Scalar) => (holds(x as never, y as never) ? 1 : 0)
        : (x: Scalar, y: Scalar) => (holds(left(x) as never, right(y) as never) ? 1 : 0),
    }
  }

const equals = defineComparison((a: Scalar, b: Scalar) => a === b)

/** Null-safe equality: NULL equals only NULL. */
const defineNullSafeEquality =
  (expected: boolean): SqlFunction =>
  (args, budget) => {
    const run = runOf(equals, args, budget)
    const isSame = (a: Scalar, b: Scalar) => (a === null || b === null ? a === b : run(a, b) === 1)
    return { type: 'UInt8', takesNull: true, run: (a: Scalar, b: Scalar) => truth(isSame(a, b) === expected) }
  }

const keyOf = (value: Scalar) => (typeof value === 'object' ? JSON.stringify(value) : value)

/** Defines IN and NOT IN. The items of a constant list are converted to the type of the left side once. */
const defineMembership =
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
    const convert = (item: Scalar, at: number) => {
      if (isTuple(left.type)) return keyOf(item)
      const [, right] = conversionsToCommonType(left, constantOf(types[at]!, item))
      return right(item)
    }
    // A number in the list equals no text.
    const isComparable = (item: Scalar) => item !== null && !(isText(left.type) && typeof item === 'number')
    const members = new Set(rows.map((item, at) => (isComparable(item) ? convert(item, at) : undefined)))
    return { type: 'UInt8', run: (value: Scalar) => truth(members.has(keyOf(value)) === expected) }
  }

export const compareFunctions: Readonly<Record<string, SqlFunction>> = {
  equals,
  notEquals: defineComparison((a: Scalar, b: Scalar) => a !== b),
  less: defineComparison((a: number, b: number) => a < b),
  lessOrEquals: defineComparison((a: number, b: number) => a <= b),
  greater: defineComparison((a: number, b: number) => a > b),
  greaterOrEquals: defineComparison((a: number, b: number) => a >= b),
  isNotDistinctFrom: defineNullSafeEquality(true),
  isDistinctFrom: defineNullSafeEquality(false),
  in: defineMembership(true),
  notIn: defineMembership(false),
}
