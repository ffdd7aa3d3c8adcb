import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import { type Compiled, constantOf, type Scalar } from '../compiled.ts'
import { bareOf, defaultOf, isFloat, isNumeric, isTime, nullable, type Type, widthOf } from '../types.ts'
import { order } from './compare-functions.ts'
import { isTrue } from './lambda-functions.ts'

/** The aggregate of one group. */
export interface Accumulator {
  add(row: number): void
  /** Undefined without values. */
  result(): Scalar | undefined
}

/** An aggregate, which every group computes anew. */
export interface Aggregate {
  readonly type: Type
  create(): Accumulator
}

/** Reads the value of a row; NULL is skipped. */
type Read = (row: number) => Scalar

interface Prepared {
  /** The parameters in brackets before the arguments. */
  readonly params: readonly number[]
  /** The arguments after the first one. */
  readonly others: readonly Compiled[]
  readonly budget: Budget
}

interface Definition {
  /** The type of the result by that of the first argument. */
  readonly typeOf: (type: Type) => Type
  readonly create: (read: Read, prepared: Prepared) => Accumulator
  readonly takes?: (type: Type) => boolean
  /** Number of arguments, if not one. */
  readonly size?: number
}

const same = (type: Type) => type
const always = (type: Type) => () => type
const counted = always('UInt64')
const listOf = (type: Type) => `Array(${type})`
const sumType = (type: Type) => (isFloat(type) ? 'Float64' : `${widthOf(type)?.kind}64`)

const takesNumbers = { takes: isNumeric }
const takesTimes = { takes: (type: Type) => isNumeric(type) || isTime(type) }

const count: Definition['create'] = read => {
  let total = 0
  return { add: row => void (read(row) !== null && total++), result: () => total }
}

const countAll = (): Accumulator => {
  let total = 0
  return { add: () => void total++, result: () => total }
}

const sum: Definition['create'] = read => {
  let total: number | undefined
  const add = (row: number) => {
    const next = read(row)
    if (next !== null) total = total === undefined ? (next as number) : total + (next as number)
  }
  return { add, result: () => total }
}

/** Of no values, the result is NaN. */
const average: Definition['create'] = read => {
  let total = 0
  let values = 0
  const add = (row: number) => {
    const next = read(row)
    if (next === null) return
    total += next as number
    values++
  }
  return { add, result: () => total / values }
}

/** Standard deviation or variance, of the values themselves (0) or as a sample of more (1). */
const spread =
  (missing: 0 | 1, finish: (variance: number) => number): Definition['create'] =>
  read => {
    const numbers = collect(read)
    const result = () => {
      const { length } = numbers.all
      const mean = numbers.all.reduce((total, next) => total + next, 0) / length
      return finish(numbers.all.reduce((total, next) => total + (next - mean) ** 2, 0) / (length - missing))
    }
    return { add: numbers.add, result }
  }

/** The values of a group that are neither NULL nor NaN. */
function collect(read: Read) {
  const all: number[] = []
  const add = (row: number) => {
    const next = read(row) as number | null
    if (next !== null && !Number.isNaN(next)) all.push(next)
  }
  return { all, add }
}

type Choose = (sorted: Float64Array, level: number) => number

const atLevel =
  (choose: Choose): Definition['create'] =>
  (read, { params: [level = 0.5] }) => {
    const { all, add } = collect(read)
    return { add, result: () => (all.length === 0 ? undefined : choose(Float64Array.from(all).sort(), level)) }
  }

const atLevels: Definition['create'] = (read, { params }) => {
  const { all, add } = collect(read)
  const result = () => {
    const sorted = Float64Array.from(all).sort()
    return params.map(level => interpolate(sorted, level))
  }
  return { add, result }
}

/** Interpolates linearly between the two nearest ranks. */
const interpolate: Choose = (sorted, level) => {
  const rank = level * (sorted.length - 1)
  const below = Math.floor(rank)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! * (below + 1 - rank) + sorted[above]! * (rank - below)
}
const exact: Choose = (sorted, level) => sorted[Math.min(Math.floor(level * sorted.length), sorted.length - 1)]!
/** As the digest of so few values that it keeps each of them. */
const digest: Choose = (sorted, level) => sorted[Math.max(Math.ceil(level * sorted.length) - 1, 0)]!

