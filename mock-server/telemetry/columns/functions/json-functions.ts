import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Scalar } from '../compiled.ts'
import type { Type } from '../types.ts'
import * as types from '../types.ts'
import { readType } from './convert.ts'
import { readFloat, readInteger } from './database-text.ts'
import { ofCharacters, type SqlFunction, truth } from './signature.ts'

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

const textOf = (found: unknown): string =>
  typeof found === 'string' ? found : found === undefined || found === null ? '' : JSON.stringify(found)
const raw = (found: unknown) => (found === undefined ? '' : JSON.stringify(found))

function integerOf(found: unknown, isSigned: boolean): number {
  const number =
    typeof found === 'string' ? (readInteger(found, isSigned) ?? 0) : typeof found === 'number' ? Math.trunc(found) : 0
  return types.fitsInteger({ kind: isSigned ? 'Int' : 'UInt', bits: 64 }, number) ? number : 0
}

const floatOf = (found: unknown) =>
  typeof found === 'string' ? (readFloat(found) ?? 0) : typeof found === 'number' ? found : 0

const isObject = (found: unknown): found is object =>
  typeof found === 'object' && found !== null && !Array.isArray(found)

/** Functions of a JSON text and the path that the further arguments give. */
const looking =
  (more: string, locate: (text: string, path: Path) => unknown) =>
  (type: Type, read: (found: unknown) => Scalar): SqlFunction =>
    ofCharacters(`String, ${more} -> ${type}`, (text: string, ...path: Path) => read(locate(text, path)))

/** A path of nested keys and indexes. */
const at = looking('Any...', find)
/** The first value with a name, at any depth. */
const anywhere = looking('String', (text, [name]) => findNamed(parse(text), String(name)))
/** A path such as `$.user.tags[0]`. */
const byPath = looking('String', (text, [path]) => {
  const steps = [...String(path).matchAll(/\.([\w-]+)|\[(\d+)\]|\["([^"]+)"\]/g)]
  const keys = steps.map(([, name, place, quoted]) => (place ? Number(place) + 1 : (name ?? quoted!)))
  return find(text, keys)
})

/** A JSON value as a value of the given type; undefined if it is not one. */
function reader(type: Type): (found: unknown) => Scalar | undefined {
  const bare = types.bareOf(type)
  if (types.isText(bare)) return found => (found === undefined || found === null ? undefined : textOf(found))
  if (bare === 'Bool') return found => (typeof found === 'boolean' ? truth(found) : undefined)
  if (types.isList(bare)) {
    const item = reader(types.itemOf(bare))
    return found =>
      Array.isArray(found) ? found.map(one => item(one) ?? types.defaultOf(types.itemOf(bare))) : undefined
  }
  if (types.isMap(bare)) {
    const item = reader(types.itemOf(bare))
    const entry = ([key, one]: [string, unknown]) => [key, item(one) ?? types.defaultOf(types.itemOf(bare))]
    return found => (isObject(found) ? Object.fromEntries(Object.entries(found).map(entry)) : undefined)
  }
  const width = types.widthOf(bare)
  if (!width) throw new InvalidQuery(`Expected a type that JSON has, but this is ${type}`)
  if (width.kind === 'Float') return found => (['number', 'string'].includes(typeof found) ? floatOf(found) : undefined)
  return found => {
    const number = integerOf(found, width.kind === 'Int')
    return types.fitsInteger(width, number) ? number : undefined
  }
}

const extract: SqlFunction = (args: readonly Compiled[], budget: Budget) => {
  const name = args.at(-1)
  if (args.length < 2 || !name?.constant) throw new InvalidQuery('Expected a JSON text, a path and a type')
  const type = readType(String(name.at(0)))
  const read = reader(type)
  const readAt = (text: string, ...path: Path) => read(find(text, path.slice(0, -1))) ?? types.defaultOf(type)
  return ofCharacters(`String, Any... -> ${type}`, readAt)(args, budget)
}

const kindOf = (found: unknown) => {
  if (found === undefined || found === null) return 'Null'
  if (typeof found === 'number') return Number.isInteger(found) ? 'Int64' : 'Double'
  return Array.isArray(found) ? 'Array' : ({ string: 'String', boolean: 'Bool' }[typeof found as 'string'] ?? 'Object')
}

function findNamed(inside: unknown, name: string): unknown {
  if (typeof inside !== 'object' || inside === null) return undefined
  if (isObject(inside) && Object.hasOwn(inside, name)) return (inside as Record<string, unknown>)[name]
  for (const part of Object.values(inside)) {
    const found = findNamed(part, name)
    if (found !== undefined) return found
  }
  return undefined
}

const readers: Readonly<Record<string, readonly [Type, (found: unknown) => Scalar]>> = {
  String: ['String', textOf],
  Int: ['Int64', found => integerOf(found, true)],
  UInt: ['UInt64', found => integerOf(found, false)],
  Float: ['Float64', floatOf],
  Bool: ['UInt8', found => truth(found === true || (typeof found === 'number' && found !== 0))],
  Raw: ['String', raw],
}

export const jsonFunctions: Readonly<Record<string, SqlFunction>> = {
  ...Object.fromEntries(
    Object.entries(readers).flatMap(([name, [type, read]]) => [
      [`JSONExtract${name}`, at(type, read)],
      [`simpleJSONExtract${name}`, anywhere(type, read)],
      [`visitParamExtract${name}`, anywhere(type, read)],
    ]),
  ),
  JSON_VALUE: byPath('String', found => (typeof found === 'object' ? '' : textOf(found))),
  JSON_EXISTS: byPath('UInt8', found => truth(found !== undefined)),
  JSONHas: at('UInt8', found => truth(found !== undefined)),
  simpleJSONHas: anywhere('UInt8', found => truth(found !== undefined)),
  visitParamHas: anywhere('UInt8', found => truth(found !== undefined)),
  isValidJSON: ofCharacters('String -> UInt8', (text: string) => truth(parse(text) !== undefined)),
  JSONLength: at('UInt64', found => (typeof found === 'object' && found !== null ? Object.keys(found).length : 0)),
  JSONType: at('String', kindOf),
  JSONExtract: extract,
  JSONExtractKeys: at('Array(String)', found => (isObject(found) ? Object.keys(found) : [])),
  JSONExtractArrayRaw: at('Array(String)', found => (Array.isArray(found) ? found.map(raw) : [])),
  JSONExtractKeysAndValuesRaw: at('Array(Tuple(String, String))', found =>
    isObject(found) ? Object.entries(found).map(([key, one]) => [key, raw(one)]) : [],
  ),
}
