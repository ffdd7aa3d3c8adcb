import { isObject, type JsonObject } from '../../engine/recognise.ts'
import type { References } from './read-document.ts'

/** One level of a schema of OpenAPI 3.0 or 3.1: references resolved, `allOf` merged, unions made comparable. */
export interface Schema {
  /** The component's name. */
  readonly name?: string
  /** The references to the components that it is made of, by which a schema that contains itself is recognised. */
  readonly of: string
  /** Without `null`; undefined when any type is allowed. */
  readonly types?: ReadonlySet<string>
  readonly nullable: boolean
  readonly format?: string
  readonly values?: ReadonlySet<string>
  /** Limits of numbers, texts, lists and objects, and patterns, by keyword. */
  readonly bounds: ReadonlyMap<string, unknown>
  /** Each as it stands in the document, or as the `allOf` or `anyOf` of the places where it stands. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** The schema of properties that are not listed; false where they are refused. */
  readonly others?: unknown
  readonly items?: unknown
  /** Several alternatives that are objects; the other fields then hold what they have in common. */
  readonly alternatives?: readonly Schema[]
  readonly flags: ReadonlySet<Flag>
  /** True when a part could not be read, so that nothing counts as absent. */
  readonly unread: boolean
}

const flags = ['deprecated', 'readOnly', 'writeOnly'] as const
type Flag = (typeof flags)[number]

const DEEPEST = 40
const nothing: Schema = {
  of: '',
  nullable: false,
  bounds: new Map(),
  properties: new Map(),
  required: new Set(),
  flags: new Set(),
  unread: false,
}

export type Reader = (schema: unknown) => Schema

/** Reads schemas of one document, each of them once. */
export function createSchemaReader(references: References): Reader {
  const known = new Map<unknown, Schema>()
  const reading = new Set<unknown>()

  function read(schema: unknown): Schema {
    const before = known.get(schema)
    if (before) return before
    if (!isObject(schema)) return { ...nothing, unread: schema !== true && schema !== undefined }
    // A schema that contains itself at the same place adds nothing.
    if (reading.has(schema) || reading.size > DEEPEST) return { ...nothing, unread: true }
    reading.add(schema)
    const parts: Schema[] = [own(schema)]
    if (typeof schema.$ref === 'string') {
      const found = references.follow(schema.$ref)
      if (reading.has(found)) references.unread.add(schema.$ref)
      const name = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref)?.[1]
      parts.push(found === undefined ? { ...nothing, unread: true } : { ...read(found), name, of: schema.$ref })
    }
    if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map(read).map(({ name: _, ...part }) => part))
    for (const choices of [schema.oneOf, schema.anyOf])
      if (Array.isArray(choices) && choices.length > 0) parts.push(choose(choices.map(read)))
    reading.delete(schema)
    const whole = parts.reduce(merge)
    known.set(schema, whole)
    return whole
  }
  return read
}

