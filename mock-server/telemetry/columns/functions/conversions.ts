import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { converter, readType } from './convert.ts'
import { illegal, runOf, type SqlFunction, taking } from './signature.ts'
import { offsetOf, withinTime } from './zones.ts'

function failed(value: Scalar, type: Type): never {
  const raw = types.isTime(type)
    ? `Cannot parse ${types.bareOf(type)} from String`
    : `Cannot parse string '${value}' as ${types.bareOf(type)}: syntax error. Note: there are to${types.bareOf(type)}OrZero and to${types.bareOf(type)}OrNull functions, which returns zero/NULL instead of throwing exception`
  throw new InvalidQuery(
    `Expected ${types.isTime(type) ? 'a time' : 'a number'}, but this is the text "${value}"`,
    0,
    raw,
  )
}

/** What a conversion does with a text that is not a number: throws, or returns one of these. */
const endings = ['', 'OrZero', 'OrDefault', 'OrNull'] as const

/** The optional further arguments of a conversion: the number of fractional digits and the time zone. */
function timeType(name: string, digits: Compiled | undefined, zone: Compiled | undefined): Type {
  const size = digits?.at(0) ?? 3
  if (![...'0123456789'].includes(String(size))) throw illegal(digits!.type, 'Int')
  const parts = [...(name === 'DateTime64' ? [size] : []), ...(zone ? [`'${textOf(zone)}'`] : [])].join(', ')
  return `${name}${parts && `(${parts})`}`
}

function textOf(constant: Compiled): string {
  if (!constant.constant || !types.isText(constant.type)) throw illegal(constant.type, 'String')
  return String(constant.at(0))
}

/** The same time, displayed in another zone. */
const inZone = (time: Type, zone: Compiled): Type =>
  types.isClock(time)
    ? timeType(
        time.startsWith('DateTime64') ? 'DateTime64' : 'DateTime',
        { type: 'UInt8', constant: true, at: () => types.digitsOf(time) },
        zone,
      )
    : types.bareOf(time)

function converting(target: Type, ending: (typeof endings)[number], digits = 'Int'): SqlFunction {
  const isZoned = types.isTime(target) || target === 'String'
  const more =
    target === 'DateTime64' ? `, ${digits}, String?` : ending === 'OrDefault' ? ', Number?' : isZoned ? ', String?' : ''
  return (args, budget) => {
    taking(`Any${more} -> Any`, () => null)(args, budget)
    const [arg, second, third] = args as readonly [Compiled, Compiled?, Compiled?]
    if (ending && !types.isText(arg.type) && ending !== 'OrDefault' && !types.isNothing(arg.type)) {
      const raw = `Illegal type ${arg.type} of first argument of function {}`
      throw new InvalidQuery(`Expected a text, but this is ${arg.type}`, 0, raw)
    }
    const [size, zone] = target === 'DateTime64' ? [second, third] : [undefined, isZoned ? second : undefined]
    const type = types.isClock(target) ? timeType(target, size, zone) : target
    const from = zone && !types.isClock(target) ? inZone(types.bareOf(arg.type), zone) : arg.type
    const convert = converter(from, type, budget, ending !== '')
    const otherwise = ending === 'OrNull' ? null : ending === 'OrDefault' && second ? second.at(0) : 0
    const run = (value: Scalar) => convert(value) ?? (ending ? otherwise : failed(value, type))
    return { type: ending === 'OrNull' ? types.nullable(type) : type, run }
  }
}

const widths = ['8', '16', '32', '64'].flatMap(bits => [`UInt${bits}`, `Int${bits}`])
const numbers = [...widths, 'Float32', 'Float64']
const times = ['Date', 'DateTime', 'DateTime64']

const cast: SqlFunction = ([arg, name, ...more], budget) => {
  if (!arg || !name?.constant || more.length > 0) throw new InvalidQuery('Expected a value and a type')
  const type = readType(String(name.at(0)))
  if (arg.constant && arg.at(0) === null && !types.isNullable(type))
    throw new InvalidQuery(
      `Expected a value that is not NULL for ${type}`,
      0,
      'Cannot convert NULL to a non-nullable type',
    )
  const convert = converter(arg.type, type, budget)
  const run = (value: Scalar) => (value === null ? null : (convert(value) ?? failed(value, type)))
  return { type, run, takesNull: true }
}

const castOrNull: SqlFunction = ([arg, name], budget) => {
  if (!arg || !name?.constant) throw new InvalidQuery('Expected a value and a type')
  const type = types.bareOf(readType(String(name.at(0))))
  const convert = converter(arg.type, type, budget, true)
  const width = types.widthOf(type)
  const isExact = (value: Scalar) =>
    typeof value !== 'number' ||
    !width ||
    types.isTime(arg.type) ||
    width.kind === 'Float' ||
    types.fitsInteger(width, value)
  return { type: types.nullable(type), run: (value: Scalar) => (isExact(value) ? (convert(value) ?? null) : null) }
}

const unixTimes: Readonly<Record<string, number>> = { Milli: 1, Micro: 1e3, Nano: 1e6 }

const toTimeZone: SqlFunction = (args, budget) => {
  taking('Clock, String -> Any', () => null)(args, budget)
  const type = inZone(types.bareOf(args[0]!.type), args[1]!)
  offsetOf(types.zoneOf(type), budget)
  return { type, run: (time: Scalar) => time }
}

const bestEffort = (ending: (typeof endings)[number]) => converting('DateTime', ending)

export const conversions: Readonly<Record<string, SqlFunction>> = {
  ...Object.fromEntries(
    [...numbers, ...times].flatMap(type =>
      endings
        .filter(ending => ending !== 'OrDefault' || numbers.includes(type))
        .map(ending => [`to${type}${ending}`, converting(type, ending)]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(unixTimes).flatMap(([name, size], at) => [
      [`toUnixTimestamp64${name}`, taking('Clock -> Int64', time => Math.floor(time * size))],
      [`fromUnixTimestamp64${name}`, taking(`Int -> DateTime64(${(at + 1) * 3})`, value => withinTime(value / size))],
    ]),
  ),
  toString: converting('String', ''),
  toBool: converting('Bool', ''),
  parseDateTimeBestEffort: bestEffort(''),
  parseDateTimeBestEffortOrNull: bestEffort('OrNull'),
  parseDateTimeBestEffortOrZero: bestEffort('OrZero'),
  parseDateTime64BestEffort: converting('DateTime64', '', 'Int?'),
  fromUnixTimestamp: taking('Int -> DateTime', seconds => withinTime(seconds * 1000)),
  toUnixTimestamp: (args, budget) => {
    const run = runOf(converting('DateTime', ''), args, budget)
    return { type: 'UInt32', run: (value: Scalar) => Math.floor((run(value) as number) / 1000) }
  },
  toTimeZone,
  CAST: cast,
  accurateCastOrNull: castOrNull,
  toTypeName: ([arg]) => ({ type: 'String', run: () => arg?.type ?? '', takesNull: true }),
}
