import { isObject, type JsonObject } from '../../engine/recognise.ts'
import type { References } from './references.ts'

/** One level of a schema, normalised: `allOf` merged, `oneOf` and `anyOf` united, references resolved. */
export interface Schema {
  /** Without `null`; `integer` stays apart from `number`. Undefined when the document does not say. */
  readonly types?: ReadonlySet<string>
  readonly nullable: boolean
  readonly format?: string
  /** All values that are allowed, when they are listed. */
  readonly values?: ReadonlySet<string>
  /** The properties, each as it stands in the document or as the `allOf` or `anyOf` of its places. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  readonly items?: unknown
  readonly deprecated: boolean
  /** True when a part could not be read, so that what is not seen may be there. */
  readonly unread: boolean
}

const DEEPEST = 40
const nothing: Schema = {
  nullable: false,
  properties: new Map(),
  required: new Set(),
  deprecated: false,
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
    if (!isObject(schema)) return { ...nothing, unread: schema !== true }
    // A schema that contains itself at the same place adds nothing.
    if (reading.has(schema) || reading.size > DEEPEST) return { ...nothing, unread: true }
    reading.add(schema)
    const parts: Schema[] = [own(schema)]
    if (typeof schema.$ref === 'string') {
      const found = references.follow(schema.$ref)
      if (reading.has(found)) references.giveUp(schema.$ref)
      parts.push(found === undefined ? { ...nothing, unread: true } : read(found))
    }
    if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map(read))
    for (const choices of [schema.oneOf, schema.anyOf])
      if (Array.isArray(choices) && choices.length > 0) parts.push(unite(choices.map(read)))
    reading.delete(schema)
    const whole = parts.reduce(merge)
    known.set(schema, whole)
    return whole
  }
  return read
}

function own(schema: JsonObject): Schema {
  const listed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  const stated = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? undefined : [schema.type]
  const types = stated?.map(String) ?? guessTypes(schema, listed)
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : []
  const withoutNull = types?.filter(type => type !== 'null')
  return {
    types: withoutNull && withoutNull.length > 0 ? new Set(withoutNull) : undefined,
    nullable: schema.nullable === true || !!types?.includes('null') || !!listed?.includes(null),
    format: typeof schema.format === 'string' ? schema.format : undefined,
    values: listed && new Set(listed.filter(value => value !== null).map(String)),
    properties: new Map(properties),
    required: new Set(required as string[]),
    items: schema.items,
    deprecated: schema.deprecated === true,
    unread: false,
  }
}

function guessTypes(schema: JsonObject, listed: readonly unknown[] | undefined): string[] | undefined {
  if (isObject(schema.properties)) return ['object']
  if (schema.items !== undefined) return ['array']
  if (listed && listed.length > 0) return [...new Set(listed.map(value => (value === null ? 'null' : typeof value)))]
  return undefined
}

/** Both hold. */
function merge(a: Schema, b: Schema): Schema {
  return {
    types: both(a.types, b.types, (left, right) => left === right || (left === 'integer' && right === 'number')),
    nullable: a.nullable || b.nullable,
    format: a.format ?? b.format,
    values: both(a.values, b.values, (left, right) => left === right),
    properties: join(a.properties, b.properties, 'allOf'),
    required: new Set([...a.required, ...b.required]),
    items: a.items === undefined ? b.items : b.items === undefined ? a.items : { allOf: [a.items, b.items] },
    deprecated: a.deprecated || b.deprecated,
    unread: a.unread || b.unread,
  }
}

/** One of them holds. An alternative that is nothing but null makes the others nullable. */
function unite(choices: readonly Schema[]): Schema {
  const isNull = (choice: Schema) => choice.nullable && !choice.types && choice.properties.size === 0 && !choice.values
  const real = choices.filter(choice => !isNull(choice))
  const [first, ...others] = real
  if (!first) return { ...nothing, nullable: true }
  const united = others.reduce<Schema>(
    (a, b) => ({
      types: a.types && b.types && new Set([...a.types, ...b.types]),
      nullable: a.nullable || b.nullable,
      format: a.format === b.format ? a.format : undefined,
      values: a.values && b.values && new Set([...a.values, ...b.values]),
      properties: join(a.properties, b.properties, 'anyOf'),
      required: new Set([...a.required].filter(name => b.required.has(name))),
      items: a.items === undefined ? b.items : b.items === undefined ? a.items : { anyOf: [a.items, b.items] },
      deprecated: a.deprecated && b.deprecated,
      unread: a.unread || b.unread,
    }),
    first,
  )
  return { ...united, nullable: united.nullable || real.length < choices.length }
}

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

function join(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>, how: 'allOf' | 'anyOf') {
  const joined = new Map(a)
  for (const [name, schema] of b) {
    const other = joined.get(name)
    joined.set(name, other === undefined || other === schema ? schema : { [how]: [other, schema] })
  }
  return joined
}
