import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import { jsonValue } from '../json-value.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { readType } from './convert.ts'
import { readFloat, readInteger } from './database-text.ts'
import { defineAtCostOfCharacters, definePrepared, type SqlFunction, truth } from './signature.ts'

type Path = readonly (string | number)[]

/** Limit of nesting. More levels serve no query, and would overflow recursive functions. */
const maxLevels = 500

/** Parses a JSON text; undefined if it is invalid or nested too deeply. */
function parseJson(text: string): unknown {
  let [levels, deepest] = [0, 0]
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    levels += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, levels)
  }
  try {
    return deepest > maxLevels ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the value at a path of keys, and of indexes, which count from 1, or from the end if negative. */
function findAtPath(text: string, path: Path): unknown {
  let inside = parseJson(text)
  for (const step of path) {
    if (typeof inside !== 'object' || inside === null) return undefined
    if (typeof step === 'string' && Array.isArray(inside)) return undefined
    const values = Object.values(inside)
    if (typeof step === 'number') inside = values.at(step > 0 ? step - 1 : step)
    else inside = Object.hasOwn(inside, step) ? (inside as Record<string, unknown>)[step] : undefined
  }
  return inside
}

const textOf = (json: unknown): string => (typeof json === 'string' ? json : json === null ? '' : rawOf(json))
const rawOf = (json: unknown) => (json === undefined ? '' : JSON.stringify(json))

function integerOf(json: unknown, isSigned: boolean): number {
  let number = 0
  if (typeof json === 'string') number = readInteger(json, isSigned) ?? 0
  if (typeof json === 'number') number = Math.trunc(json)
  return types.fitsInteger({ kind: isSigned ? 'Int' : 'UInt', bits: 64 }, number) ? number : 0
}

const floatOf = (json: unknown) =>
  typeof json === 'string' ? (readFloat(json) ?? 0) : typeof json === 'number' ? json : 0

const isObject = (json: unknown): json is object => typeof json === 'object' && json !== null && !Array.isArray(json)

/** Defines functions of a JSON text and of a path, which the other arguments give. `locate` finds the value at the path. */
const defineJsonFunction =
  (pathParams: string, locate: (text: string, path: Path) => unknown) =>
  (type: Type, read: (json: unknown) => Scalar): SqlFunction =>
    defineAtCostOfCharacters(`String, ${pathParams} -> ${type}`, (text: string, ...path: Path) =>
      read(locate(text, path)),
    )

/** The path is a list of keys and indexes. */
const defineByKeys = defineJsonFunction('Any...', findAtPath)
/** The path is a name: the first value with this name is found, at any depth. */
const defineByName = defineJsonFunction('String', (text, [name]) => findNamed(parseJson(text), String(name)))
/** The path is a text such as `$.user.tags[0]`. */
const defineByJsonPath = defineJsonFunction('String', (text, [path]) => {
  const steps = [...String(path).matchAll(/\.([\w-]+)|\[(\d+)\]|\["([^"]+)"\]/g)]
  const keys = steps.map(([, name, place, quoted]) => (place ? Number(place) + 1 : (name ?? quoted!)))
  return findAtPath(text, keys)
})

/** Creates a function that converts JSON values to a type. It returns undefined if a value cannot be converted. */
function createReader(type: Type): (json: unknown) => Scalar | undefined {
  const bare = types.bareOf(type)
  if (types.isText(bare)) return json => (json === undefined || json === null ? undefined : textOf(json))
  if (bare === 'Bool') return json => (typeof json === 'boolean' ? truth(json) : undefined)
  if (types.isList(bare)) {
    const readItem = createReader(types.itemOf(bare))
    const missing = types.defaultOf(types.itemOf(bare))
    return json => (Array.isArray(json) ? json.map(item => readItem(item) ?? missing) : undefined)
  }
  if (types.isMap(bare)) {
    const readItem = createReader(types.itemOf(bare))
    const missing = types.defaultOf(types.itemOf(bare))
    const readEntry = ([key, item]: [string, unknown]) => [key, readItem(item) ?? missing]
    return json => (isObject(json) ? Object.fromEntries(Object.entries(json).map(readEntry)) : undefined)
  }
  const width = types.widthOf(bare)
  if (!width) throw new InvalidQuery(`Expected a type that JSON has, but this is ${type}`)
  if (width.kind === 'Float') return json => (['number', 'string'].includes(typeof json) ? floatOf(json) : undefined)
  return json => {
    const number = integerOf(json, width.kind === 'Int')
    return types.fitsInteger(width, number) ? number : undefined
  }
}

const extract: SqlFunction = (args: readonly Compiled[], budget: Budget) => {
  const name = args.at(-1)
  if (args.length < 2 || !name?.constant) throw new InvalidQuery('Expected a JSON text, a path and a type')
  const type = readType(String(name.at(0)))
  const read = createReader(type)
  const readAt = (text: string, ...path: Path) => read(findAtPath(text, path.slice(0, -1))) ?? types.defaultOf(type)
  return defineAtCostOfCharacters(`String, Any... -> ${type}`, readAt)(args, budget)
}

/** The JSON of a value, in which the database escapes slashes too. */
const writeJson: SqlFunction = (args, budget) => {
  const [{ type } = { type: 'Nothing' }] = args
  return definePrepared(
    'Any -> String',
    () => (value: Scalar) => JSON.stringify(jsonValue(type, value)).replaceAll('/', '\\/'),
  )(args, budget)
}

const kindOf = (json: unknown) => {
  if (json === undefined || json === null) return 'Null'
  if (typeof json === 'number') return Number.isInteger(json) ? 'Int64' : 'Double'
  return Array.isArray(json) ? 'Array' : ({ string: 'String', boolean: 'Bool' }[typeof json as 'string'] ?? 'Object')
}

function findNamed(inside: unknown, name: string): unknown {
  if (typeof inside !== 'object' || inside === null) return undefined
  if (isObject(inside) && Object.hasOwn(inside, name)) return (inside as Record<string, unknown>)[name]
  for (const part of Object.values(inside)) {
    const json = findNamed(part, name)
    if (json !== undefined) return json
  }
  return undefined
}

/** The result type and the reader of functions such as JSONExtractInt, by the suffix of their names. */
const typedReaders: Readonly<Record<string, readonly [Type, (json: unknown) => Scalar]>> = {
  String: ['String', textOf],
  Int: ['Int64', json => integerOf(json, true)],
  UInt: ['UInt64', json => integerOf(json, false)],
  Float: ['Float64', floatOf],
  Bool: ['UInt8', json => truth(json === true || (typeof json === 'number' && json !== 0))],
  Raw: ['String', rawOf],
}

export const jsonFunctions: Readonly<Record<string, SqlFunction>> = {
  toJSONString: writeJson,
  ...Object.fromEntries(
    Object.entries(typedReaders).flatMap(([suffix, [type, read]]) => [
      [`JSONExtract${suffix}`, defineByKeys(type, read)],
      [`simpleJSONExtract${suffix}`, defineByName(type, read)],
      [`visitParamExtract${suffix}`, defineByName(type, read)],
    ]),
  ),
  JSON_VALUE: defineByJsonPath('String', json => (typeof json === 'object' ? '' : textOf(json))),
  JSON_EXISTS: defineByJsonPath('UInt8', json => truth(json !== undefined)),
  JSONHas: defineByKeys('UInt8', json => truth(json !== undefined)),
  simpleJSONHas: defineByName('UInt8', json => truth(json !== undefined)),
  visitParamHas: defineByName('UInt8', json => truth(json !== undefined)),
  isValidJSON: defineAtCostOfCharacters('String -> UInt8', (text: string) => truth(parseJson(text) !== undefined)),
  JSONLength: defineByKeys('UInt64', json =>
    typeof json === 'object' && json !== null ? Object.keys(json).length : 0,
  ),
  JSONType: defineByKeys('String', kindOf),
  JSONExtract: extract,
  JSONExtractKeys: defineByKeys('Array(String)', json => (isObject(json) ? Object.keys(json) : [])),
  JSONExtractArrayRaw: defineByKeys('Array(String)', json => (Array.isArray(json) ? json.map(rawOf) : [])),
  JSONExtractKeysAndValuesRaw: defineByKeys('Array(Tuple(String, String))', json =>
    isObject(json) ? Object.entries(json).map(([key, value]) => [key, rawOf(value)]) : [],
  ),
}
