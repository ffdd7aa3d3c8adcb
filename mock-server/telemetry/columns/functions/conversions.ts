import { InvalidQuery } from '../../query/invalid-query.ts'
import { type Compiled, constantOf, type Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { createConverter, readType } from './convert.ts'
import { checkArguments, defineFunction, illegalType, runOf, type SqlFunction } from './signature.ts'
import { clampTime, offsetOf } from './zones.ts'

function refuseValue(value: Scalar, type: Type): never {
  const raw = types.isTime(type)
    ? `Cannot parse ${types.bareOf(type)} from String`
    : value === '' && types.isInteger(type)
      ? `Attempt to read after eof: Cannot parse ${types.bareOf(type)} from String, because value is too short`
      : `Cannot parse string '${value}' as ${types.bareOf(type)}: syntax error. Note: there are to${types.bareOf(type)}OrZero and to${types.bareOf(type)}OrNull functions, which returns zero/NULL instead of throwing exception`
  throw new InvalidQuery(
    `Expected ${types.isTime(type) ? 'a time' : 'a number'}, but this is the text "${value}"`,
    0,
    raw,
  )
}

/** The suffix of a function determines its result for a text that cannot be converted. Without a suffix it throws. */
const suffixes = ['', 'OrZero', 'OrDefault', 'OrNull'] as const

/** The type of a time with the number of fractional digits and the zone that the arguments of a conversion give. */
function timeType(name: string, digits: Compiled | undefined, zone: Compiled | undefined): Type {
  const size = digits?.at(0) ?? 3
  if (![...'0123456789'].includes(String(size))) throw illegalType(digits!.type, 'Int')
  const parts = [...(name === 'DateTime64' ? [size] : []), ...(zone ? [`'${textOf(zone)}'`] : [])].join(', ')
  return `${name}${parts && `(${parts})`}`
}

function textOf(constant: Compiled): string {
  if (!constant.constant || !types.isText(constant.type)) throw illegalType(constant.type, 'String')
  return String(constant.at(0))
}

/** The type of the same time in another zone. */
const withZone = (time: Type, zone: Compiled): Type =>
  types.hasTimeOfDay(time)
    ? timeType(/^DateTime(?:64)?/.exec(time)![0], constantOf('UInt8', types.digitsOf(time)), zone)
    : types.bareOf(time)

function defineConversion(target: Type, suffix: (typeof suffixes)[number], digits = 'Int'): SqlFunction {
  const isZoned = types.isTime(target) || target === 'String'
  const zoneOrDefault = isZoned ? ', String?' : suffix === 'OrDefault' ? ', Number?' : ''
  const optionalParams = target === 'DateTime64' ? `, ${digits}, String?` : zoneOrDefault
  return (args, budget) => {
    checkArguments(`Any${optionalParams} -> Any`, args, budget)
    const [arg, second, third] = args as readonly [Compiled, Compiled?, Compiled?]
    if (suffix && !types.isText(arg.type) && suffix !== 'OrDefault' && !types.isNothing(arg.type)) {
      const raw = `Illegal type ${arg.type} of first argument of function {}`
      throw new InvalidQuery(`Expected a text, but this is ${arg.type}`, 0, raw, 'ILLEGAL_TYPE_OF_ARGUMENT')
    }
    const [size, zone] = target === 'DateTime64' ? [second, third] : [undefined, isZoned ? second : undefined]
    const type = types.hasTimeOfDay(target) ? timeType(target, size, zone) : target
    const from = zone && !types.hasTimeOfDay(target) ? withZone(types.bareOf(arg.type), zone) : arg.type
    const convert = createConverter(from, type, budget, suffix !== '')
    const fallback = suffix === 'OrNull' ? null : suffix === 'OrDefault' && second ? second.at(0) : 0
    const run = (value: Scalar) => convert(value) ?? (suffix ? fallback : refuseValue(value, type))
    return { type: suffix === 'OrNull' ? types.nullable(type) : type, run }
  }
}

const integerTypes = ['8', '16', '32', '64'].flatMap(bits => [`UInt${bits}`, `Int${bits}`])
const numberTypes = [...integerTypes, 'Float32', 'Float64']
const timeTypes = ['Date', 'DateTime', 'DateTime64']

const cast: SqlFunction = ([arg, name, ...more], budget) => {
  if (!arg || !name?.constant || more.length > 0) throw new InvalidQuery('Expected a value and a type')
  const type = readType(String(name.at(0)))
  if (arg.constant && arg.at(0) === null && !types.isNullable(type))
    throw new InvalidQuery(
      `Expected a value that is not NULL for ${type}`,
      0,
      'Cannot convert NULL to a non-nullable type',
      'CANNOT_CONVERT_TYPE',
    )
  const convert = createConverter(arg.type, type, budget)
  const run = (value: Scalar) => (value === null ? null : (convert(value) ?? refuseValue(value, type)))
  return { type, run, takesNull: true }
}

const castOrNull: SqlFunction = ([arg, name], budget) => {
  if (!arg || !name?.constant) throw new InvalidQuery('Expected a value and a type')
  const type = types.bareOf(readType(String(name.at(0))))
  const convert = createConverter(arg.type, type, budget, true)
  const width = types.widthOf(type)
  const isExact = (value: Scalar) =>
    typeof value !== 'number' ||
    !width ||
    types.isTime(arg.type) ||
    width.kind === 'Float' ||
    types.fitsInteger(width, value)
  return { type: types.nullable(type), run: (value: Scalar) => (isExact(value) ? (convert(value) ?? null) : null) }
}

const unitsPerMillisecond: Readonly<Record<string, number>> = { Milli: 1, Micro: 1e3, Nano: 1e6 }

const toTimeZone: SqlFunction = (args, budget) => {
  checkArguments('Clock, String -> Any', args, budget)
  const type = withZone(types.bareOf(args[0]!.type), args[1]!)
  offsetOf(types.zoneOf(type), budget)
  return { type, run: (time: Scalar) => time }
}

export const conversions: Readonly<Record<string, SqlFunction>> = {
  ...Object.fromEntries(
    [...numberTypes, ...timeTypes].flatMap(type =>
      suffixes
        .filter(suffix => suffix !== 'OrDefault' || numberTypes.includes(type))
        .map(suffix => [`to${type}${suffix}`, defineConversion(type, suffix)]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(unitsPerMillisecond).flatMap(([name, units], at) => [
      [`toUnixTimestamp64${name}`, defineFunction('Clock -> Int64', time => Math.floor(time * units))],
      [
        `fromUnixTimestamp64${name}`,
        defineFunction(`Int -> DateTime64(${(at + 1) * 3})`, value => clampTime(value / units)),
      ],
    ]),
  ),
  toString: defineConversion('String', ''),
  toBool: defineConversion('Bool', ''),
  parseDateTimeBestEffort: defineConversion('DateTime', ''),
  parseDateTimeBestEffortOrNull: defineConversion('DateTime', 'OrNull'),
  parseDateTimeBestEffortOrZero: defineConversion('DateTime', 'OrZero'),
  parseDateTime64BestEffort: defineConversion('DateTime64', '', 'Int?'),
  fromUnixTimestamp: defineFunction('Int -> DateTime', seconds => clampTime(seconds * 1000)),
  toUnixTimestamp: (args, budget) => {
    const run = runOf(defineConversion('DateTime', ''), args, budget)
    return { type: 'UInt32', run: (value: Scalar) => Math.floor((run(value) as number) / 1000) }
  },
  toTimeZone,
  CAST: cast,
  accurateCastOrNull: castOrNull,
  toTypeName: ([arg]) => ({ type: 'String', run: () => arg?.type ?? '', takesNull: true }),
}
