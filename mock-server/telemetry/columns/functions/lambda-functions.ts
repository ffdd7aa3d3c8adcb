import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { order } from './compare-functions.ts'
import { illegal, type SqlFunction, truth } from './signature.ts'
import { refuseLong } from './text-functions.ts'

export type List = readonly Scalar[]
export type Values = { readonly [key: string]: Scalar }

export const isTrue = (value: Scalar) => value !== null && value !== 0
export const known = (list: List) => list.filter(value => value !== null)
const numbersIn = (list: List) => list as readonly number[]
export const listOfItems = (item: Type) => `Array(${item})`

/**
 * A higher-order function: `run` receives the results of the lambda for each element of an array, or for each entry of
 * a map. Without a lambda it receives the elements.
 */
interface OfResults<Whole = List> {
  /** The result type, from the type of the elements or of the map, and from that of the lambda's results. */
  readonly type: (item: Type, result: Type) => Type
  readonly run: (results: List, whole: Whole) => Scalar
  /** The lambda must return a boolean. */
  readonly isCondition?: boolean
}

const condition = (type: OfResults['type'], run: OfResults['run']): OfResults => ({ type, run, isCondition: true })
const ofResult = (_: Type, result: Type) => result
const ofItem = (item: Type) => item

/** Sums have 64 bits. */
function sumType(_: Type, result: Type): Type {
  const width = types.widthOf(result)
  if (!width)
    throw new InvalidQuery(
      `Expected numbers to add up, but these are ${result}`,
      0,
      `array aggregation function cannot be performed on type ${result}`,
    )
  return width.kind === 'Float' ? 'Float64' : `${width.kind}64`
}

/** NULL sorts last. */
const sorted = (results: List, list: List, sign: number): List =>
  list
    .map((value, at) => ({ value, key: results[at]! }))
    .sort((a, b) =>
      a.key === null || b.key === null ? Number(a.key === null) - Number(b.key === null) : sign * order(a.key, b.key),
    )
    .map(({ value }) => value)

const sum = (list: List) => numbersIn(known(list)).reduce((so, value) => so + value, 0)

const best = (sign: number): OfResults => ({
  type: ofResult,
  run: results =>
    known(results).reduce<Scalar>((so, value) => (so === null || sign * order(value, so) > 0 ? value : so), null) ?? 0,
})

const found = (isLast: boolean, isPlace: boolean, type: OfResults['type']): OfResults =>
  condition(type, (results, list) => {
    const at = isLast ? results.findLastIndex(isTrue) : results.findIndex(isTrue)
    return isPlace ? at + 1 : at < 0 ? null : list[at]!
  })

const ofResults: Readonly<Record<string, OfResults>> = {
  arrayMap: { type: (_, result) => `Array(${result})`, run: results => results },
  arrayFilter: condition(listOfItems, (results, list) => list.filter((_, at) => isTrue(results[at]!))),
  arrayExists: condition(
    () => 'UInt8',
    results => truth(results.some(isTrue)),
  ),
  arrayAll: condition(
    () => 'UInt8',
    results => truth(results.every(isTrue)),
  ),
  arrayCount: condition(
    () => 'UInt32',
    results => results.filter(isTrue).length,
  ),
  arrayFirst: found(false, false, ofItem),
  arrayLast: found(true, false, ofItem),
  arrayFirstIndex: found(false, true, () => 'UInt32'),
  arrayLastIndex: found(true, true, () => 'UInt32'),
  arraySum: { type: sumType, run: sum },
  arrayAvg: { type: (...both) => sumType(...both) && 'Float64', run: results => sum(results) / results.length },
  arrayMin: best(-1),
  arrayMax: best(1),
  arraySort: { type: listOfItems, run: (results, list) => sorted(results, list, 1) },
  arrayReverseSort: { type: listOfItems, run: (results, list) => sorted(results, list, -1) },
  arrayCumSum: {
    type: (...both) => `Array(${sumType(...both)})`,
    run: results => {
      let so = 0
      return numbersIn(results).map(value => {
        so += value
        return so
      })
    },
  },
}

/** Higher-order functions of maps: the lambda takes key and value. */
const ofEntries: Readonly<Record<string, OfResults<Values>>> = {
  mapFilter: {
    type: map => map,
    run: (results, map) => Object.fromEntries(Object.entries(map).filter((_, at) => isTrue(results[at]!))),
  },
  mapApply: {
    type: (_, result) => `Map(${types.partsOf(result).join(', ')})`,
    run: results => Object.fromEntries(results as readonly [string, Scalar][]),
  },
  mapExists: { type: () => 'UInt8', run: results => truth(results.some(isTrue)) },
  mapAll: { type: () => 'UInt8', run: results => truth(results.every(isTrue)) },
}

