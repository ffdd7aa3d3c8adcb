import { Unreadable } from '../../query/unreadable.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { order } from './compare-functions.ts'
import { converter, writer } from './conversions.ts'
import { illegal, type Meaning, making, type SqlFunction, taking, truth } from './signature.ts'
import { join, partOf } from './text-functions.ts'

type List = readonly Scalar[]
type Values = { readonly [key: string]: Scalar }

const keyOf = (value: Scalar) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
const isTrue = (value: Scalar) => value !== null && value !== 0
const known = (list: List) => list.filter(value => value !== null)
const numbersIn = (list: List) => list as readonly number[]

/** What is counted or chosen by what a lambda makes of each element; without a lambda, by the elements themselves. */
interface OfResults {
  /** The type, by that of the elements and that of what the lambda makes of them. */
  readonly type: (item: Type, result: Type) => Type
  readonly run: (results: List, list: List) => Scalar
  /** The lambda is a condition. */
  readonly isCondition?: boolean
}

const condition = (type: OfResults['type'], run: OfResults['run']): OfResults => ({ type, run, isCondition: true })
const ofResult = (_: Type, result: Type) => result
const ofItem = (item: Type) => item
const listOfItems = (item: Type) => `Array(${item})`

/** Sums have 64 bits. */
function sumType(_: Type, result: Type): Type {
  const width = types.widthOf(result)
  if (!width)
    throw new Unreadable(
      `Expected numbers to add up, but these are ${result}`,
      0,
      `array aggregation function cannot be performed on type ${result}`,
    )
  return width.kind === 'Float' ? 'Float64' : `${width.kind}64`
}

/** NULL comes last. */
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

/** Functions of maps by a lambda of key and value. */
const ofEntries: Readonly<
  Record<string, readonly [(map: Type, result: Type) => Type, (results: List, map: Values) => Scalar]>
> = {
  mapFilter: [
    map => map,
    (results, map) => Object.fromEntries(Object.entries(map).filter((_, at) => isTrue(results[at]!))),
  ],
  mapApply: [
    (_, result) => `Map(${types.partsOf(result).join(', ')})`,
    results => Object.fromEntries((results as readonly [string, Scalar][]).map(([key, value]) => [key, value])),
  ],
  mapExists: [() => 'UInt8', results => truth(results.some(isTrue))],
  mapAll: [() => 'UInt8', results => truth(results.every(isTrue))],
}

export const takesLambda = (name: string) => Object.hasOwn(ofResults, name) || Object.hasOwn(ofEntries, name)

const stepsPerItem = 4

/** A function that is handed a lambda: its body is computed for each element, with the parameters standing for the element. */
export function overLists(
  name: string,
  params: readonly string[],
  lists: readonly Compiled[],
  bodyOf: (bound: ReadonlyMap<string, Compiled>) => Compiled,
  budget: Budget,
): Compiled {
  const isMap = Object.hasOwn(ofEntries, name)
  if (!isMap && !Object.hasOwn(ofResults, name))
    throw new Unreadable(`Expected values for ${name}, but a lambda stands there`)
  for (const { type } of lists) {
    if (isMap ? !types.isMap(type) : !types.isList(type))
      throw new Unreadable(
        `Expected ${isMap ? 'a map' : 'arrays'} after the lambda, but this is ${type}`,
        0,
        `Argument 2 of function {} must be Array. Found ${type} instead.`,
      )
  }
  const items = isMap ? types.partsOf(lists[0]!.type) : lists.map(({ type }) => types.itemOf(type))
  if (items.length !== params.length || lists.length === 0)
    throw new Unreadable(
      `Expected a lambda with ${items.length} parameters, but it has ${params.length}`,
      0,
      `First argument for this overload of {} must be a function with ${items.length} arguments`,
    )
  const now: Scalar[] = items.map(() => null)
  const bound = params.map((param, at) => [param, { type: items[at]!, constant: false, at: () => now[at]! }] as const)
  const body = bodyOf(new Map(bound))
  const { type, run } = isMap ? ofMap(name, lists[0]!.type, body.type) : ofList(name, items[0]!, body.type)
  const at = (row: number) => {
    const values = lists.map(list => list.at(row))
    const rows = isMap
      ? [Object.keys(values[0] as object), Object.values(values[0] as object)]
      : (values as readonly List[])
    if (rows.some(({ length }) => length !== rows[0]!.length))
      throw new Unreadable('Expected arrays of the same size', 0, `Arrays passed to ${name} must have equal size`)
    budget.spend(rows[0]!.length * stepsPerItem)
    const results = rows[0]!.map((_, place) => {
      for (const [param, row] of rows.entries()) now[param] = row[place]!
      return body.at(row)
    })
    return run(results, isMap ? values[0]! : rows[0]!)
  }
  return { type, constant: false, at }
}

function ofMap(name: string, map: Type, result: Type): { type: Type; run: (results: List, whole: Scalar) => Scalar } {
  const [typeOf, run] = ofEntries[name]!
  return { type: typeOf(map, result), run: (results, whole) => run(results, whole as Values) }
}

