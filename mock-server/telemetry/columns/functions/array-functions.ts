import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { createConverter, createWriter } from './convert.ts'
import { functionsWithoutLambda, type List, listOfItems, type Values, withoutNulls } from './lambda-functions.ts'
import {
  checkArguments,
  defineFunction,
  definePrepared,
  type Implementation,
  illegalType,
  type SqlFunction,
  truth,
} from './signature.ts'
import { join, sliceOf } from './text-functions.ts'

const keyOf = (value: Scalar) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

const array: SqlFunction = args => {
  const type = `Array(${args.length === 0 ? 'Nothing' : types.supertype(args.map(arg => arg.type))})`
  return { type, run: (...values: Scalar[]) => values, takesNull: true }
}

/**
 * arrayElement: the element of an array at an index, which counts from 1, or backwards from -1; or the value of a key of a
 * map. If there is none, the default of the type.
 */
const arrayElement: SqlFunction = ([collection, at]) => {
  if (collection && types.isMap(collection.type) && at && types.isText(at.type)) {
    const type = types.itemOf(collection.type)
    return { type, run: (map: Values, key: string) => (Object.hasOwn(map, key) ? map[key]! : types.defaultOf(type)) }
  }
  if (!collection || !types.isList(collection.type) || !at || !types.isInteger(at.type)) {
    const raw = `Illegal types of arguments: ${collection?.type}, ${at?.type} for function arrayElement`
    throw new InvalidQuery('Expected a map and a key, or a list and a place', 0, raw, 'ILLEGAL_TYPE_OF_ARGUMENT')
  }
  const type = types.itemOf(collection.type)
  const missing = types.defaultOf(type)
  return {
    type,
    run: (list: List, index: number) => (index === 0 ? missing : (list.at(index > 0 ? index - 1 : index) ?? missing)),
  }
}