/** The first argument of the row whose last argument is the greatest or the least; NaN is ignored. */
const best =
  (sign: number): Definition['create'] =>
  (read, { others: [key] }) => {
    let found: Scalar | undefined
    let foundKey: Scalar | undefined
    const add = (row: number) => {
      const next = read(row)
      const nextKey = key ? key.at(row) : next
      if (next === null || nextKey === null) return
      if (foundKey !== undefined && !Number.isNaN(foundKey)) {
        if (Number.isNaN(nextKey) || order(nextKey, foundKey) * sign <= 0) return
      }
      found = next
      foundKey = nextKey
    }
    return { add, result: () => found }
  }

const first: Definition['create'] = (read, { budget }) => {
  let found: Scalar = null
  const add = (row: number) => {
    if (found !== null) return
    found = read(row)
    budget.chargeMemory(found)
  }
  return { add, result: () => found ?? undefined }
}

const last: Definition['create'] = read => {
  let found: Scalar | undefined
  const add = (row: number) => {
    found = read(row) ?? found
  }
  return { add, result: () => found }
}

/** A list of at most as many values as the parameter says. */
const list: Definition['create'] = (read, { budget, params: [max = Number.POSITIVE_INFINITY] }) => {
  const all: Scalar[] = []
  const add = (row: number) => {
    const next = all.length < max ? read(row) : null
    if (next === null) return
    budget.chargeMemory(typeof next === 'string' ? next : [next])
    all.push(next)
  }
  return { add, result: () => all }
}

/** Reads each value once; later rows with the same value have NULL. */
function readDistinct({ at, column }: Compiled, budget: Budget): Read {
  const seen = new Set<Scalar>()
  return row => {
    const value = at(row)
    if (value === null) return null
    const key = typeof value === 'object' ? JSON.stringify(value) : value
    if (seen.has(key)) return null
    // The results of an expression over one text column are in memory anyway, once per distinct text.
    if (!column) budget.chargeMemory(key)
    seen.add(key)
    return value
  }
}

const firstOf: Definition = { typeOf: same, create: first }
const lastOf: Definition = { typeOf: same, create: last }
const countOf: Definition = { typeOf: counted, create: count }
const quantile: Definition = {
  typeOf: type => (isTime(type) ? type : 'Float64'),
  create: atLevel(interpolate),
  ...takesTimes,
}
const quantileExact: Definition = { typeOf: same, create: atLevel(exact), ...takesTimes }
const spreadOf = (...args: Parameters<typeof spread>): Definition => ({
  typeOf: always('Float64'),
  create: spread(...args),
  ...takesNumbers,
})
const itself = (variance: number) => variance

const definitions: Readonly<Record<string, Definition>> = {
  count: countOf,
  sum: { typeOf: sumType, create: sum, ...takesNumbers },
  avg: { typeOf: always('Float64'), create: average, ...takesNumbers },
  min: { typeOf: same, create: best(-1) },
  max: { typeOf: same, create: best(1) },
  any: firstOf,
  any_value: firstOf,
  first_value: firstOf,
  anyLast: lastOf,
  last_value: lastOf,
  argMin: { typeOf: same, create: best(-1), size: 2 },
  argMax: { typeOf: same, create: best(1), size: 2 },
  quantile,
  median: quantile,
  quantileExact,
  medianExact: quantileExact,
  quantileTDigest: { typeOf: type => (isTime(type) ? type : 'Float32'), create: atLevel(digest), ...takesTimes },
  quantiles: { typeOf: always('Array(Float64)'), create: atLevels, ...takesNumbers },
  stddevPop: spreadOf(0, Math.sqrt),
  stddevSamp: spreadOf(1, Math.sqrt),
  varPop: spreadOf(0, itself),
  varSamp: spreadOf(1, itself),
  groupArray: { typeOf: listOf, create: list },
}

/** Counts of distinct values, also those that the database estimates, which are exact for as few rows as a mock has. */
const distinctCounts = /^uniq(?:Exact|Combined(?:64)?|HLL12|Theta)?$/

