import { isObject, type JsonObject } from '../../engine/recognise.ts'
import type { References } from './read-document.ts'

/** One level of a schema of OpenAPI 3.0 or 3.1: references resolved, `allOf` merged, unions made comparable. */
export interface Schema {
  /** The name of the component, if the schema is a reference to one. */
  readonly name?: string
  /** The references to the components that were merged into it, sorted. They identify a schema that contains itself. */
  readonly componentReferences: string
  /** The types without `null`; undefined if any type is allowed. */
  readonly types?: ReadonlySet<string>
  readonly nullable: boolean
  readonly format?: string
  readonly values?: ReadonlySet<string>
  /** Limits of numbers, texts, lists and objects, and patterns, by keyword. */
  readonly bounds: ReadonlyMap<string, unknown>
  /** Keywords that are not judged, as in the document. */
  readonly unjudged: ReadonlyMap<string, unknown>
  /** Schemas as in the document; `allOf` or `anyOf` of them if several merged parts have the property. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** The schema of properties that are not listed; false where they are refused. */
  readonly additionalProperties?: unknown
  readonly items?: unknown
  /** The alternatives of a union of objects; the other fields apply to all of them. */
  readonly alternatives?: readonly Schema[]
  readonly flags: ReadonlySet<Flag>
  /** True if a part could not be read, which may contain what is missing here. */
  readonly isIncomplete: boolean
}

const flags = ['deprecated', 'readOnly', 'writeOnly'] as const
type Flag = (typeof flags)[number]

/** Keywords of JSON Schema whose effect on clients is not judged: a change of theirs is reported as such. */
const unjudgedKeywords = [
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'if',
  'maxContains',
  'minContains',
  'not',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]

const MAX_DEPTH = 40
const emptySchema: Schema = {
  componentReferences: '',
  nullable: false,
  bounds: new Map(),
  unjudged: new Map(),
  properties: new Map(),
  required: new Set(),
  flags: new Set(),
  isIncomplete: false,
}

export type Reader = (schema: unknown) => Schema

/** Reads schemas of one document, each of them once. */
export function createSchemaReader(references: References): Reader {
  const known = new Map<unknown, Schema>()
  const reading = new Set<unknown>()

  function read(schema: unknown): Schema {
    const cached = known.get(schema)
    if (cached) return cached
    if (!isObject(schema)) return { ...emptySchema, isIncomplete: schema !== true && schema !== undefined }
    // A schema that contains itself at the same place adds nothing.
    if (reading.has(schema)) return { ...emptySchema, isIncomplete: true }
    if (reading.size > MAX_DEPTH) {
      references.unread.add(`${schema.$ref ?? 'a schema'}, at the end of more than ${MAX_DEPTH} references or levels`)
      return { ...emptySchema, isIncomplete: true }
    }
    reading.add(schema)
    const parts: Schema[] = [readKeywords(schema)]
    if (typeof schema.$ref === 'string') {
      const found = references.follow(schema.$ref)
      if (reading.has(found)) references.unread.add(schema.$ref)
      const name = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref)?.[1]
      parts.push(
        found === undefined
          ? { ...emptySchema, isIncomplete: true }
          : { ...read(found), name, componentReferences: schema.$ref },
      )
    }
    if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map(read).map(({ name: _, ...part }) => part))
    for (const choices of [schema.oneOf, schema.anyOf])
      if (Array.isArray(choices) && choices.length > 0) parts.push(readUnion(choices.map(read)))
    reading.delete(schema)
    const whole = parts.reduce(merge)
    known.set(schema, whole)
    return whole
  }
  return read
}

/** Keywords of bounds, each with the value that has no effect. */
const boundDefaults: Readonly<Record<string, unknown>> = {
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  minLength: 0,
  maxLength: undefined,
  minItems: 0,
  maxItems: undefined,
  minProperties: 0,
  maxProperties: undefined,
  uniqueItems: false,
  multipleOf: undefined,
  pattern: undefined,
}

