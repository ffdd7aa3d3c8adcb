import { day, second } from '../../../words/durations.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import {
  bareOf,
  hasTimeOfDay,
  integerType,
  isInteger,
  isInterval,
  isNothing,
  isNumeric,
  isTime,
  supertype,
  type Type,
  widthOf,
} from '../types.ts'
import { checkArguments, defineFunction, definePrepared, type SqlFunction, truth } from './signature.ts'
import { plusInterval } from './time-functions.ts'
import { clampTime } from './zones.ts'

/** The widths of two numeric types; throws for other types. */
function widthsOf(args: readonly Compiled[]) {
  const [a, b, ...more] = args
  if (!a || !b || more.length > 0) throw new InvalidQuery('Expected numbers on both sides')
  const [left, right] = [a, b].map(({ type }) => (isNothing(type) ? widthOf('UInt8') : widthOf(type)))
  if (left && right) return [left, right] as const
  const raw = `Illegal types ${a.type} and ${b.type} of arguments of function {}`
  throw new InvalidQuery(
    `Expected numbers on both sides, but these are ${a.type} and ${b.type}`,
    0,
    raw,
    'ILLEGAL_TYPE_OF_ARGUMENT',
  )
}

type Widths = ReturnType<typeof widthsOf>
const isAnyFloat = (widths: Widths) => widths.some(({ kind }) => kind === 'Float')
const isAnySigned = (widths: Widths) => widths.some(({ kind }) => kind === 'Int')

const defineArithmetic =
  (run: (a: number, b: number) => number, typeOf: (...widths: Widths) => Type): SqlFunction =>
  args => {
    const widths = widthsOf(args)
    return { type: isAnyFloat(widths) ? 'Float64' : typeOf(...widths), run }
  }

/** The type of twice the width, so that sums of small integers do not overflow. */
const widerType =
  (isSigned: boolean) =>
  (...[a, b]: Widths) =>
    integerType(isSigned || isAnySigned([a, b]), Math.max(a.bits, b.bits) * 2)

/** The remainder has the width of the divisor. */
const remainderType = (...[a, b]: Widths) =>
  integerType(a.kind === 'Int', a.kind === b.kind || b.kind === 'Int' ? b.bits : b.bits * 2)
const quotientType = (...[a, b]: Widths) => integerType(isAnySigned([a, b]), a.bits)
const unsignedDivisorType = (...[, b]: Widths) => integerType(false, b.bits)

/** Refuses numbers that integers cannot represent: NaN, infinities and too large numbers. */
function checkFinite(value: number): number {
  if (Math.abs(value) < 2 ** 63) return value
  throw new InvalidQuery('Cannot perform integer division on infinite or too large floating point numbers')
}

function checkDivisor(divisor: number): number {
  if (divisor === 0) throw new InvalidQuery('Expected a number other than 0 to divide by', 0, 'Division by zero')
  return divisor
}

/** Defines an integer division: 64 bits wide for floating-point numbers, else as wide as the dividend. */
const defineIntegerDivision =
  (run: (a: number, b: number) => number): SqlFunction =>
  args => {
    const widths = widthsOf(args)
    return { type: isAnyFloat(widths) ? 'Int64' : quotientType(...widths), run }
  }

