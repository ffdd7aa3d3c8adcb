import { z } from 'zod/v3'
import type { Field, Fields } from '../../fixtures/contract/index.ts'
import { fieldsOf, type Shape, viewOfShape } from '../fields/view.ts'
import { isRecord } from '../words/check-options.ts'

/** A time in a record. */
export const time = z.string().refine(text => !Number.isNaN(Date.parse(text)), 'Expected an ISO 8601 time')

/** A schema for records of a type that is not derived from it. */
type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>

/** Every record of a stack has these fields. */
export const recordOf = <T>(shape: z.ZodRawShape) =>
  z.object({ id: z.string().min(1), ...shape }) as unknown as Schema<T>

/**
 * The schema of a record: the fields of its resource in the contract, and those that only the mock keeps. It is built
 * on first use, because building those of all families takes a twentieth of the start.
 */
export function recordWith<T>(fields: Fields, more: z.ZodRawShape = {}, oneOf?: Shape['oneOf']): Schema<T> {
  let made: Schema<T> | undefined
  return z.lazy(() => {
    const own = () => fieldsOf(viewOfShape({ fields, oneOf }, { side: 'record' }))
    made ??= z.object({ ...shapeOf(own()), ...more }) as unknown as Schema<T>
    return made
  })
}

const shapeOf = (fields: Fields): z.ZodRawShape =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]))

function schemaOf(field: Field): z.ZodTypeAny {
  const { also } = field
  const plain = also ? z.union([schemaOfPlain(field), schemaOfPlain({ type: also })]) : schemaOfPlain(field)
  const value = field.nullable ? plain.nullable() : plain
  return field.optional ? value.optional() : value
}

function schemaOfPlain(field: Field): z.ZodTypeAny {
  const { type, values, format, pattern, least, most, step, fields, oneOf, items, each } = field
  const bounded = <T extends z.ZodString | z.ZodNumber | z.ZodArray<z.ZodTypeAny>>(schema: T): T => {
    const above = least === undefined ? schema : (schema.min(least) as T)
    return most === undefined ? above : (above.max(most) as T)
  }
  switch (type) {
    case 'string':
      if (values) return z.enum(values as [string, ...string[]])
      if (format === 'date-time' || format === 'timestamp') return time
      if (format === 'uuid') return z.string().uuid()
      return bounded(pattern === undefined ? z.string() : z.string().regex(new RegExp(pattern)))
    case 'number':
      return bounded(step === undefined ? z.number() : step === 1 ? z.number().int() : z.number().multipleOf(step))
    case 'boolean':
      return z.boolean()
    case 'array':
      return bounded(z.array(items ? schemaOf(items) : z.unknown()))
    case 'object':
      if (each) return z.record(schemaOf(each))
      if (!fields && !oneOf) return z.object({}).passthrough()
      return z.object(shapeOf(fieldsOf({ fields: fields ?? {}, oneOf })))
  }
}

/** An unknown field, and the known fields beside it. */
export interface UnknownField {
  readonly path: readonly (string | number)[]
  readonly known: readonly string[]
}

/**
 * Finds the first field, at any depth, that the schema does not have. Objects with additional properties take any
 * field. Saved records are not checked by this, because another release may have written them.
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

/** The fields of a record that its resource has, without those that only the mock keeps. */
export const pick = (record: object, fields: Fields): object =>
  Object.fromEntries(
    Object.keys(fields).flatMap(name => (name in record ? [[name, (record as Record<string, unknown>)[name]]] : [])),
  )

/** Reduces a value to its known fields, at any depth and without nulls, so that a password is not kept. */
export const keep = (value: object, fields: Fields): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const held = (value as Record<string, unknown>)[name]
      return held == null ? [] : [[name, keepValue(held, field)]]
    }),
  )

function keepValue(value: unknown, { fields, items }: Field): unknown {
  if (Array.isArray(value)) return items ? value.map(item => keepValue(item, items)) : value
  return fields && typeof value === 'object' && value !== null ? keep(value, fields) : value
}
