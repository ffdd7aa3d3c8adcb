import { day, second } from '../../../words/durations.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { readFloat, readInteger, readTime, writeTime } from './database-text.ts'
import { clampTime, offsetOf, utcOf } from './zones.ts'

type Convert = (value: Scalar) => Scalar | undefined

/** Creates a function that formats the values of a type as the database does. */
export function createWriter(type: Type, budget: Budget): (value: Scalar) => string {
  const write = createPlainWriter(type, budget)
  return value => (value === null ? 'NULL' : write(value as never))
}

function createPlainWriter(type: Type, budget: Budget): (value: never) => string {
  const bare = types.bareOf(type)
  if (types.isList(bare)) {
    const writeItem = createNestedWriter(types.itemOf(bare), budget)
    return (list: readonly Scalar[]) => `[${list.map(writeItem).join(',')}]`
  }
  if (types.isTuple(bare)) {
    const writers = types.partsOf(bare).map(part => createNestedWriter(part, budget))
    return (list: readonly Scalar[]) => `(${list.map((value, at) => writers[at]!(value)).join(',')})`
  }
  if (types.isMap(bare)) {
    const [writeKey, writeItem] = types.partsOf(bare).map(part => createNestedWriter(part, budget))
    return (map: object) =>
      `{${Object.entries(map)
        .map(([name, value]) => `${writeKey!(name)}:${writeItem!(value)}`)
        .join(',')}}`
  }
  if (bare === 'Bool') return (value: number) => (value === 0 ? 'false' : 'true')
  if (!types.isTime(bare))
    return (value: Scalar) => (types.isFloat(bare) ? writeNumber(value as number) : String(value))
  const offset = offsetOf(types.zoneOf(bare), budget)
  if (!types.hasTimeOfDay(bare)) return (value: number) => writeTime(value, 0).slice(0, 10)
  const digits = types.digitsOf(bare)
  return (value: number) => writeTime(value + offset(value), digits)
}