const tupleElement: SqlFunction = ([tuple, at]) => {
  const index = Number(at?.at(0))
  const type = tuple && types.isTuple(tuple.type) ? types.partsOf(tuple.type)[index - 1] : undefined
  if (!type)
    throw new InvalidQuery(
      `Expected a tuple with ${index} elements`,
      0,
      `Tuple doesn't have element with index '${index}'`,
      tuple && types.isTuple(tuple.type) ? undefined : 'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  return { type, run: (values: List) => values[index - 1]! }
}

/** Defines a function of arrays whose elements are converted to a common type first. */
const defineWithCommonType =
  (minArgs: 1 | 2, typeOf: (item: Type) => Type, run: (...lists: never[]) => Scalar): SqlFunction =>
  (args, budget) => {
    if (args.length < minArgs || args.some(({ type }) => !types.isList(type)))
      throw illegalType(args.find(({ type }) => !types.isList(type))?.type ?? '', 'Array')
    const item = types.supertype(args.map(({ type }) => types.itemOf(type)))
    const converters = args.map(({ type }) => createConverter(types.itemOf(type), item, budget))
    const convert = (list: List, at: number) => list.map(value => (value === null ? null : converters[at]!(value)!))
    return { type: typeOf(item), run: (...lists: List[]) => run(...(lists.map(convert) as never[])) }
  }

const defineHas = (quantifier: 'some' | 'every') =>
  defineWithCommonType(
    2,
    () => 'UInt8',
    (list: List, searched: List) => {
      const keys = keysOf(list)
      return truth(searched[quantifier](value => keys.has(keyOf(value))))
    },
  )

/** Defines a function of an array and a value. */
const defineWithItem =
  (type: Type | ((item: Type) => Type), run: (list: List, item: Scalar) => Scalar): SqlFunction =>
  ([list, item, ...more]) => {
    if (!list || !item || more.length > 0) throw new InvalidQuery('Expected a list and a value')
    if (!types.isList(list.type)) throw illegalType(list.type, 'Array')
    const common = types.supertype([types.itemOf(list.type), item.type])
    return { type: typeof type === 'string' ? type : type(common), run, takesNull: true } as Implementation
  }

/** Whether an array has a value, or a map a key. */
const has: SqlFunction = (args, budget) => {
  const [map, key, ...more] = args
  if (!map || !types.isMap(map.type) || !key || more.length > 0) return hasItem(args, budget)
  types.supertype(['String', key.type])
  return { type: 'UInt8', run: (values: Values, name: string) => truth(Object.hasOwn(values, name)) }
}
const hasItem = defineWithItem('UInt8', (list, item) => truth(indexOfItem(list, item) >= 0))

const keysOf = (list: List) => new Set(list.map(keyOf))
function indexOfItem(list: List, item: Scalar): number {
  const key = keyOf(item)
  return list.findIndex(value => keyOf(value) === key)
}
function countOf(list: List, item: Scalar): number {
  const key = keyOf(item)
  return list.filter(value => keyOf(value) === key).length
}

const maxRangeItems = 1_000_000

const range = definePrepared('Int, Int?, Int? -> Array($1)', budget => (first: number, second?: number, step = 1) => {
  const [from, to] = second === undefined ? [0, first] : [first, second]
  const size = Math.max(0, Math.ceil((to - from) / step))
  if (!(step > 0) || size > maxRangeItems)
    throw new InvalidQuery(`Expected a range of at most ${maxRangeItems} increasing numbers`)
  budget.spend(size)
  return Array.from({ length: size }, (_, at) => from + at * step)
})

const flatten = (list: List): List => list.flatMap(value => (Array.isArray(value) ? flatten(value) : [value]))
const distinct = (list: List) => [...new Map(withoutNulls(list).map(value => [keyOf(value), value])).values()]
const defineListFunction = (run: (list: List) => Scalar) => defineFunction('Array -> $1', run)

export const arrayFunctions: Readonly<Record<string, SqlFunction>> = {
  ...functionsWithoutLambda,
  array,
  tuple: args => ({
    type: `Tuple(${args.map(({ type }) => type).join(', ')})`,
    run: (...values: Scalar[]) => values,
    takesNull: true,
  }),
  arrayElement,
  tupleElement,
  has,
  indexOf: defineWithItem('UInt64', (list, item) => indexOfItem(list, item) + 1),
  countEqual: defineWithItem('UInt64', countOf),
  arrayPushBack: defineWithItem(listOfItems, (list, item) => [...list, item]),
  arrayPushFront: defineWithItem(listOfItems, (list, item) => [item, ...list]),
  hasAny: defineHas('some'),
  hasAll: defineHas('every'),
  arrayConcat: defineWithCommonType(1, listOfItems, (...lists: List[]) => lists.flat()),
  arrayIntersect: defineWithCommonType(1, listOfItems, (first: List, ...lists: List[]) => {
    const others = lists.map(keysOf)
    return distinct(first).filter(value => others.every(other => other.has(keyOf(value))))
  }),
  arrayReverse: defineListFunction(list => list.toReversed()),
  arrayDistinct: args => {
    if (!args[0] || !types.isList(args[0].type)) throw illegalType(args[0]?.type ?? '', 'Array')
    return { type: listOfItems(types.bareOf(types.itemOf(args[0].type))), run: distinct }
  },
  arrayUniq: defineFunction('Array -> UInt32', (list: List) => keysOf(list).size),
  arrayCompact: defineListFunction(list =>
    list.filter((value, at) => at === 0 || keyOf(value) !== keyOf(list[at - 1]!)),
  ),
  arrayPopBack: defineListFunction(list => list.slice(0, -1)),
  arrayPopFront: defineListFunction(list => list.slice(1)),
  arraySlice: defineFunction('Array, Int, Int? -> $1', (list: List, from: number, size?: number) =>
    sliceOf(list, from, size),
  ),
  arrayEnumerate: defineFunction('Array -> Array(UInt32)', (list: List) => list.map((_, at) => at + 1)),
  arrayFlatten: (args, budget) => {
    let type = checkArguments('Array -> $1', args, budget)
    while (types.isList(type) && types.isList(types.itemOf(type))) type = types.itemOf(type)
    return { type, run: (list: List) => flatten(list) }
  },
  arrayStringConcat: definePrepared('Array, String? -> String', (budget, [list]) => {
    const write = createWriter(types.itemOf(list!.type), budget)
    return (values: List, mark = '') => join(mark, withoutNulls(values).map(write))
  }),
  arrayZip: args => {
    if (args.length === 0 || args.some(({ type }) => !types.isList(type))) throw new InvalidQuery('Expected arrays')
    const run = (...lists: List[]) => {
      if (lists.some(({ length }) => length !== lists[0]!.length))
        throw new InvalidQuery('Expected arrays of the same size')
      return lists[0]!.map((_, at) => lists.map(list => list[at]!))
    }
    return { type: `Array(Tuple(${args.map(({ type }) => types.itemOf(type)).join(', ')}))`, run }
  },
  range,
  map: args => {
    const keyTypes = args.filter((_, at) => at % 2 === 0).map(({ type }) => type)
    const valueTypes = args.filter((_, at) => at % 2 === 1).map(({ type }) => type)
    if (args.length % 2 === 1) throw new InvalidQuery('Expected a value for each key')
    if (keyTypes.some(type => !types.isText(type))) throw new InvalidQuery('Expected texts as the keys of a map')
    const type = args.length === 0 ? 'Map(Nothing, Nothing)' : `Map(String, ${types.supertype(valueTypes)})`
    const run = (...values: Scalar[]) =>
      Object.fromEntries(values.flatMap((key, at) => (at % 2 === 0 ? [[String(key), values[at + 1]!]] : [])))
    return { type, run, takesNull: true }
  },
  mapFromArrays: (args, budget) => {
    checkArguments('Array, Array -> Any', args, budget)
    const run = (keys: List, values: List) => Object.fromEntries(keys.map((key, at) => [String(key), values[at]!]))
    return { type: `Map(String, ${types.itemOf(args[1]!.type)})`, run }
  },
  mapKeys: defineFunction('Map -> Array(String)', Object.keys),
  mapValues: defineFunction('Map -> Array($1i)', Object.values),
  mapContainsKey: defineFunction('Map, String -> UInt8', (map: Values, key: string) => truth(Object.hasOwn(map, key))),
  mapContainsValue: defineFunction('Map, Any -> UInt8', (map: Values, value: Scalar) =>
    truth(Object.values(map).includes(value)),
  ),
}
