import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import {
  bareOf,
  integerType,
  isClock,
  isInteger,
  isInterval,
  isNothing,
  isNumeric,
  isTime,
  supertype,
  type Type,
  widthOf,
} from '../types.ts'
import { making, type SqlFunction, taking, truth } from './signature.ts'
import { plusInterval } from './time-functions.ts'
import { withinTime } from './zones.ts'

/** The widths of two numeric types; throws for other types. */
function widthsOf(args: readonly Compiled[]) {
  const [a, b, ...more] = args
  if (!a || !b || more.length > 0) throw new InvalidQuery('Expected numbers on both sides')
  const [left, right] = [a, b].map(({ type }) => (isNothing(type) ? widthOf('UInt8') : widthOf(type)))
  if (left && right) return [left, right] as const
  const raw = `Illegal types ${a.type} and ${b.type} of arguments of function {}`
  throw new InvalidQuery(`Expected numbers on both sides, but these are ${a.type} and ${b.type}`, 0, raw)
}

type Widths = ReturnType<typeof widthsOf>
const isAnyFloat = (widths: Widths) => widths.some(({ kind }) => kind === 'Float')
const isAnySigned = (widths: Widths) => widths.some(({ kind }) => kind === 'Int')

const arithmetic =
  (run: (a: number, b: number) => number, typeOf: (...widths: Widths) => Type): SqlFunction =>
  args => {
    const widths = widthsOf(args)
    return { type: isAnyFloat(widths) ? 'Float64' : typeOf(...widths), run }
  }

/** The next wider type, so that sums of small integers do not overflow. */
const wider =
  (isSigned: boolean) =>
  (...[a, b]: Widths) =>
    integerType(isSigned || isAnySigned([a, b]), Math.max(a.bits, b.bits) * 2)

/** The remainder has the width of the divisor. */
const remainder = (...[a, b]: Widths) =>
  integerType(a.kind === 'Int', a.kind === b.kind || b.kind === 'Int' ? b.bits : b.bits * 2)
const quotient = (...[a, b]: Widths) => integerType(isAnySigned([a, b]), a.bits)
const positive = (...[, b]: Widths) => integerType(false, b.bits)

/** Only floating-point numbers may be NaN or infinite. */
function finite(value: number): number {
  if (Math.abs(value) < 2 ** 63) return value
  throw new InvalidQuery('Cannot perform integer division on infinite or too large floating point numbers')
}

function divided(by: number): number {
  if (by === 0) throw new InvalidQuery('Expected a number other than 0 to divide by', 0, 'Division by zero')
  return by
}

/** Division is exact only for two integers. */
const whole =
  (run: (a: number, b: number) => number): SqlFunction =>
  args => {
    const widths = widthsOf(args)
    return { type: isAnyFloat(widths) ? 'Int64' : quotient(...widths), run }
  }

const remain = arithmetic((a, b) => a % divided(b), remainder)

/** Addition: of numbers, of a time and seconds or days, of a time and an interval. */
const sum =
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
    const unit = (type: Type) => (isClock(type) ? 1000 : 86_400_000)
    if (isTime(one) && isNumeric(other))
      return { type: one, run: (x: number, y: number) => withinTime(x + sign * Math.trunc(y) * unit(one)) }
    if (isInteger(one) && isTime(other) && sign === 1)
      return { type: other, run: (x: number, y: number) => withinTime(x * unit(other) + y) }
    if (isTime(one) && isTime(other) && sign === -1) return difference(one, other)
    return arithmetic(sign === 1 ? (x, y) => x + y : (x, y) => x - y, wider(sign === -1))(args, budget)
  }

/** Subtraction: dates yield days, times yield seconds. */
function difference(one: Type, other: Type) {
  const unit = [one, other].some(isClock) ? 1000 : 86_400_000
  const isFine = [one, other].some(type => type.startsWith('DateTime64'))
  const run = (a: number, b: number) => (a - b) / unit
  return isFine ? { type: 'Float64', run } : { type: 'Int32', run: (a: number, b: number) => Math.trunc(run(a, b)) }
}

const extreme =
  (isBetter: (a: Scalar, b: Scalar) => boolean): SqlFunction =>
  args => {
    if (args.length === 0) throw new InvalidQuery('Expected values to choose from')
    const type = supertype(args.map(arg => arg.type))
    // NaN loses every comparison: the following value is taken.
    const better = (best: Scalar, value: Scalar) =>
      value === null || (best !== null && isBetter(best, value)) ? best : value
    return { type, takesNull: true, run: (...values: Scalar[]) => values.reduce(better, null) }
  }