export const takesLambda = (name: string) => Object.hasOwn(ofResults, name) || Object.hasOwn(ofEntries, name)

const stepsPerItem = 8
/** Sorting costs more steps. */
const stepsFor = (name: string) => (name.includes('Sort') ? 5 : 1) * stepsPerItem

/** The size of a value with all nested values, in characters and elements. */
function weightOf(value: Scalar): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + weightOf(part), 1)
}

/** Compiles a call with a lambda, whose body is evaluated for each element with the parameters bound to it. */
export function compileLambdaCall(
  name: string,
  params: readonly string[],
  lists: readonly Compiled[],
  bodyOf: (bound: ReadonlyMap<string, Compiled>) => Compiled,
  budget: Budget,
): Compiled {
  const isMap = Object.hasOwn(ofEntries, name)
  if (!isMap && !Object.hasOwn(ofResults, name))
    throw new InvalidQuery(`Expected values for ${name}, but this is a lambda`)
  for (const { type } of lists) {
    if (isMap ? !types.isMap(type) : !types.isList(type))
      throw new InvalidQuery(
        `Expected ${isMap ? 'a map' : 'arrays'} after the lambda, but this is ${type}`,
        0,
        `Argument 2 of function {} must be Array. Found ${type} instead.`,
      )
  }
  const items = isMap ? types.partsOf(lists[0]!.type) : lists.map(({ type }) => types.itemOf(type))
  if (items.length !== params.length || lists.length === 0)
    throw new InvalidQuery(
      `Expected a lambda with ${items.length} parameters, but it has ${params.length}`,
      0,
      `First argument for this overload of {} must be a function with ${items.length} arguments`,
    )
  const now: Scalar[] = items.map(() => null)
  const bound = params.map((param, at) => [param, { type: items[at]!, constant: false, at: () => now[at]! }] as const)
  const body = bodyOf(new Map(bound))
  const { type, run } = decide(name, isMap ? lists[0]!.type : items[0]!, body.type)
  const at = (row: number) => {
    const values = lists.map(list => list.at(row))
    const rows = isMap
      ? [Object.keys(values[0] as object), Object.values(values[0] as object)]
      : (values as readonly List[])
    if (rows.some(({ length }) => length !== rows[0]!.length))
      throw new InvalidQuery('Expected arrays of the same size', 0, `Arrays passed to ${name} must have equal size`)
    budget.spend(rows[0]!.length * stepsFor(name))
    let size = 0
    const results = rows[0]!.map((_, place) => {
      for (const [param, row] of rows.entries()) now[param] = row[place]!
      const result = body.at(row)
      size += weightOf(result)
      refuseLong(size)
      return result
    })
    return run(results, isMap ? values[0]! : rows[0]!)
  }
  return { type, constant: false, at }
}

/** The result type and the implementation, from the type of the elements or of the map and that of the lambda's results. */
function decide(name: string, item: Type, result: Type) {
  const { type: typeOf, run, isCondition } = (ofEntries[name] ?? ofResults[name]) as OfResults<Scalar>
  if (isCondition && !types.isTruth(result))
    throw new InvalidQuery(
      `Expected a condition in ${name}, but this is ${result}`,
      0,
      `Expression for function ${name} must return UInt8 or Nullable(UInt8), found ${result}`,
    )
  const type = typeOf(item, result)
  return { type, run: (results: List, whole: Scalar) => run(results, whole) ?? types.defaultOf(type) }
}

/** The same functions, called without a lambda. */
export const withoutLambda = Object.fromEntries(
  Object.keys(ofResults)
    .filter(name => !['arrayMap', 'arrayFilter'].includes(name))
    .map((name): [string, SqlFunction] => [
      name,
      (args, budget) => {
        const [list, ...more] = args
        if (!list || more.length > 0 || !types.isList(list.type)) throw illegal(list?.type ?? '', 'Array')
        const { type, run } = decide(name, types.itemOf(list.type), types.itemOf(list.type))
        const counted = (values: List) => {
          budget.spend(values.length * stepsFor(name))
          return run(values, values)
        }
        return { type, run: counted }
      },
    ]),
)
