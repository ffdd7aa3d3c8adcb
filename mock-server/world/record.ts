import { z } from 'zod/v3'
import type { Field, Fields } from '../../fixtures/contract/index.ts'
import { testOf } from '../fields/formats.ts'
import { fieldsOf, type Shape, variantsOf, viewOfShape } from '../fields/view.ts'
import { isRecord } from '../words/check-options.ts'

/** A time in a record. */
export const time = z.string().refine(text => !Number.isNaN(Date.parse(text)), 'Expected an ISO 8601 time')

/** A schema whose TypeScript type is declared by its user, not inferred from the schema. */
type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>

/** The schema of a record of a stack: an id and the given fields. */
export const recordOf = <T>(shape: z.ZodRawShape) =>
  z.object({ id: z.string().min(1), ...shape }) as unknown as Schema<T>

/**
 * The schema of a record: the fields of its resource in the contract, and those that only the mock keeps (`more`). It is
 * built on first use, because building the schemas of all families takes 5 % of the start-up time.
 */
export function recordSchema<T>(
  fields: Fields,
  more: z.ZodRawShape = {},
  oneOf?: Shape['oneOf'],
  side: 'record' | 'answer' = 'record',
): Schema<T> {
  let made: Schema<T> | undefined
  return z.lazy(() => {
    made ??= z.object({ ...shapeOf(viewOfShape({ fields, oneOf }, { side })), ...more }) as unknown as Schema<T>
    return made
  })
}

/** The same schema for records in which these fields may have other values, too, or are new. */
export function withFields(schema: z.ZodTypeAny, fields: Fields): z.ZodTypeAny {
  let made: z.ZodTypeAny | undefined
  return z.lazy(() => (made ??= make()))

  function make(): z.ZodTypeAny {
    const inner = schema instanceof z.ZodLazy ? schema.schema : schema
    if (!(inner instanceof z.ZodObject)) return inner
    const known: z.ZodRawShape = inner.shape
    const own = Object.entries(shapeOf({ fields })).map(([name, one]) => {
      const before = Object.hasOwn(known, name) ? known[name] : undefined
      return [name, before ? z.union([before, one]) : one] as const
    })
    return inner.extend(Object.fromEntries(own))
  }
}

/** A field that variants describe differently may have the value of any of them, with and without a union. */
function shapeOf({ fields, oneOf }: Shape): z.ZodRawShape {
  const variants = oneOf ? variantsOf(oneOf) : []
  const selectors = [oneOf?.discriminator, ...(oneOf?.overrides ?? []).map(one => one.field)]
  return Object.fromEntries(
    Object.entries(fieldsOf({ fields, oneOf })).map(([name, field]) => {
      const own = selectors.includes(name) ? [] : variants.flatMap(variant => variant[name] ?? [])
      const isCommon = name in fields
      const isMixed = isCommon
        ? own.some(one => JSON.stringify(one) !== JSON.stringify(field))
        : new Set(own.map(({ type }) => type)).size > 1
      if (!isMixed) return [name, schemaOf(field)]
      const schemas = (isCommon ? [field, ...own] : own).map(schemaOf) as AtLeastTwo
      return [name, isCommon ? z.union(schemas) : z.union(schemas).optional()]
    }),
  )
}
type AtLeastTwo = [z.ZodTypeAny, z.ZodTypeAny]

function schemaOf(field: Field): z.ZodTypeAny {
  const { alternativeType } = field
  const plain = alternativeType
    ? z.union([schemaOfPlain(field), schemaOfPlain({ type: alternativeType })])
    : schemaOfPlain(field)
  const value = field.nullable ? plain.nullable() : plain
  return field.optional ? value.optional() : value
}

