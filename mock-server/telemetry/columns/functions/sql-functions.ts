import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Compiled, Evaluate, Scalar } from '../compiled.ts'
import {
  bareOf,
  defaultOf,
  isList,
  isNullable,
  isText,
  itemOf,
  mayBeCondition,
  nullable,
  supertype,
  type Type,
} from '../types.ts'
import { addressFunctions } from './address-functions.ts'
import { arrayFunctions } from './array-functions.ts'
import { compareFunctions } from './compare-functions.ts'
import { conversions } from './conversions.ts'
import { jsonFunctions } from './json-functions.ts'
import { isTrue } from './lambda-functions.ts'
import { numberFunctions } from './number-functions.ts'
import { patternFunctions } from './pattern-functions.ts'
import { defineFunction, runOf, type SqlFunction, truth } from './signature.ts'
import { bytesIn, textFunctions } from './text-functions.ts'
import { timeFunctions } from './time-functions.ts'

/** Defines AND or OR, which evaluate conditions until one decides the result. */
const defineLogical =
  (make: (parts: readonly Evaluate[]) => Evaluate): SqlFunction =>
  args => {
    if (args.length < 2) throw new InvalidQuery('Expected two conditions or more')
    return { type: typeOfConditions(args), make }
  }

/** The result type of a logical function. Throws if an argument cannot be a condition. */
function typeOfConditions(args: readonly Compiled[]): Type {
  const mismatch = args.find(arg => !mayBeCondition(arg.type))
  if (mismatch)
    throw new InvalidQuery(
      `Expected a condition, but this is ${mismatch.type}`,
      0,
      `Illegal type (${bareOf(mismatch.type)}) of argument of function {}`,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  const type = args.some(arg => bareOf(arg.type) === 'Bool') ? 'Bool' : 'UInt8'
  return args.some(arg => isNullable(arg.type)) ? nullable(type) : type
}

/** The result is `decisive` if an argument has this truth, else NULL if an argument is NULL, else the opposite. */
const decideBy = (decisive: 0 | 1) => (parts: readonly Evaluate[]) => (key: number) => {
  let hasNull = false
  for (const part of parts) {
    const value = part(key)
    if (value === null) hasNull = true
    else if (truth(value !== 0) === decisive) return decisive
  }
  return hasNull ? null : 1 - decisive
}

/** The value of the first branch whose condition is true: `if`, `multiIf`. */
const chooseBranch: SqlFunction = args => {
  if (args.length < 3 || args.length % 2 === 0)
    throw new InvalidQuery(
      'Expected a value after each condition, and a last value for the case that none is true',
      0,
      "Number of arguments for function {} doesn't match: should be 3",
    )
  const isValue = (_: Compiled, at: number) => at % 2 === 1 || at === args.length - 1
  // Only checks the conditions: the type is that of the values.
  typeOfConditions(args.filter((arg, at) => !isValue(arg, at)))
  const make = (parts: readonly Evaluate[]) => (key: number) => {
    for (let at = 0; at + 1 < parts.length; at += 2) if (isTrue(parts[at]!(key))) return parts[at + 1]!(key)
    return parts.at(-1)!(key)
  }
  return { type: supertype(args.filter(isValue).map(arg => arg.type)), make }
}

/** coalesce, ifNull: the first value that is not NULL. Arguments after the first non-nullable one do not affect the type. */
const firstNonNull: SqlFunction = args => {
  if (args.length === 0) throw new InvalidQuery('Expected values')
  const firstNeverNull = args.findIndex(arg => !isNullable(arg.type))
  const candidates = firstNeverNull < 0 ? args : args.slice(0, firstNeverNull + 1)
  const type = supertype(candidates.map(arg => bareOf(arg.type)))
  const make = (parts: readonly Evaluate[]) => (key: number) => {
    for (const part of parts) {
      const value = part(key)
      if (value !== null) return value
    }
    return null
  }
  return { type: firstNeverNull < 0 ? nullable(type) : type, make }
}

/** nullIf: NULL if both arguments are equal. */
const nullIf: SqlFunction = (args, budget) => {
  const run = runOf(compareFunctions.equals!, args, budget)
  const value = (a: Scalar, b: Scalar) => (a !== null && b !== null && run(a, b) === 1 ? null : a)
  return { type: nullable(args[0]!.type), run: value, takesNull: true }
}

const sizeOf = (value: Scalar) => {
  if (typeof value === 'string') return bytesIn(value)
  return Array.isArray(value) ? value.length : Object.keys(value as object).length
}

/** Defines a function of one argument that is also called for NULL. In `type`, `$1` is the type of the argument without NULL. */
const defineNullAware =
  (type: Type, run: (value: Scalar, bareType: Type) => Scalar): SqlFunction =>
  ([arg, ...more]) => {
    if (!arg || more.length > 0) throw new InvalidQuery('Expected one argument')
    const bareType = bareOf(arg.type)
    return { type: type.replace('$1', bareType), run: (value: Scalar) => run(value, bareType), takesNull: true }
  }

/** transform: maps a value by two parallel arrays, of keys and of values. */
const transform: SqlFunction = ([value, keys, values, otherwise]) => {
  const isConstantList = (list: Compiled | undefined): list is Compiled => list?.constant === true && isList(list.type)
  if (!value || !isConstantList(keys) || !isConstantList(values))
    throw new InvalidQuery('Expected a value and two lists of constants')
  const type = supertype([itemOf(values.type), (otherwise ?? value).type])
  const list = values.at(0) as readonly Scalar[]
  const mapping = new Map((keys.at(0) as readonly Scalar[]).map((key, at) => [key, list[at]!]))
  const run = (from: Scalar, _keys: Scalar, _values: Scalar, fallback: Scalar = from) =>
    mapping.has(from) ? mapping.get(from)! : fallback
  return { type, run }
}

const reverse: SqlFunction = (args, budget) =>
  (args[0] && isText(args[0].type) ? textFunctions.reverseUTF8! : arrayFunctions.arrayReverse!)(args, budget)

export const sqlFunctions: Readonly<Record<string, SqlFunction>> = {
  ...compareFunctions,
  ...conversions,
  ...numberFunctions,
  ...timeFunctions,
  ...textFunctions,
  ...patternFunctions,
  ...addressFunctions,
  ...arrayFunctions,
  ...jsonFunctions,
  and: defineLogical(decideBy(0)),
  or: defineLogical(decideBy(1)),
  not: args => ({ type: bareOf(typeOfConditions(args)), run: (value: Scalar) => truth(value === 0) }),
  xor: args => ({
    type: bareOf(typeOfConditions(args)),
    run: (...values: Scalar[]) => truth(values.filter(isTrue).length % 2 === 1),
  }),
  nullIf,
  isNull: defineNullAware('UInt8', value => truth(value === null)),
  isNotNull: defineNullAware('UInt8', value => truth(value !== null)),
  assumeNotNull: defineNullAware('$1', (value, type) => value ?? defaultOf(type)),
  toNullable: defineNullAware('Nullable($1)', value => value),
  materialize: defineNullAware('$1', value => value),
  toLowCardinality: defineNullAware('$1', value => value),
  identity: defineNullAware('$1', value => value),
  throwIf: defineFunction('Truth, String? -> UInt8', (condition: Scalar, message?: string) => {
    if (isTrue(condition)) throw new InvalidQuery(message ?? 'Expected a condition of throwIf that is false')
    return 0
  }),
  if: chooseBranch,
  multiIf: chooseBranch,
  coalesce: firstNonNull,
  ifNull: firstNonNull,
  transform,
  reverse,
  length: defineFunction('Sized -> UInt64', sizeOf),
  empty: defineFunction('Sized -> UInt8', value => truth(sizeOf(value) === 0)),
  notEmpty: defineFunction('Sized -> UInt8', value => truth(sizeOf(value) > 0)),
}

/** The function of each alias. An alias whose letter case the database ignores is written in lower case. */
export const aliases: Readonly<Record<string, string>> = {
  ...{ trim: 'trimBoth', ltrim: 'trimLeft', rtrim: 'trimRight', lcase: 'lower', ucase: 'upper', replace: 'replaceAll' },
  ...{ substr: 'substring', mid: 'substring', concat_ws: 'concatWithSeparator', regexp_replace: 'replaceRegexpAll' },
  ...{ char_length: 'lengthUTF8', character_length: 'lengthUTF8', lpad: 'leftPad', rpad: 'rightPad' },
  ...{ ceiling: 'ceil', truncate: 'trunc', ln: 'log', power: 'pow', mod: 'modulo', ifnull: 'ifNull', nullif: 'nullIf' },
  ...{ datediff: 'dateDiff', date_diff: 'dateDiff', timestampdiff: 'dateDiff', timestamp_diff: 'dateDiff' },
  ...{ date_trunc: 'dateTrunc', datetrunc: 'dateTrunc', date_format: 'formatDateTime', date: 'toDate' },
  ...{ year: 'toYear', quarter: 'toQuarter', month: 'toMonth', day: 'toDayOfMonth', dayofmonth: 'toDayOfMonth' },
  ...{ dayofweek: 'toDayOfWeek', dayofyear: 'toDayOfYear', hour: 'toHour', minute: 'toMinute', second: 'toSecond' },
  ...{ from_unixtime: 'fromUnixTimestamp', to_unixtime: 'toUnixTimestamp', multiif: 'multiIf', cast: 'CAST' },
  ...{ tostring: 'toString', base64_encode: 'base64Encode', to_base64: 'base64Encode', from_base64: 'base64Decode' },
  mapContains: 'mapContainsKey',
  toStartOfFiveMinute: 'toStartOfFiveMinutes',
  flatten: 'arrayFlatten',
  splitByAlpha: 'alphaTokens',
}