function readKeywords(schema: JsonObject): Schema {
  const listed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  const stated = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? undefined : [schema.type]
  const types = stated?.map(String) ?? guessTypes(schema, listed)
  const isWhole = types?.includes('number') && Number.isInteger(schema.multipleOf)
  const withoutNull = types
    ?.filter(type => type !== 'null')
    .map(type => (isWhole && type === 'number' ? 'integer' : type))
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : []
  // The format `password` only concerns user interfaces.
  const isFormat = typeof schema.format === 'string' && schema.format !== schema.type && schema.format !== 'password'
  const format = isFormat ? String(schema.format) : undefined
  return {
    componentReferences: '',
    types: withoutNull && withoutNull.length > 0 ? new Set(withoutNull) : undefined,
    nullable: schema.nullable === true || !!types?.includes('null') || !!listed?.includes(null),
    format,
    values: listed && new Set(listed.filter(value => value !== null).map(String)),
    bounds: boundsOf(schema, !!withoutNull?.includes('integer')),
    unjudged: new Map(unjudgedKeywords.flatMap(key => (schema[key] === undefined ? [] : [[key, schema[key]]]))),
    properties: new Map(properties),
    required: new Set(required as string[]),
    additionalProperties: schema.additionalProperties,
    items: schema.items,
    flags: new Set(flags.filter(flag => schema[flag] === true)),
    isIncomplete: false,
  }
}

function boundsOf(schema: JsonObject, isInteger: boolean): ReadonlyMap<string, unknown> {
  const bounds = new Map(
    Object.entries(boundDefaults).flatMap(([keyword, none]) =>
      schema[keyword] === undefined || schema[keyword] === none ? [] : [[keyword, schema[keyword]]],
    ),
  )
  if (isInteger && bounds.get('multipleOf') === 1) bounds.delete('multipleOf')
  // A pattern beside the format uuid repeats it.
  if (schema.format === 'uuid') bounds.delete('pattern')
  for (const [exclusive, plain, step] of [
    ['exclusiveMinimum', 'minimum', 1],
    ['exclusiveMaximum', 'maximum', -1],
  ] as const) {
    // OpenAPI 3.0 writes `exclusiveMinimum: true` beside the bound, 3.1 the bound itself.
    const value = bounds.get(exclusive) === true ? bounds.get(plain) : bounds.get(exclusive)
    if (value === undefined) continue
    bounds.delete(bounds.get(exclusive) === true ? plain : exclusive)
    if (isInteger) {
      bounds.delete(exclusive)
      bounds.set(plain, Number(value) + step)
    } else bounds.set(exclusive, value)
  }
  return bounds
}

function guessTypes(schema: JsonObject, listed: readonly unknown[] | undefined): string[] | undefined {
  if (isObject(schema.properties)) return ['object']
  if (schema.items !== undefined) return ['array']
  if (listed && listed.length > 0) return [...new Set(listed.map(value => (value === null ? 'null' : typeof value)))]
  return undefined
}

/** The schema of the values that are valid for both. */
export function merge(a: Schema, b: Schema): Schema {
  // Two unions in one schema are rare: the alternatives of the second are merged.
  const plain = a.alternatives && b.alternatives ? uniteAlternatives(b) : b
  return {
    name: a.name ?? plain.name,
    componentReferences: joinReferences(a.componentReferences, plain.componentReferences),
    types: intersect(
      a.types,
      plain.types,
      (left, right) => left === right || (left === 'integer' && right === 'number'),
    ),
    nullable: a.nullable || plain.nullable,
    format: a.format ?? plain.format,
    values: intersect(a.values, plain.values, (left, right) => left === right),
    bounds: boundsOfBoth(a.bounds, plain.bounds),
    unjudged: new Map([...a.unjudged, ...plain.unjudged]),
    properties: combineProperties(a.properties, plain.properties, 'allOf'),
    required: new Set([...a.required, ...plain.required]),
    additionalProperties: a.additionalProperties ?? plain.additionalProperties,
    items: combine(a.items, plain.items, 'allOf'),
    alternatives: a.alternatives ?? plain.alternatives,
    flags: new Set([...a.flags, ...plain.flags]),
    isIncomplete: a.isIncomplete || plain.isIncomplete,
  }
}

