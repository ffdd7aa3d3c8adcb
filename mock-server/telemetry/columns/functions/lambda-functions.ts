import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { order } from './compare-functions.ts'
import { illegalType, type SqlFunction, truth } from './signature.ts'
import { checkLength } from './text-functions.ts'

export type List = readonly Scalar[]
export type Values = { readonly [key: string]: Scalar }

export const isTrue = (value: Scalar) => value !== null && value !== 0
export const withoutNulls = (list: List) => list.filter(value => value !== null)
const asNumbers = (list: List) => list as readonly number[]
export const listOfItems = (item: Type) => `Array(${item})`

/**
 * A higher-order function: `run` receives the results of the lambda for each element of an array, or for each entry of
 * a map. Without a lambda it receives the elements.
 */
interface LambdaFunction<Collection = List> {
  /** The result type, from the type of the elements or of the map, and from that of the lambda's results. */
  readonly type: (item: Type, result: Type) => Type
  readonly run: (results: List, collection: Collection) => Scalar
  /** Whether the result of the lambda must be a condition. */
  readonly needsCondition?: boolean
}

const defineByCondition = (type: LambdaFunction['type'], run: LambdaFunction['run']): LambdaFunction => ({
  type,
  run,
  needsCondition: true,
})
const typeOfResult = (_: Type, result: Type) => result
const typeOfItem = (item: Type) => item

/** The type of a sum, which has 64 bits. */
function sumType(_: Type, result: Type): Type {
  const width = types.widthOf(result)
  if (!width)
    throw new InvalidQuery(
      `Expected numbers to add up, but these are ${result}`,
      0,
      `array aggregation function cannot be performed on type ${result}`,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  return width.kind === 'Float' ? 'Float64' : `${width.kind}64`
}

/** Sorts a list by the results of the lambda; NULL sorts last. */
const sortBy = (results: List, list: List, sign: number): List =>
  list
    .map((value, at) => ({ value, key: results[at]! }))
    .sort((a, b) =>
      a.key === null || b.key === null ? Number(a.key === null) - Number(b.key === null) : sign * order(a.key, b.key),
    )
    .map(({ value }) => value)

const sum = (list: List) => asNumbers(withoutNulls(list)).reduce((total, value) => total + value, 0)

const defineExtreme = (sign: number): LambdaFunction => ({
  type: typeOfResult,
  run: results =>
    withoutNulls(results).reduce<Scalar>(
      (best, value) => (best === null || sign * order(value, best) > 0 ? value : best),
      null,
    ) ?? 0,
})

const defineFind = (isLast: boolean, yieldsIndex: boolean, type: LambdaFunction['type']): LambdaFunction =>
  defineByCondition(type, (results, list) => {
    const at = isLast ? results.findLastIndex(isTrue) : results.findIndex(isTrue)
    if (yieldsIndex) return at + 1
    return at < 0 ? null : list[at]!
  })

const arrayLambdaFunctions: Readonly<Record<string, LambdaFunction>> = {
  arrayMap: { type: (_, result) => `Array(${result})`, run: results => results },
  arrayFilter: defineByCondition(listOfItems, (results, list) => list.filter((_, at) => isTrue(results[at]!))),
  arrayExists: defineByCondition(
    () => 'UInt8',
    results => truth(results.some(isTrue)),
  ),
  arrayAll: defineByCondition(
    () => 'UInt8',
    results => truth(results.every(isTrue)),
  ),
  arrayCount: defineByCondition(
    () => 'UInt32',
    results => results.filter(isTrue).length,
  ),
  arrayFirst: defineFind(false, false, typeOfItem),
  arrayLast: defineFind(true, false, typeOfItem),
  arrayFirstIndex: defineFind(false, true, () => 'UInt32'),
  arrayLastIndex: defineFind(true, true, () => 'UInt32'),
  arraySum: { type: sumType, run: sum },
  arrayAvg: {
    type: (item, result) => sumType(item, result) && 'Float64',
    run: results => sum(results) / results.length,
  },
  arrayMin: defineExtreme(-1),
  arrayMax: defineExtreme(1),
  arraySort: { type: listOfItems, run: (results, list) => sortBy(results, list, 1) },
  arrayReverseSort: { type: listOfItems, run: (results, list) => sortBy(results, list, -1) },
  arrayCumSum: {
    type: (item, result) => `Array(${sumType(item, result)})`,
    run: results => {
      let total = 0
      return asNumbers(results).map(value => {
        total += value
        return total
      })
    },
  },
}

/** Higher-order functions of maps: the lambda takes key and value. */
const mapLambdaFunctions: Readonly<Record<string, LambdaFunction<Values>>> = {
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

export const takesLambda = (name: string) =>
  Object.hasOwn(arrayLambdaFunctions, name) || Object.hasOwn(mapLambdaFunctions, name)

const stepsPerItem = 8
/** Steps per element; sorting costs more. */
const stepsFor = (name: string) => (name.includes('Sort') ? 5 : 1) * stepsPerItem

/** The number of characters and elements of a value and all values in it. */
function sizeWithNested(value: Scalar): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + sizeWithNested(part), 1)
}