function schemaOfPlain(field: Field): z.ZodTypeAny {
  const { values, format, min, max, multipleOf, fields = {}, oneOf } = field
  const bounded = <T extends z.ZodString | z.ZodNumber | z.ZodArray<z.ZodTypeAny>>(schema: T): T => {
    const above = min === undefined ? schema : (schema.min(min) as T)
    return max === undefined ? above : (above.max(max) as T)
  }
  switch (field.type) {
    case 'string':
      if (values) return z.enum(values as [string, ...string[]])
      if (format === 'date-time' || format === 'timestamp') return time
      if (format === 'uuid') return z.string().uuid()
      if (field.pattern === undefined) return bounded(z.string())
      if (field.isFromDocument) return z.string().refine(testOf(field))
      return bounded(z.string().regex(new RegExp(field.pattern)))
    case 'number':
      if (values) return z.number().refine(value => values.includes(String(value)))
      if (multipleOf === 1) return bounded(z.number().int())
      return bounded(multipleOf === undefined ? z.number() : z.number().multipleOf(multipleOf))
    case 'boolean':
      return z.boolean()
    case 'array':
      return bounded(z.array(field.items ? schemaOf(field.items) : z.unknown()))
    case 'object':
      if (field.propertyValues) return z.record(schemaOf(field.propertyValues))
      if (field.additionalProperties === 'kept' || !(field.fields || oneOf))
        return z.object(shapeOf({ fields, oneOf })).passthrough()
      return requireVariantFields(oneOf, z.object(shapeOf({ fields, oneOf })))
  }
}

/** Requires a discriminator that names a variant, and the required fields of the variant that it, or an override, selects. */
const requireVariantFields = (oneOf: Shape['oneOf'], schema: z.ZodObject<z.ZodRawShape>): z.ZodTypeAny =>
  !oneOf
    ? schema
    : schema.superRefine((value, context) => {
        const override = oneOf.overrides?.find(one => value[one.field] === one.value)
        const { variants } = override ?? oneOf
        const named = value[oneOf.discriminator]
        if (named !== undefined && !Object.hasOwn(variants, String(named))) {
          const options = Object.keys(variants)
          context.addIssue({
            code: 'invalid_enum_value',
            path: [oneOf.discriminator],
            options,
            received: String(named),
          })
          return
        }
        const own = Object.entries(variants[String(named)] ?? {})
        const required = own.filter(([, { optional }]) => !optional).map(([name]) => name)
        for (const name of [oneOf.discriminator, ...required])
          if (value[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'Required' })
      })

/** An unknown field, and the fields that its object may have. */
export interface UnknownField {
  readonly path: readonly (string | number)[]
  readonly known: readonly string[]
}

/**
 * Finds the first field, at any depth, that the schema does not have. Objects with additional properties take any
 * field. Saved records are exempt from this check, because another release may have written them.
 */
export function findUnknownField(schema: z.ZodTypeAny, value: unknown): UnknownField | undefined {
  if (schema instanceof z.ZodLazy) return findUnknownField(schema.schema, value)
  if (schema instanceof z.ZodEffects) return findUnknownField(schema.innerType(), value)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return findUnknownField(schema.unwrap(), value)
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value) ? findWithin(value.entries(), () => schema.element) : undefined
  }
  if (schema instanceof z.ZodUnion) {
    const found = (schema.options as readonly z.ZodTypeAny[]).map(one => findUnknownField(one, value))
    return found.every(one => one !== undefined) ? found[0] : undefined
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return undefined
  const { shape }: { shape: z.ZodRawShape } = schema
  const isOpen = schema._def.unknownKeys === 'passthrough'
  const unknown = Object.keys(value).find(name => !Object.hasOwn(shape, name))
  if (unknown !== undefined && !isOpen) return { path: [unknown], known: Object.keys(shape) }
  return findWithin(Object.entries(value), name => shape[name])
}

function findWithin<Key extends string | number>(
  entries: Iterable<[Key, unknown]>,
  schemaAt: (key: Key) => z.ZodTypeAny | undefined,
): UnknownField | undefined {
  for (const [key, value] of entries) {
    const schema = schemaAt(key)
    const found = schema && findUnknownField(schema, value)
    if (found) return { ...found, path: [key, ...found.path] }
  }
  return undefined
}

/** Reduces a record to the fields of its resource, without those that only the mock keeps. */
export const pick = (record: object, fields: Fields): object =>
  Object.fromEntries(
    Object.keys(fields).flatMap(name => (name in record ? [[name, (record as Record<string, unknown>)[name]]] : [])),
  )

/** Reduces a value, at any depth, to the given fields, without nulls and write-only fields such as passwords. */
export const keep = (value: object, fields: Fields): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const held = (value as Record<string, unknown>)[name]
      return held == null || field.writeOnly ? [] : [[name, keepValue(held, field)]]
    }),
  )

function keepValue(value: unknown, { fields, items }: Field): unknown {
  if (Array.isArray(value)) return items ? value.map(item => keepValue(item, items)) : value
  return fields && typeof value === 'object' && value !== null ? keep(value, fields) : value
}