function ofList(name: string, item: Type, result: Type): { type: Type; run: (results: List, whole: Scalar) => Scalar } {
  const { type: typeOf, run, isCondition } = ofResults[name]!
  if (isCondition && !types.isTruth(result))
    throw new Unreadable(
      `Expected a condition in ${name}, but this is ${result}`,
      0,
      `Expression for function ${name} must return UInt8 or Nullable(UInt8), found ${result}`,
    )
  const type = typeOf(item, result)
  return { type, run: (results, whole) => run(results, whole as List) ?? types.defaultOf(type) }
}

const withoutLambda = Object.fromEntries(
  Object.keys(ofResults)
    .filter(name => !['arrayMap', 'arrayFilter'].includes(name))
    .map((name): [string, SqlFunction] => [
      name,
      args => {
        const [list, ...more] = args
        if (!list || more.length > 0 || !types.isList(list.type)) throw illegal(list?.type ?? '', 'Array')
        const { type, run } = ofList(name, types.itemOf(list.type), types.itemOf(list.type))
        return { type, run: (values: List) => run(values, values) }
      },
    ]),
)

const array: SqlFunction = args => {
  const type = `Array(${args.length === 0 ? 'Nothing' : types.supertype(args.map(arg => arg.type))})`
  return { type, run: (...values: Scalar[]) => values, takesNull: true }
}

/** The element of an array by its place from 1, or from -1 backwards; the value of a map by its key; else the default of its type. */
const elementOf: SqlFunction = ([whole, at]) => {
  if (whole && types.isMap(whole.type) && at && types.isText(at.type)) {
    const type = types.itemOf(whole.type)
    return { type, run: (map: Values, key: string) => (Object.hasOwn(map, key) ? map[key]! : types.defaultOf(type)) }
  }
  if (!whole || !types.isList(whole.type) || !at || !types.isInteger(at.type)) {
    const raw = `Illegal types of arguments: ${whole?.type}, ${at?.type} for function arrayElement`
    throw new Unreadable('Expected a map and a key, or a list and a place', 0, raw)
  }
  const type = types.itemOf(whole.type)
  const missing = types.defaultOf(type)
  return {
    type,
    run: (list: List, place: number) => (place === 0 ? missing : (list.at(place > 0 ? place - 1 : place) ?? missing)),
  }
}

const tupleElement: SqlFunction = ([tuple, at]) => {
  const place = Number(at?.at(0))
  const types_ = tuple && types.isTuple(tuple.type) ? types.partsOf(tuple.type) : []
  const type = types_[place - 1]
  if (!type)
    throw new Unreadable(
      `Expected a tuple with ${place} elements`,
      0,
      `Tuple doesn't have element with index '${place}'`,
    )
  return { type, run: (values: List) => values[place - 1]! }
}

/** Functions of arrays whose elements are brought to one type first. */
const together =
  (count: number, typeOf: (item: Type) => Type, run: (...lists: never[]) => Scalar): SqlFunction =>
  (args, budget) => {
    if (args.length < Math.min(count, 2) || args.some(({ type }) => !types.isList(type)))
      throw illegal(args.find(({ type }) => !types.isList(type))?.type ?? '', 'Array')
    const item = types.supertype(args.map(({ type }) => types.itemOf(type)))
    const converts = args.map(({ type }) => converter(types.itemOf(type), item, budget))
    return {
      type: typeOf(item),
      run: (...lists: List[]) =>
        run(
          ...(lists.map((list, at) => list.map(value => (value === null ? null : converts[at]!(value)!))) as never[]),
        ),
    }
  }

/** An array and what may be one of its elements. */
const withItem =
  (type: Type | ((item: Type) => Type), run: (list: List, item: Scalar) => Scalar): SqlFunction =>
  ([list, item, ...more]) => {
    if (!list || !item || more.length > 0) throw new Unreadable('Expected a list and a value')
    if (types.isMap(list.type)) {
      types.supertype(['String', item.type])
      return { type: 'UInt8', run: (map: Values, key: string) => truth(Object.hasOwn(map, key)) }
    }
    if (!types.isList(list.type)) throw illegal(list.type, 'Array')
    const common = types.supertype([types.itemOf(list.type), item.type])
    return { type: typeof type === 'string' ? type : type(common), run, takesNull: true } as Meaning
  }

const holding = (list: List) => new Set(list.map(keyOf))
const placeOf = (list: List, item: Scalar) => list.findIndex(value => keyOf(value) === keyOf(item))

/** The most elements of an array that is made of numbers. */
const mostItems = 1_000_000

const range = making('Int, Int?, Int? -> Array($1)', budget => (first: number, second?: number, step = 1) => {
  const [from, to] = second === undefined ? [0, first] : [first, second]
  const size = Math.max(0, Math.ceil((to - from) / step))
  if (!(step > 0) || size > mostItems)
    throw new Unreadable(`Expected a range of at most ${mostItems} numbers that grow`)
  budget.spend(size)
  return Array.from({ length: size }, (_, at) => from + at * step)
})