/** Keywords of bounds, each with the value that bounds nothing. */
const boundless: Readonly<Record<string, unknown>> = {
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

function own(schema: JsonObject): Schema {
  const listed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  const stated = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? undefined : [schema.type]
  const types = stated?.map(String) ?? guessTypes(schema, listed)
  const isWhole = types?.includes('number') && Number.isInteger(schema.multipleOf)
  const withoutNull = types
    ?.filter(type => type !== 'null')
    .map(type => (isWhole && type === 'number' ? 'integer' : type))
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : []
  // `password` says how a field is shown.
  const isFormat = typeof schema.format === 'string' && schema.format !== schema.type && schema.format !== 'password'
  const format = isFormat ? String(schema.format) : undefined
  return {
    of: '',
    types: withoutNull && withoutNull.length > 0 ? new Set(withoutNull) : undefined,
    nullable: schema.nullable === true || !!types?.includes('null') || !!listed?.includes(null),
    format,
    values: listed && new Set(listed.filter(value => value !== null).map(String)),
    bounds: boundsOf(schema, !!withoutNull?.includes('integer')),
    properties: new Map(properties),
    required: new Set(required as string[]),
    others: schema.additionalProperties,
    items: schema.items,
    flags: new Set(flags.filter(flag => schema[flag] === true)),
    unread: false,
  }
}

function boundsOf(schema: JsonObject, isInteger: boolean): ReadonlyMap<string, unknown> {
  const bounds = new Map(
    Object.entries(boundless).flatMap(([keyword, none]) =>
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

/** The schema of values that both allow. */
export function merge(a: Schema, b: Schema): Schema {
  // Two unions at one place are rare: the second counts as one schema.
  const plain = a.alternatives && b.alternatives ? unite(b) : b
  return {
    name: a.name ?? plain.name,
    of: together(a.of, plain.of),
    types: both(a.types, plain.types, (left, right) => left === right || (left === 'integer' && right === 'number')),
    nullable: a.nullable || plain.nullable,
    format: a.format ?? plain.format,
    values: both(a.values, plain.values, (left, right) => left === right),
    bounds: boundsOfBoth(a.bounds, plain.bounds),
    properties: join(a.properties, plain.properties, 'allOf'),
    required: new Set([...a.required, ...plain.required]),
    others: a.others ?? plain.others,
    items: inside(a.items, plain.items, 'allOf'),
    alternatives: a.alternatives ?? plain.alternatives,
    flags: new Set([...a.flags, ...plain.flags]),
    unread: a.unread || plain.unread,
  }
}

/** Where both have a pattern, a text has to fit both. */
function boundsOfBoth(a: Schema['bounds'], b: Schema['bounds']): Schema['bounds'] {
  const patterns = [a, b].flatMap(bounds => (bounds.has('pattern') ? String(bounds.get('pattern')).split(' & ') : []))
  const pattern = [...new Set(patterns)].sort().join(' & ')
  return new Map([...b, ...a, ...(pattern ? ([['pattern', pattern]] as const) : [])])
}

/** The schema of values that one of several allows. One that is only null makes the others nullable; others than objects are united. */
export function choose(choices: readonly Schema[]): Schema {
  const isNull = (choice: Schema) =>
    choice.nullable && !choice.types && choice.properties.size === 0 && !choice.values?.size && !choice.alternatives
  const real = choices.filter(choice => !isNull(choice))
  const [first, ...others] = real
  if (!first) return { ...nothing, nullable: true }
  const nullable = real.length < choices.length || real.some(choice => choice.nullable)
  if (others.length === 0) return { ...first, nullable }
  const isObjects = ({ types, properties, alternatives }: Schema) =>
    alternatives !== undefined || (properties.size > 0 && (!types || types.has('object')))
  if (real.every(isObjects)) return { ...nothing, types: new Set(['object']), nullable, alternatives: real }
  return { ...real.map(unite).reduce(either), nullable }
}

/** Replaces the alternatives of a schema by one that has all that any of them has. */
export function unite({ alternatives, ...rest }: Schema): Schema {
  return alternatives ? merge(rest, alternatives.map(unite).reduce(either)) : rest
}

const either = (a: Schema, b: Schema): Schema => ({
  of: together(a.of, b.of),
  types: a.types && b.types && new Set([...a.types, ...b.types]),
  nullable: a.nullable || b.nullable,
  format: a.format === b.format ? a.format : undefined,
  values: a.values && b.values && new Set([...a.values, ...b.values]),
  bounds: new Map([...a.bounds].filter(([keyword, value]) => b.bounds.get(keyword) === value)),
  properties: join(a.properties, b.properties, 'anyOf'),
  required: shared(a.required, b.required),
  others: a.others === false && b.others === false ? false : undefined,
  items: inside(a.items, b.items, 'anyOf'),
  flags: shared(a.flags, b.flags),
  unread: a.unread || b.unread,
})

const shared = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> => new Set([...a].filter(one => b.has(one)))

const together = (a: string, b: string) => [...new Set([...a.split(' '), ...b.split(' ')])].sort().join(' ').trim()

function both(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
  fits: (left: string, right: string) => boolean,
): ReadonlySet<string> | undefined {
  if (!a || !b) return a ?? b
  const within = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some].filter(left => [...others].some(right => fits(left, right)))
  return new Set([...within(a, b), ...within(b, a)])
}

const inside = (a: unknown, b: unknown, how: 'allOf' | 'anyOf') =>
  a === undefined || a === b ? b : b === undefined ? a : { [how]: [a, b] }

function join(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>, how: 'allOf' | 'anyOf') {
  const joined = new Map(a)
  for (const [name, schema] of b) joined.set(name, inside(joined.get(name), schema, how))
  return joined
}