/** Rounds ties to even, as the processor does. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

const rounding = (round: (value: number) => number, roundInteger = round): SqlFunction =>
  making('Number, Int? -> $1', (_, [arg]) => {
    const isWhole = isInteger(arg!.type)
    return (value: number, digits = 0) => {
      if (isWhole && digits >= 0) return value
      const by = 10 ** Math.abs(digits)
      if (digits < 0) return (isWhole ? roundInteger : round)(value / by) * by
      return Number.isFinite(value * by) ? round(value * by) / by : value
    }
  })

/** A bitwise operation on two numbers; a shift has the type of its first argument. */
const bitwise =
  (run: (a: bigint, b: bigint) => bigint, isShift = false): SqlFunction =>
  (args, budget) => {
    const { type } = taking('Int, Int -> $1', () => null)(args, budget)
    const [a, b] = widthsOf(args)
    const bits = Math.max(a.bits, b.bits)
    return {
      type: isShift ? type : integerType(isAnySigned([a, b]), bits),
      run: (x: number, y: number) => Number(BigInt.asUintN(bits, run(BigInt(x), BigInt(y)))),
    }
  }

const ofNumber = (run: (value: number) => number) => taking('Number -> Float64', run)

const negate = making('Number -> $1', () => (value: number) => -value)
const abs = making('Number -> $1', () => Math.abs)

const sizes = (marks: readonly string[], base: number, gap: string) =>
  taking('Number -> String', (value: number) => {
    const power = value === 0 ? 0 : Math.floor(Math.log(Math.abs(value)) / Math.log(base) + 1e-12)
    const at = Math.max(0, Math.min(power, marks.length - 1))
    return `${(value / base ** at).toFixed(2)}${marks[at] && gap}${marks[at]}`
  })

export const numberFunctions: Readonly<Record<string, SqlFunction>> = {
  plus: sum(1),
  minus: sum(-1),
  multiply: arithmetic((a, b) => a * b, wider(false)),
  divide: arithmetic(
    (a, b) => a / b,
    () => 'Float64',
  ),
  modulo: remain,
  moduloOrZero: arithmetic((a, b) => (b === 0 ? 0 : a % b), remainder),
  positiveModulo: arithmetic((a, b) => ((a % divided(b)) + Math.abs(b)) % Math.abs(b), positive),
  intDiv: whole((a, b) => Math.trunc(finite(a) / divided(finite(b)))),
  intDivOrZero: whole((a, b) => (b === 0 ? 0 : Math.trunc(a / b))),
  negate: (args, budget) => {
    const width = args[0] && widthOf(args[0].type)
    const type = width && width.kind !== 'Float' ? integerType(true, width.bits * (width.kind === 'UInt' ? 2 : 1)) : ''
    return { ...negate(args, budget), ...(type && { type }) }
  },
  abs: (args, budget) => {
    const width = args[0] && widthOf(args[0].type)
    return { ...abs(args, budget), ...(width?.kind === 'Int' && { type: integerType(false, width.bits) }) }
  },
  round: rounding(roundHalfEven, Math.round),
  floor: rounding(Math.floor),
  ceil: rounding(Math.ceil),
  trunc: rounding(Math.trunc),
  sqrt: ofNumber(Math.sqrt),
  cbrt: ofNumber(Math.cbrt),
  exp: ofNumber(Math.exp),
  log: ofNumber(Math.log),
  log2: ofNumber(Math.log2),
  log10: ofNumber(Math.log10),
  pow: taking('Number, Number -> Float64', Math.pow),
  sign: taking('Number -> Int8', Math.sign),
  pi: taking('-> Float64', () => Math.PI),
  greatest: extreme((a, b) => a! > b!),
  min: extreme((a, b) => a! < b!),
  bitAnd: bitwise((a, b) => a & b),
  bitOr: bitwise((a, b) => a | b),
  bitXor: bitwise((a, b) => a ^ b),
  bitShiftLeft: bitwise((a, b) => (b > 64n ? 0n : a << b), true),
  bitShiftRight: bitwise((a, b) => a >> b, true),
  isNaN: taking('Number -> UInt8', value => truth(Number.isNaN(value))),
  isFinite: taking('Number -> UInt8', value => truth(Number.isFinite(value))),
  isInfinite: taking('Number -> UInt8', value => truth(Math.abs(value) === Number.POSITIVE_INFINITY)),
  formatReadableSize: sizes(['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'], 1024, ' '),
  formatReadableDecimalSize: sizes(['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'], 1000, ' '),
  formatReadableQuantity: sizes(['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion'], 1000, ' '),
}