/** Compiles a call with a lambda, whose body reads its parameters from `current`: one element of each list at a time. */
export function compileLambdaCall(
  name: string,
  params: readonly string[],
  lists: readonly Compiled[],
  compileBody: (boundParams: ReadonlyMap<string, Compiled>) => Compiled,
  budget: Budget,
): Compiled {
  const isMap = Object.hasOwn(mapLambdaFunctions, name)
  if (!takesLambda(name)) throw new InvalidQuery(`Expected values for ${name}, but this is a lambda`)
  for (const { type } of lists) {
    if (isMap ? !types.isMap(type) : !types.isList(type))
      throw new InvalidQuery(
        `Expected ${isMap ? 'a map' : 'arrays'} after the lambda, but this is ${type}`,
        0,
        `Argument 2 of function {} must be Array. Found ${type} instead.`,
        'ILLEGAL_TYPE_OF_ARGUMENT',
      )
  }
  const items = isMap ? types.partsOf(lists[0]!.type) : lists.map(({ type }) => types.itemOf(type))
  if (items.length !== params.length || lists.length === 0)
    throw new InvalidQuery(
      `Expected a lambda with ${items.length} parameters, but it has ${params.length}`,
      0,
      `First argument for this overload of {} must be a function with ${items.length} arguments`,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  const current: Scalar[] = items.map(() => null)
  const boundParams = params.map(
    (param, at) => [param, { type: items[at]!, constant: false, at: () => current[at]! }] as const,
  )
  const body = compileBody(new Map(boundParams))
  const { type, run } = specialise(name, isMap ? lists[0]!.type : items[0]!, body.type)
  const at = (row: number) => {
    const values = lists.map(list => list.at(row))
    const columns = isMap
      ? [Object.keys(values[0] as object), Object.values(values[0] as object)]
      : (values as readonly List[])
    if (columns.some(({ length }) => length !== columns[0]!.length))
      throw new InvalidQuery('Expected arrays of the same size', 0, `Arrays passed to ${name} must have equal size`)
    budget.spend(columns[0]!.length * stepsFor(name))
    let size = 0
    const results = columns[0]!.map((_, index) => {
      for (const [param, column] of columns.entries()) current[param] = column[index]!
      const result = body.at(row)
      size += sizeWithNested(result)
      checkLength(size)
      return result
    })
    return run(results, isMap ? values[0]! : columns[0]!)
  }
  return { type, constant: false, at }
}

/** The result type and implementation for the type of the elements or of the map, and for that of the lambda's results. */
function specialise(name: string, item: Type, result: Type) {
  const lambdaFunction = (mapLambdaFunctions[name] ?? arrayLambdaFunctions[name]) as LambdaFunction<Scalar>
  if (lambdaFunction.needsCondition && !types.mayBeCondition(result))
    throw new InvalidQuery(
      `Expected a condition in ${name}, but this is ${result}`,
      0,
      `Expression for function ${name} must return UInt8 or Nullable(UInt8), found ${result}`,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  const type = lambdaFunction.type(item, result)
  const run = (results: List, collection: Scalar) => lambdaFunction.run(results, collection) ?? types.defaultOf(type)
  return { type, run }
}

/** Functions of arrays, called without a lambda. */
export const functionsWithoutLambda = Object.fromEntries(
  Object.keys(arrayLambdaFunctions)
    .filter(name => !['arrayMap', 'arrayFilter'].includes(name))
    .map((name): [string, SqlFunction] => [
      name,
      (args, budget) => {
        const [list, ...more] = args
        if (!list || more.length > 0 || !types.isList(list.type)) throw illegalType(list?.type ?? '', 'Array')
        const { type, run } = specialise(name, types.itemOf(list.type), types.itemOf(list.type))
        const runCharged = (values: List) => {
          budget.spend(values.length * stepsFor(name))
          return run(values, values)
        }
        return { type, run: runCharged }
      },
    ]),
)
