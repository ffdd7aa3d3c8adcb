import { InvalidQuery } from '../query/invalid-query.ts'
import { splitList } from '../query/split-list.ts'

/**
 * A type as the database writes it: `UInt8`, `Nullable(String)`, `Array(Float64)`, `DateTime64(9, 'Europe/Berlin')`.
 * Answers depend on it: 64-bit integers are quoted, and a missing array element is the default of its type.
 */
export type Type = string

export const isNullable = (type: Type) => type.startsWith('Nullable(')
/** The type without Nullable. */
export const bareOf = (type: Type) => (isNullable(type) ? type.slice(9, -1) : type)
/** Whether a type is that of NULL and of the elements of an empty array; it converts to every type. */
export const isNothing = (type: Type) => bareOf(type) === 'Nothing'

export const isList = (type: Type) => type.startsWith('Array(')
export const isMap = (type: Type) => type.startsWith('Map(')
export const isTuple = (type: Type) => type.startsWith('Tuple(')
export const isText = (type: Type) => bareOf(type) === 'String'
export const isTime = (type: Type) => bareOf(type).startsWith('Date')
/** Whether a type has a time of day. */
export const hasTimeOfDay = (type: Type) => bareOf(type).startsWith('DateTime')
export const isInterval = (type: Type) => type.startsWith('Interval')
export const isComposite = (type: Type) => isList(type) || isMap(type) || isTuple(type)

/** The type parameters, such as key and value of a map. */
export const partsOf = (type: Type): readonly Type[] => splitList(type.slice(type.indexOf('(') + 1, -1))

/** The type of the elements of an array or the values of a map. */
export const itemOf = (type: Type): Type => (isList(type) ? type.slice(6, -1) : partsOf(type)[1]!)

/** The nullable form of a type; arrays, maps and tuples have none. */
export const nullable = (type: Type): Type => (isNullable(type) || isComposite(type) ? type : `Nullable(${type})`)

/** The time zone of a type; UTC by default. */
export const zoneOf = (type: Type) => /'(.+)'/.exec(type)?.[1] ?? 'UTC'

/** The number of fractional digits of a time. */
export const digitsOf = (type: Type) => Number(/^DateTime64\((\d)/.exec(bareOf(type))?.[1] ?? 0)

interface NumericFormat {
  readonly kind: 'UInt' | 'Int' | 'Float'
  readonly bits: number
}

/** Kind and bits of a numeric type; undefined for other types. */
export function widthOf(type: Type): NumericFormat | undefined {
  const bare = bareOf(type)
  if (bare === 'Bool') return { kind: 'UInt', bits: 8 }
  const [, kind, bits] = /^(UInt|Int|Float)(8|16|32|64)$/.exec(bare) ?? []
  return kind ? { kind: kind as NumericFormat['kind'], bits: Number(bits) } : undefined
}

export const isNumeric = (type: Type) => widthOf(type) !== undefined
export const isFloat = (type: Type) => bareOf(type).startsWith('Float')
export const isInteger = (type: Type) => isNumeric(type) && !isFloat(type)
/** Whether a value of the type can be a condition. */
export const mayBeCondition = (type: Type) => isNothing(type) || isNumeric(type)

export const integerType = (isSigned: boolean, bits: number): Type =>
  `${isSigned ? 'Int' : 'UInt'}${Math.min(bits, 64)}`

/** The narrowest type for a numeric literal. */
export function typeOfNumber(value: number, isFraction: boolean): Type {
  // 2⁶⁴ - 1 is read as 2⁶⁴.
  if (isFraction || !Number.isInteger(value) || value > 2 ** 64 || value < -(2 ** 63)) return 'Float64'
  const bits = [8, 16, 32].find(size => (value < 0 ? value >= -(2 ** (size - 1)) : value < 2 ** size)) ?? 64
  return integerType(value < 0, bits)
}

export const fitsInteger = ({ kind, bits }: NumericFormat, value: number) =>
  kind === 'UInt' ? value >= 0 && value < 2 ** bits : value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1)

/** The common supertype. Throws if there is none, as the database does. */
export function supertype(types: readonly Type[]): Type {
  const known = types.filter(type => !isNothing(type))
  const mayBeNull = types.some(type => isNullable(type))
  const shared = [...new Set(known.map(bareOf))].reduce<Type>(
    (a, b) => (a === 'Nothing' ? b : commonType(a, b)),
    'Nothing',
  )
  return mayBeNull ? nullable(shared) : shared
}

function commonType(a: Type, b: Type): Type {
  const [one, other] = [widthOf(a), widthOf(b)]
  if (one && other) return commonNumber(one, other) ?? noSupertype(a, b)
  if (isTime(a) && isTime(b)) return [a, b].toSorted((x, y) => rankOfTime(y) - rankOfTime(x))[0]!
  if (isList(a) && isList(b)) return `Array(${supertype([itemOf(a), itemOf(b)])})`
  if (isMap(a) && isMap(b)) return `Map(String, ${supertype([itemOf(a), itemOf(b)])})`
  if (isTuple(a) && isTuple(b) && partsOf(a).length === partsOf(b).length) {
    const others = partsOf(b)
    return `Tuple(${partsOf(a)
      .map((part, at) => supertype([part, others[at]!]))
      .join(', ')})`
  }
  return a === b ? a : noSupertype(a, b)
}

/** Date, then Date32, then DateTime, then DateTime64 by its digits. */
const rankOfTime = (type: Type) => (hasTimeOfDay(type) ? 10 + digitsOf(type) : type === 'Date32' ? 1 : 0)

/** As in ClickHouse: Float32 holds integers of up to 16 bits, Float64 of up to 32, and no type those of 64. */
function commonNumber(a: NumericFormat, b: NumericFormat): Type | undefined {
  const max = Math.max(a.bits, b.bits)
  if (a.kind === 'Float' || b.kind === 'Float') {
    const integer = a.kind === 'Float' ? b : a
    if (integer.kind !== 'Float' && integer.bits === 64) return undefined
    return max === 64 || (integer.kind !== 'Float' && integer.bits > 16) ? 'Float64' : 'Float32'
  }
  if (a.kind === b.kind) return integerType(a.kind === 'Int', max)
  const [unsigned, signed] = a.kind === 'UInt' ? [a, b] : [b, a]
  if (unsigned.bits === 64) return undefined
  return integerType(true, Math.max(signed.bits, unsigned.bits * 2))
}

function noSupertype(a: Type, b: Type): never {
  const raw = `There is no supertype for types ${a}, ${b} because some of them are String/FixedString/Enum and some of them are not`
  throw new InvalidQuery(`Expected values of one type, but these are ${a} and ${b}`, 0, raw, 'NO_COMMON_TYPE')
}

export const defaultOf = (type: Type) => {
  if (isNullable(type)) return null
  if (isText(type)) return ''
  return isList(type) || isTuple(type) ? [] : isMap(type) ? {} : 0
}