/** Aggregates that the database has, and this engine does not. */
const others =
  /^(?:sumMap|avgWeighted|quantiles[A-Z]\w*|quantile[A-Z]\w*|topK\w*|corr|covar\w+|group[BC]it\w+|entropy|skew\w+|kurt\w+|sumWithOverflow|sumKahan|simpleLinearRegression|(?:sum|avg|min|max|any|count|uniq|quantile)(?:Or(?:Null|Default)|State|Merge|ForEach|Map))$/

/** The definition of a name such as `countIf` or `sumDistinct`. */
function find(name: string) {
  const [, bare = '', distinct, condition] = /^(.+?)(Distinct)?(If)?$/.exec(name) ?? []
  const inner = distinctCounts.test(bare) ? 'count' : bare === 'groupUniqArray' ? 'groupArray' : bare
  const known = [inner, inner.toLowerCase()].find(one => Object.hasOwn(definitions, one))
  if (known === undefined) return undefined
  return {
    definition: definitions[known]!,
    isDistinct: distinct !== undefined || inner !== bare,
    hasCondition: condition !== undefined,
  }
}

export const isAggregate = (name: string): boolean => find(name) !== undefined || others.test(name)

/** Prepares an aggregate for its parameters and compiled arguments. Throws where the database would. */
export function prepareAggregate(
  name: string,
  args: readonly Compiled[],
  budget: Budget,
  params: readonly number[] = [],
): Aggregate {
  const found = find(name)
  const takesLevel = /^(?:quantile|median)/.test(name)
  if (!found || (params.length > 0 && !takesLevel && found.definition.create !== list))
    throw new InvalidQuery(`Expected an aggregate that the embedded engine has, but it has no such "${name}"`)
  const { definition, isDistinct, hasCondition } = found
  const condition = hasCondition ? args.at(-1) : undefined
  const values = condition ? args.slice(0, -1) : args
  const isCount = definition === countOf
  const takesSeveral = isCount && isDistinct
  const { size = 1 } = definition
  if (values.length !== size && !(takesSeveral ? values.length > 0 : isCount && values.length === 0)) {
    const raw = `Aggregate function ${name} requires ${size === 1 ? 'single argument' : `${size} arguments`}`
    throw new InvalidQuery(`Expected ${size} arguments of ${name}`, 0, raw, 'NUMBER_OF_ARGUMENTS_DOESNT_MATCH')
  }
  if (takesLevel && !params.every(level => level >= 0 && level <= 1))
    throw new InvalidQuery(`Expected a level from 0 to 1 of ${name}`)
  const value = takesSeveral && values.length > 1 ? tupleOf(values) : (values[0] ?? constantOf('UInt8', 1))
  if (definition.takes && !definition.takes(value.type)) {
    const raw = `Illegal type ${value.type} of argument for aggregate function ${name}`
    throw new InvalidQuery(
      `Expected a number for ${name}, but this is a ${value.type}`,
      0,
      raw,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  }
  const inner = bareOf(value.type)
  const own = definition.typeOf(inner)
  const type = inner === value.type || isCount ? own : nullable(own)
  const prepared = { params, others: values.slice(1), budget }
  const isEmptyNaN = own.startsWith('Float') && (takesLevel || definition.create === average)
  const empty = isEmptyNaN && type === own ? Number.NaN : defaultOf(type)
  const isPlainCount = isCount && values.length === 0 && !condition
  return {
    type,
    create() {
      if (isPlainCount) return countAll()
      const readValue = isDistinct ? readDistinct(value, budget) : value.at
      const read: Read = condition ? row => (isTrue(condition.at(row)) ? readValue(row) : null) : readValue
      const { add, result } = definition.create(read, prepared)
      return { add, result: () => result() ?? empty }
    },
  }
}

/** Several arguments as one value, which is NULL if one of them is. */
const tupleOf = (parts: readonly Compiled[]): Compiled => ({
  type: `Tuple(${parts.map(({ type }) => bareOf(type)).join(', ')})`,
  constant: false,
  at(row) {
    const values = parts.map(part => part.at(row))
    return values.includes(null) ? null : values
  },
})
