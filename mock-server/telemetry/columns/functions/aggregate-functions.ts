import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import { bareOf, defaultOf, isFloat, isNumeric, isTime, nullable, type Type, widthOf } from '../types.ts'
import { order } from './compare-functions.ts'
import { isTrue } from './lambda-functions.ts'
import { illegalType } from './signature.ts'

/** An aggregate of rows: the type of its result, and the result. */
interface Aggregate {
  readonly type: Type
  of(rows: readonly number[]): Scalar
}

type Fold = (values: readonly Scalar[], level: number, others: readonly Scalar[]) => Scalar

/** The type of the result by that of the first argument, and the result for the values that are not NULL. */
interface Definition {
  readonly typeOf: (type: Type) => Type
  readonly fold: Fold
  readonly takes?: (type: Type) => boolean
  /** Number of arguments, if not one. */
  readonly size?: number
}

const same = (type: Type) => type
const always = (type: Type) => () => type
const sumOf = (values: readonly Scalar[]) => (values as readonly number[]).reduce((sum, value) => sum + value, 0)
const best = (values: readonly Scalar[], sign: number) =>
  values.reduce((found, value) => (order(value, found) * sign > 0 ? value : found))
const distinct = (values: readonly Scalar[]) => [
  ...new Map(values.map(value => [JSON.stringify(value), value])).values(),
]
const sumType = (type: Type) => (isFloat(type) ? 'Float64' : `${widthOf(type)?.kind}64`)

/** Interpolates between the two nearest values. */
function quantile(values: readonly Scalar[], level: number): number {
  const sorted = (values as readonly number[]).toSorted((a, b) => a - b)
  const rank = level * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  return below === undefined ? Number.NaN : below + (above! - below) * (rank % 1)
}

/** The first argument of the row whose second one is the greatest, or the least. */
const argBest =
  (sign: number): Fold =>
  (values, _, keys) =>
    values[keys.indexOf(best(keys, sign))]!

const takesNumbers = { takes: isNumeric }
const counted = always('UInt64')
const count: Definition = { typeOf: counted, fold: values => values.length }
const uniq: Definition = { typeOf: counted, fold: values => distinct(values).length }
const max: Definition = { typeOf: same, fold: values => best(values, 1) }
const first: Definition = { typeOf: same, fold: values => values[0]! }
const last: Definition = { typeOf: same, fold: values => values.at(-1)! }
const level: Definition = {
  typeOf: type => (isTime(type) ? type : 'Float64'),
  fold: quantile,
  takes: type => isNumeric(type) || isTime(type),
}

const definitions: Readonly<Record<string, Definition>> = {
  count,
  sum: { typeOf: sumType, fold: sumOf, ...takesNumbers },
  avg: { typeOf: always('Float64'), fold: values => sumOf(values) / values.length, ...takesNumbers },
  min: { typeOf: same, fold: values => best(values, -1) },
  max,
  any: first,
  first_value: first,
  anyLast: last,
  last_value: last,
  argMin: { typeOf: same, fold: argBest(-1), size: 2 },
  argMax: { typeOf: same, fold: argBest(1), size: 2 },
  uniq,
  uniqExact: uniq,
  uniqCombined: uniq,
  uniqHLL12: uniq,
  quantile: level,
  median: level,
  groupArray: { typeOf: type => `Array(${type})`, fold: values => values },
  groupUniqArray: { typeOf: type => `Array(${type})`, fold: distinct },
}

/** Aggregates that the database has, and this engine does not. */
const others =
  /^(?:sumMap|avgWeighted|quantiles|quantiles?(?:Exact|TDigest)|medianExact|topK|stddev(?:Pop|Samp)|var(?:Pop|Samp)|corr|sumOr(?:Null|Default))$/i

/** The definition of a name such as `countIf` or `sumDistinct`. */
function find(name: string) {
  const [, bare = '', suffix = ''] = /^(.+?)(If|Distinct)?$/.exec(name) ?? []
  const known = [bare, bare.toLowerCase()].find(one => Object.hasOwn(definitions, one))
  return known === undefined ? undefined : { definition: definitions[known]!, suffix }
}

export const isAggregate = (name: string): boolean => find(name) !== undefined || others.test(name)

/** Prepares an aggregate for its compiled arguments. Throws where the database would. */
export function prepareAggregate(name: string, args: readonly Compiled[], parameter?: number): Aggregate {
  const found = find(name)
  if (!found || (parameter !== undefined && found.definition !== level))
    throw new InvalidQuery(`Expected an aggregate that the embedded engine has, but it has no such "${name}"`)
  const { definition, suffix } = found
  const condition = suffix === 'If' ? args.at(-1) : undefined
  const values = condition ? args.slice(0, -1) : args
  const takesSeveral = definition === uniq || (definition === count && suffix === 'Distinct')
  const { size = 1 } = definition
  if (values.length !== size && !(takesSeveral ? values.length > 0 : definition === count && values.length === 0))
    throw new InvalidQuery(`Expected ${size} arguments of ${name}`, 0, undefined, 'NUMBER_OF_ARGUMENTS_DOESNT_MATCH')
  const quantileLevel = parameter ?? 0.5
  if (!(quantileLevel >= 0 && quantileLevel <= 1)) throw new InvalidQuery(`Expected a level from 0 to 1 of ${name}`)
  const value = takesSeveral && values.length > 1 ? tupleOf(values) : values[0]
  const key = size > 1 ? values[1] : undefined
  if (value && definition.takes && !definition.takes(value.type)) throw illegalType(value.type, 'Number')
  const inner = value ? bareOf(value.type) : 'UInt8'
  const type = definition.typeOf(inner)
  const isEmptyNull = value !== undefined && value.type !== inner && definition.typeOf !== counted
  return {
    type: isEmptyNull ? nullable(type) : type,
    of(rows) {
      const chosen = rows.filter(row => (!condition || isTrue(condition.at(row))) && (!value || value.at(row) !== null))
      if (chosen.length === 0 && isEmptyNull) return defaultOf(nullable(type))
      if (chosen.length === 0 && (definition.typeOf === same || isTime(type))) return defaultOf(type)
      const all = value ? chosen.map(row => value.at(row)) : chosen
      const folded = suffix === 'Distinct' ? distinct(all) : all
      return definition.fold(folded, quantileLevel, key ? chosen.map(key.at) : [])
    },
  }
}

const tupleOf = (parts: readonly Compiled[]): Compiled => ({
  type: `Tuple(${parts.map(({ type }) => type).join(', ')})`,
  constant: false,
  at: row => parts.map(part => part.at(row)),
})