/** Defines addition or, with the sign -1, subtraction. A number counts days of a date, and seconds of other times. */
const defineAddition =
  (sign: 1 | -1): SqlFunction =>
  (args, budget) => {
    const [a, b] = args
    if (!a || !b || args.length > 2) throw new InvalidQuery('Expected two values')
    const [one, other] = [bareOf(a.type), bareOf(b.type)]
    if (isInterval(other) && isTime(one)) return plusInterval(one, other, sign, budget)
    if (isInterval(one) && isTime(other) && sign === 1) {
      const { type, run } = plusInterval(other, one, 1, budget)
      return { type, run: (size: number, time: number) => run(time, size) }
    }
    if (isInterval(one) && one === other) return { type: one, run: (x: number, y: number) => x + sign * y }
    const unitOf = (type: Type) => (hasTimeOfDay(type) ? second : day)
    if (isTime(one) && isNumeric(other))
      return { type: one, run: (x: number, y: number) => clampTime(x + sign * Math.trunc(y) * unitOf(one)) }
    if (isInteger(one) && isTime(other) && sign === 1)
      return { type: other, run: (x: number, y: number) => clampTime(x * unitOf(other) + y) }
    if (isTime(one) && isTime(other) && sign === -1) return timeDifference(one, other)
    return defineArithmetic(sign === 1 ? (x, y) => x + y : (x, y) => x - y, widerType(sign === -1))(args, budget)
  }

/** The difference of two dates in days, of other times in seconds. */
function timeDifference(one: Type, other: Type) {
  const unit = [one, other].some(hasTimeOfDay) ? second : day
  const hasFraction = [one, other].some(type => type.startsWith('DateTime64'))
  const run = (a: number, b: number) => (a - b) / unit
  return hasFraction
    ? { type: 'Float64', run }
    : { type: 'Int32', run: (a: number, b: number) => Math.trunc(run(a, b)) }
}

const defineExtreme =
  (isBetter: (a: Scalar, b: Scalar) => boolean): SqlFunction =>
  args => {
    if (args.length === 0) throw new InvalidQuery('Expected values to choose from')
    const type = supertype(args.map(arg => arg.type))
    // A comparison with NaN is false, so that the following value replaces it.
    const better = (best: Scalar, value: Scalar) =>
      value === null || (best !== null && isBetter(best, value)) ? best : value
    return { type, takesNull: true, run: (...values: Scalar[]) => values.reduce(better, null) }
  }

/** Rounds ties to even, as the processor does. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

const defineRounding = (round: (value: number) => number, roundInteger = round): SqlFunction =>
  definePrepared('Number, Int? -> $1', (_, [arg]) => {
    const isArgInteger = isInteger(arg!.type)
    return (value: number, digits = 0) => {
      if (isArgInteger && digits >= 0) return value
      const factor = 10 ** Math.abs(digits)
      if (digits < 0) return (isArgInteger ? roundInteger : round)(value / factor) * factor
      return Number.isFinite(value * factor) ? round(value * factor) / factor : value
    }
  })

/** A bitwise operation on two numbers; a shift has the type of its first argument. */
const defineBitwise =
  (run: (a: bigint, b: bigint) => bigint, isShift = false): SqlFunction =>
  (args, budget) => {
    const type = checkArguments('Int, Int -> $1', args, budget)
    const [a, b] = widthsOf(args)
    const bits = Math.max(a.bits, b.bits)
    return {
      type: isShift ? type : integerType(isAnySigned([a, b]), bits),
      run: (x: number, y: number) => Number(BigInt.asUintN(bits, run(BigInt(x), BigInt(y)))),
    }
  }

const defineNumberFunction = (run: (value: number) => number) => defineFunction('Number -> Float64', run)

const negate = definePrepared('Number -> $1', () => (value: number) => -value)
const abs = definePrepared('Number -> $1', () => Math.abs)

const defineReadable = (units: readonly string[], base: number, gap: string) =>
  defineFunction('Number -> String', (value: number) => {
    // Slightly more than the logarithm, which may be rounded down.
    const power = value === 0 ? 0 : Math.floor(Math.log(Math.abs(value)) / Math.log(base) + 1e-12)
    const at = Math.max(0, Math.min(power, units.length - 1))
    return `${(value / base ** at).toFixed(2)}${units[at] && gap}${units[at]}`
  })

const unitsOfDelta = { year: 31_536_000, month: 2_635_200, day: 86_400, hour: 3600, minute: 60, second: 1 }