/** Merges bounds. Two patterns are joined by `&`, because a string must match both. */
function boundsOfBoth(a: Schema['bounds'], b: Schema['bounds']): Schema['bounds'] {
  const patterns = [a, b].flatMap(bounds => (bounds.has('pattern') ? String(bounds.get('pattern')).split(' & ') : []))
  const pattern = [...new Set(patterns)].sort().join(' & ')
  return new Map([...b, ...a, ...(pattern ? ([['pattern', pattern]] as const) : [])])
}

/** The schema of a union. `null` as an alternative makes it nullable; alternatives that are not all objects are merged. */
export function readUnion(choices: readonly Schema[]): Schema {
  const isNull = (choice: Schema) =>
    choice.nullable && !choice.types && choice.properties.size === 0 && !choice.values?.size && !choice.alternatives
  const nonNull = choices.filter(choice => !isNull(choice))
  const [first, ...others] = nonNull
  if (!first) return { ...emptySchema, nullable: true }
  const nullable = nonNull.length < choices.length || nonNull.some(choice => choice.nullable)
  if (others.length === 0) return { ...first, nullable }
  const isObjectSchema = ({ types, properties, alternatives }: Schema) =>
    alternatives !== undefined || (properties.size > 0 && (!types || types.has('object')))
  if (nonNull.every(isObjectSchema))
    return { ...emptySchema, types: new Set(['object']), nullable, alternatives: nonNull }
  return { ...nonNull.map(uniteAlternatives).reduce(uniteTwo), nullable }
}

/** Merges the alternatives of a schema into one that has the properties of all. */
export function uniteAlternatives({ alternatives, ...rest }: Schema): Schema {
  return alternatives ? merge(rest, alternatives.map(uniteAlternatives).reduce(uniteTwo)) : rest
}

const uniteTwo = (a: Schema, b: Schema): Schema => ({
  componentReferences: joinReferences(a.componentReferences, b.componentReferences),
  types: a.types && b.types && new Set([...a.types, ...b.types]),
  nullable: a.nullable || b.nullable,
  format: a.format === b.format ? a.format : undefined,
  values: a.values && b.values && new Set([...a.values, ...b.values]),
  bounds: new Map([...a.bounds].filter(([keyword, value]) => b.bounds.get(keyword) === value)),
  unjudged: new Map([...a.unjudged, ...b.unjudged]),
  properties: combineProperties(a.properties, b.properties, 'anyOf'),
  required: intersectSets(a.required, b.required),
  additionalProperties: a.additionalProperties === false && b.additionalProperties === false ? false : undefined,
  items: combine(a.items, b.items, 'anyOf'),
  flags: intersectSets(a.flags, b.flags),
  isIncomplete: a.isIncomplete || b.isIncomplete,
})

const intersectSets = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...a].filter(one => b.has(one)))

const joinReferences = (a: string, b: string) =>
  [...new Set([...a.split(' '), ...b.split(' ')])].sort().join(' ').trim()

function intersect(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
  fits: (left: string, right: string) => boolean,
): ReadonlySet<string> | undefined {
  if (!a || !b) return a ?? b
  const within = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some].filter(left => [...others].some(right => fits(left, right)))
  return new Set([...within(a, b), ...within(b, a)])
}

const combine = (a: unknown, b: unknown, how: 'allOf' | 'anyOf') =>
  a === undefined || a === b ? b : b === undefined ? a : { [how]: [a, b] }

function combineProperties(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>, how: 'allOf' | 'anyOf') {
  const joined = new Map(a)
  for (const [name, schema] of b) joined.set(name, combine(joined.get(name), schema, how))
  return joined
}
