import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { readType } from './convert.ts'
import { readFloat, readInteger } from './database-text.ts'
import { definePerCharacter, type SqlFunction, truth } from './signature.ts'

type Path = readonly (string | number)[]

/** Limit of nesting: hundreds of levels serve no query and overflow recursive functions. */
const maxLevels = 500

function parse(text: string): unknown {
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

/** The value at a path of keys and indexes, which count from 1, or from the end if negative; undefined if there is none. */
function find(text: string, path: Path): unknown {
  let inside = parse(text)
  for (const step of path) {
    if (typeof inside !== 'object' || inside === null) return undefined
    if (typeof step === 'string' && Array.isArray(inside)) return undefined
    const values = Object.values(inside)
    if (typeof step === 'number') inside = values.at(step > 0 ? step - 1 : step)
    else inside = Object.hasOwn(inside, step) ? (inside as Record<string, unknown>)[step] : undefined
  }
  return inside
}

const textOf = (json: unknown): string =>
  typeof json === 'string' ? json : json === undefined || json === null ? '' : JSON.stringify(json)
const rawOf = (json: unknown) => (json === undefined ? '' : JSON.stringify(json))

function integerOf(json: unknown, isSigned: boolean): number {
  const number =
    typeof json === 'string' ? (readInteger(json, isSigned) ?? 0) : typeof json === 'number' ? Math.trunc(json) : 0
  return types.fitsInteger({ kind: isSigned ? 'Int' : 'UInt', bits: 64 }, number) ? number : 0
}

const floatOf = (json: unknown) =>
  typeof json === 'string' ? (readFloat(json) ?? 0) : typeof json === 'number' ? json : 0

const isObject = (json: unknown): json is object => typeof json === 'object' && json !== null && !Array.isArray(json)

/** Defines functions of a JSON text and a path in it, which the other arguments give. `locate` finds the value at the path. */
const defineJsonFunction =
  (pathParams: string, locate: (text: string, path: Path) => unknown) =>
  (type: Type, read: (json: unknown) => Scalar): SqlFunction =>
    definePerCharacter(`String, ${pathParams} -> ${type}`, (text: string, ...path: Path) => read(locate(text, path)))

/** The path is a list of keys and indexes. */
const atPath = defineJsonFunction('Any...', find)
/** The path is a name: the first value with it, at any depth. */
const anywhere = defineJsonFunction('String', (text, [name]) => findNamed(parse(text), String(name)))
/** The path is a text such as `$.user.tags[0]`. */
const byPath = defineJsonFunction('String', (text, [path]) => {
  const steps = [...String(path).matchAll(/\.([\w-]+)|\[(\d+)\]|\["([^"]+)"\]/g)]
  const keys = steps.map(([, name, place, quoted]) => (place ? Number(place) + 1 : (name ?? quoted!)))
  return find(text, keys)
})

/** Converts a JSON value to a type; undefined if it cannot be converted. */
function reader(type: Type): (json: unknown) => Scalar | undefined {
  const bare = types.bareOf(type)
  if (types.isText(bare)) return json => (json === undefined || json === null ? undefined : textOf(json))
  if (bare === 'Bool') return json => (typeof json === 'boolean' ? truth(json) : undefined)
  if (types.isList(bare)) {
    const item = reader(types.itemOf(bare))
    return json => (Array.isArray(json) ? json.map(one => item(one) ?? types.defaultOf(types.itemOf(bare))) : undefined)
  }
  if (types.isMap(bare)) {
    const item = reader(types.itemOf(bare))
    const entry = ([key, one]: [string, unknown]) => [key, item(one) ?? types.defaultOf(types.itemOf(bare))]
    return json => (isObject(json) ? Object.fromEntries(Object.entries(json).map(entry)) : undefined)
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
  const read = reader(type)
  const readAt = (text: string, ...path: Path) => read(find(text, path.slice(0, -1))) ?? types.defaultOf(type)
  return definePerCharacter(`String, Any... -> ${type}`, readAt)(args, budget)
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

const readers: Readonly<Record<string, readonly [Type, (json: unknown) => Scalar]>> = {
  String: ['String', textOf],
  Int: ['Int64', json => integerOf(json, true)],
  UInt: ['UInt64', json => integerOf(json, false)],
  Float: ['Float64', floatOf],
  Bool: ['UInt8', json => truth(json === true || (typeof json === 'number' && json !== 0))],
  Raw: ['String', rawOf],
}

export const jsonFunctions: Readonly<Record<string, SqlFunction>> = {
  ...Object.fromEntries(
    Object.entries(readers).flatMap(([name, [type, read]]) => [
      [`JSONExtract${name}`, atPath(type, read)],
      [`simpleJSONExtract${name}`, anywhere(type, read)],
      [`visitParamExtract${name}`, anywhere(type, read)],
    ]),
  ),
  JSON_VALUE: byPath('String', json => (typeof json === 'object' ? '' : textOf(json))),
  JSON_EXISTS: byPath('UInt8', json => truth(json !== undefined)),
  JSONHas: atPath('UInt8', json => truth(json !== undefined)),
  simpleJSONHas: anywhere('UInt8', json => truth(json !== undefined)),
  visitParamHas: anywhere('UInt8', json => truth(json !== undefined)),
  isValidJSON: definePerCharacter('String -> UInt8', (text: string) => truth(parse(text) !== undefined)),
  JSONLength: atPath('UInt64', json => (typeof json === 'object' && json !== null ? Object.keys(json).length : 0)),
  JSONType: atPath('String', kindOf),
  JSONExtract: extract,
  JSONExtractKeys: atPath('Array(String)', json => (isObject(json) ? Object.keys(json) : [])),
  JSONExtractArrayRaw: atPath('Array(String)', json => (Array.isArray(json) ? json.map(rawOf) : [])),
  JSONExtractKeysAndValuesRaw: atPath('Array(Tuple(String, String))', json =>
    isObject(json) ? Object.entries(json).map(([key, one]) => [key, rawOf(one)]) : [],
  ),
}