/** Seconds as `1 hour, 1 minute and 1 second`. */
function formatTimeDelta(seconds: number): string {
  let left = Math.trunc(Math.abs(seconds))
  const parts = Object.entries(unitsOfDelta).flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : `${count} ${unit}${count === 1 ? '' : 's'}`
  })
  const text = [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ') || '0 seconds'
  return seconds <= -1 ? `-${text}` : text
}

export const numberFunctions: Readonly<Record<string, SqlFunction>> = {
  plus: defineAddition(1),
  minus: defineAddition(-1),
  multiply: defineArithmetic((a, b) => a * b, widerType(false)),
  divide: defineArithmetic(
    (a, b) => a / b,
    () => 'Float64',
  ),
  modulo: defineArithmetic((a, b) => a % checkDivisor(b), remainderType),
  moduloOrZero: defineArithmetic((a, b) => (b === 0 ? 0 : a % b), remainderType),
  positiveModulo: defineArithmetic((a, b) => ((a % checkDivisor(b)) + Math.abs(b)) % Math.abs(b), unsignedDivisorType),
  intDiv: defineIntegerDivision((a, b) => Math.trunc(checkFinite(a) / checkDivisor(checkFinite(b)))),
  intDivOrZero: defineIntegerDivision((a, b) => (b === 0 ? 0 : Math.trunc(a / b))),
  negate: (args, budget) => {
    const width = args[0] && widthOf(args[0].type)
    const type = width && width.kind !== 'Float' ? integerType(true, width.bits * (width.kind === 'UInt' ? 2 : 1)) : ''
    return { ...negate(args, budget), ...(type && { type }) }
  },
  abs: (args, budget) => {
    const width = args[0] && widthOf(args[0].type)
    return { ...abs(args, budget), ...(width?.kind === 'Int' && { type: integerType(false, width.bits) }) }
  },
  round: defineRounding(roundHalfEven, Math.round),
  floor: defineRounding(Math.floor),
  ceil: defineRounding(Math.ceil),
  trunc: defineRounding(Math.trunc),
  sqrt: defineNumberFunction(Math.sqrt),
  cbrt: defineNumberFunction(Math.cbrt),
  exp: defineNumberFunction(Math.exp),
  log: defineNumberFunction(Math.log),
  log2: defineNumberFunction(Math.log2),
  log10: defineNumberFunction(Math.log10),
  pow: defineFunction('Number, Number -> Float64', Math.pow),
  sign: defineFunction('Number -> Int8', Math.sign),
  pi: defineFunction('-> Float64', () => Math.PI),
  greatest: defineExtreme((a, b) => a! > b!),
  least: defineExtreme((a, b) => a! < b!),
  bitAnd: defineBitwise((a, b) => a & b),
  bitOr: defineBitwise((a, b) => a | b),
  bitXor: defineBitwise((a, b) => a ^ b),
  bitShiftLeft: defineBitwise((a, b) => (b > 64n ? 0n : a << b), true),
  bitShiftRight: defineBitwise((a, b) => a >> b, true),
  bitNot: (args, budget) => ({
    type: checkArguments('Int -> $1', args, budget),
    run: (value: number) =>
      widthOf(args[0]!.type)!.kind === 'Int' ? -value - 1 : 2 ** widthOf(args[0]!.type)!.bits - 1 - value,
  }),
  isNaN: defineFunction('Number -> UInt8', value => truth(Number.isNaN(value))),
  isFinite: defineFunction('Number -> UInt8', value => truth(Number.isFinite(value))),
  isInfinite: defineFunction('Number -> UInt8', value => truth(Math.abs(value) === Number.POSITIVE_INFINITY)),
  formatReadableSize: defineReadable(['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'], 1024, ' '),
  formatReadableDecimalSize: defineReadable(['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'], 1000, ' '),
  formatReadableTimeDelta: defineFunction('Number -> String', formatTimeDelta),
  formatReadableQuantity: defineReadable(['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion'], 1000, ' '),
}