const escapes: Readonly<Record<string, string>> = { '\n': 'n', '\t': 't', '\r': 'r', '\b': 'b', '\f': 'f', '\0': '0' }
const escapeText = (text: string) =>
  text.replace(/[\\'\n\t\r\b\f\0]/g, character => `\\${escapes[character] ?? character}`)

/** Creates a function that formats the values in an array, tuple or map, where strings and times are quoted. */
function createNestedWriter(type: Type, budget: Budget): (value: Scalar) => string {
  const write = createWriter(type, budget)
  const isQuoted = types.isText(type) || types.isTime(type)
  return value => (isQuoted && value !== null ? `'${escapeText(write(value))}'` : write(value))
}

function writeNumber(value: number): string {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return String(value).replace('e+', 'e')
  return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf'
}

/** Converts a number to a number type. Integers wrap around at the limits of their width. */
function wrapInteger(value: number, to: Type): number {
  const { kind, bits } = types.widthOf(to)!
  if (kind === 'Float') return value
  if (!Number.isFinite(value))
    throw new InvalidQuery(
      `Expected a finite number for ${to}`,
      0,
      'Unexpected inf or nan to integer conversion',
      'CANNOT_CONVERT_TYPE',
    )
  const whole = Math.trunc(value)
  if (types.fitsInteger({ kind, bits }, whole)) return whole
  return Number((kind === 'Int' ? BigInt.asIntN : BigInt.asUintN)(bits, BigInt(whole)))
}

function createNumberConverter(from: Type, to: Type, isStrict: boolean): Convert {
  if (types.isTime(from)) {
    const unit = types.hasTimeOfDay(from) ? second : day
    return (value: Scalar) => wrapInteger((value as number) / unit, to)
  }
  if (!types.isText(from)) return (value: Scalar) => wrapInteger(value as number, to)
  const width = types.widthOf(to)!
  if (width.kind === 'Float') return text => readFloat(text as string)
  return text => {
    const number = readInteger(text as string, width.kind === 'Int')
    if (number === undefined) return undefined
    if (!isStrict) return wrapInteger(number, to)
    return types.fitsInteger(width, number) ? number : undefined
  }
}

const booleanWords = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map(word => [word, 1] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map(word => [word, 0] as const),
])

/** Parses seconds since 1970 as milliseconds. */
const readEpoch = (text: string) => (/^\d{9,10}(\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined)
/** The last time of a DateTime in epoch milliseconds. */
const lastDateTime = (2 ** 32 - 1) * 1000

function createTimeConverter(from: Type, to: Type, budget: Budget): Convert {
  const offset = offsetOf(types.zoneOf(types.hasTimeOfDay(to) ? to : from), budget)
  /** The milliseconds of the last fractional digit. Digits below a microsecond are not truncated. */
  const unit = 10 ** (3 - types.digitsOf(to))
  const truncate = (time: number) => (unit < 1 / 1000 ? time : Math.floor(time / unit) * unit)
  const isDate = !types.hasTimeOfDay(to)
  const clampTo = (time: number) =>
    to.startsWith('DateTime64') ? truncate(clampTime(time)) : Math.min(Math.max(truncate(time) || 0, 0), lastDateTime)
  if (types.isText(from)) {
    return text => {
      const local = readTime(text as string)
      const hasZone = /[Z+]|\d-\d\d:?\d\d$/i.test((text as string).slice(10))
      const epoch = local === undefined ? readEpoch(text as string) : undefined
      const time = epoch ?? (local !== undefined && !hasZone && !isDate ? utcOf(local, offset) : local)
      if (time === undefined) return undefined
      return isDate ? Math.max(0, Math.floor(time / day) * day) : truncate(time)
    }
  }
  if (types.isTime(from)) {
    if (isDate) return time => Math.floor(((time as number) + offset(time as number)) / day) * day
    return types.hasTimeOfDay(from) ? time => truncate(time as number) : time => utcOf(time as number, offset)
  }
  // A small number is a number of days, a larger one of seconds.
  if (isDate)
    return value => Math.floor(clampTime((value as number) * ((value as number) < 65_536 ? day : 1000)) / day) * day
  return value => clampTo((value as number) * 1000)
}

/**
 * Creates a function that converts values of one type to another. It returns undefined if a value cannot be converted: with
 * `isStrict` also for a text whose number is out of the range of the type.
 */
export function createConverter(from: Type, to: Type, budget: Budget, isStrict = false): Convert {
  const [source, target] = [types.bareOf(from), types.bareOf(to)]
  if (source === target || types.isNothing(source)) return value => value
  if (types.isText(target)) return createWriter(source, budget)
  if (types.isList(source) && types.isList(target)) {
    const convert = createConverter(types.itemOf(source), types.itemOf(target), budget, isStrict)
    return list => (list as readonly Scalar[]).map(item => convert(item) ?? null)
  }
  const isPlain = types.isText(source) || types.isNumeric(source) || types.isTime(source)
  if (isPlain && target === 'Bool')
    return types.isText(source)
      ? text => booleanWords.get((text as string).toLowerCase())
      : value => Number(value !== 0)
  if (isPlain && types.isNumeric(target)) return createNumberConverter(source, target, isStrict)
  if (isPlain && types.isTime(target)) return createTimeConverter(source, target, budget)
  if (types.isInterval(source) && types.isNumeric(target)) return value => wrapInteger(value as number, target)
  throw new InvalidQuery(
    `Expected a value that can become ${to}, but this is ${from}`,
    0,
    `Illegal type ${from} of argument of function {}`,
    'ILLEGAL_TYPE_OF_ARGUMENT',
  )
}

const knownTypes = /^(U?Int(8|16|32|64)|Float(32|64)|String|Bool|Date|DateTime|DateTime64|Nothing)$/
const typeAliases: ReadonlyMap<string, Type> = new Map(
  Object.entries({
    text: 'String',
    varchar: 'String',
    char: 'String',
    int: 'Int32',
    integer: 'Int32',
    bigint: 'Int64',
    smallint: 'Int16',
    tinyint: 'Int8',
    float: 'Float32',
    real: 'Float32',
    double: 'Float64',
    boolean: 'Bool',
    bool: 'Bool',
    date: 'Date',
    timestamp: 'DateTime',
    datetime: 'DateTime',
    datetime64: 'DateTime64',
  }),
)

/** Returns the database's name of a type that a user has written, perhaps as an alias. */
export function readType(text: string): Type {
  const [, name = '', , params = ''] = /^(\w+)(\s*\((.*)\))?$/s.exec(text.trim()) ?? []
  const known = knownTypes.test(name) ? name : typeAliases.get(name.toLowerCase())
  const parts = () => types.partsOf(`(${params})`).map(readType).join(', ')
  if (name === 'LowCardinality') return readType(params)
  if (name === 'Nullable') return types.nullable(readType(params))
  if (['Array', 'Map', 'Tuple'].includes(name) && params) return `${name}(${parts()})`
  if (known?.startsWith('DateTime') && params) return `${known}(${params})`
  if (known) return known === 'DateTime64' ? 'DateTime64(3)' : known
  throw new InvalidQuery(
    `Expected a type that values can be cast to, but this is "${text}"`,
    0,
    `Unknown data type family: ${name}`,
    'UNKNOWN_TYPE',
  )
}