const flat = (list: List): List => list.flatMap(value => (Array.isArray(value) ? flat(value) : [value]))
const distinct = (list: List) => [...new Map(known(list).map(value => [keyOf(value), value])).values()]
const ofList_ = (run: (list: List) => Scalar) => taking('Array -> $1', run)

export const arrayFunctions: Readonly<Record<string, SqlFunction>> = {
  ...withoutLambda,
  array,
  tuple: args => ({
    type: `Tuple(${args.map(({ type }) => type).join(', ')})`,
    run: (...values: Scalar[]) => values,
    takesNull: true,
  }),
  arrayElement: elementOf,
  tupleElement,
  has: withItem('UInt8', (list, item) => truth(placeOf(list, item) >= 0)),
  indexOf: withItem('UInt64', (list, item) => placeOf(list, item) + 1),
  countEqual: withItem('UInt64', (list, item) => list.filter(value => keyOf(value) === keyOf(item)).length),
  arrayPushBack: withItem(listOfItems, (list, item) => [...list, item]),
  arrayPushFront: withItem(listOfItems, (list, item) => [item, ...list]),
  hasAny: together(
    2,
    () => 'UInt8',
    (list: List, wanted: List) => {
      const all = holding(list)
      return truth(wanted.some(value => all.has(keyOf(value))))
    },
  ),
  hasAll: together(
    2,
    () => 'UInt8',
    (list: List, wanted: List) => {
      const all = holding(list)
      return truth(wanted.every(value => all.has(keyOf(value))))
    },
  ),
  arrayConcat: together(1, listOfItems, (...lists: List[]) => lists.flat()),
  arrayIntersect: together(1, listOfItems, (first: List, ...lists: List[]) => {
    const others = lists.map(holding)
    return distinct(first).filter(value => others.every(other => other.has(keyOf(value))))
  }),
  arrayReverse: ofList_(list => list.toReversed()),
  arrayDistinct: args => {
    if (!args[0] || !types.isList(args[0].type)) throw illegal(args[0]?.type ?? '', 'Array')
    return { type: listOfItems(types.bareOf(types.itemOf(args[0].type))), run: distinct }
  },
  arrayUniq: taking('Array -> UInt32', (list: List) => holding(list).size),
  arrayCompact: ofList_(list => list.filter((value, at) => at === 0 || keyOf(value) !== keyOf(list[at - 1]!))),
  arrayPopBack: ofList_(list => list.slice(0, -1)),
  arrayPopFront: ofList_(list => list.slice(1)),
  arraySlice: taking('Array, Int, Int? -> $1', (list: List, from: number, size?: number) => partOf(list, from, size)),
  arrayEnumerate: taking('Array -> Array(UInt32)', (list: List) => list.map((_, at) => at + 1)),
  arrayFlatten: (args, budget) => {
    let type = args[0]?.type ?? ''
    taking('Array -> $1', () => null)(args, budget)
    while (types.isList(types.itemOf(type))) type = types.itemOf(type)
    return { type, run: (list: List) => flat(list) }
  },
  arrayStringConcat: making('Array, String? -> String', (budget, [list]) => {
    const write = writer(types.itemOf(list!.type), budget)
    return (values: List, mark = '') => join(mark, known(values).map(write))
  }),
  arrayZip: args => {
    if (args.some(({ type }) => !types.isList(type))) throw new Unreadable('Expected arrays')
    const run = (...lists: List[]) => {
      if (lists.some(({ length }) => length !== lists[0]!.length))
        throw new Unreadable('Expected arrays of the same size')
      return lists[0]!.map((_, at) => lists.map(list => list[at]!))
    }
    return { type: `Array(Tuple(${args.map(({ type }) => types.itemOf(type)).join(', ')}))`, run }
  },
  range,
  map: args => {
    const sides = [0, 1].map(side => args.filter((_, at) => at % 2 === side).map(({ type }) => type))
    if (args.length % 2 === 1) throw new Unreadable('Expected a value for each key')
    if (sides[0]!.some(type => !types.isText(type))) throw new Unreadable('Expected texts as the keys of a map')
    const type = args.length === 0 ? 'Map(Nothing, Nothing)' : `Map(String, ${types.supertype(sides[1]!)})`
    const run = (...values: Scalar[]) =>
      Object.fromEntries(values.flatMap((key, at) => (at % 2 === 0 ? [[String(key), values[at + 1]!]] : [])))
    return { type, run, takesNull: true }
  },
  mapFromArrays: (args, budget) => {
    taking('Array, Array -> Any', () => null)(args, budget)
    const run = (keys: List, values: List) => Object.fromEntries(keys.map((key, at) => [String(key), values[at]!]))
    return { type: `Map(String, ${types.itemOf(args[1]!.type)})`, run }
  },
  mapKeys: taking('Map -> Array(String)', Object.keys),
  mapValues: taking('Map -> Array($1i)', Object.values),
  mapContainsKey: taking('Map, String -> UInt8', (map: Values, key: string) => truth(Object.hasOwn(map, key))),
  mapContainsValue: taking('Map, Any -> UInt8', (map: Values, value: Scalar) =>
    truth(Object.values(map).includes(value)),
  ),
}
