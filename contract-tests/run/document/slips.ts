import { isObject } from '../../engine/recognise.ts'

type Schema = Readonly<Record<string, unknown>>

const without = (schema: Schema, name: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name))

const isPattern = (text: unknown): boolean => {
  try {
    return Boolean(new RegExp(String(text), 'u'))
  } catch {
    return false
  }
}

/**
 * Corrections of slips in vendor documents that would make correct answers invalid. Each function returns the schema as it is
 * meant. They are applied in order.
 */
const corrections: readonly ((schema: Schema) => Schema)[] = [
  // OpenAPI 3.0 has `nullable`, for which JSON Schema has a type null. An exclusive bound that is `true` there, not a number,
  // is dropped: the bound then counts as inclusive.
  ({ nullable, exclusiveMinimum, exclusiveMaximum, ...rest }) => {
    const bounds = Object.entries({ exclusiveMinimum, exclusiveMaximum }).filter(([, of]) => typeof of === 'number')
    const plain = { ...rest, ...Object.fromEntries(bounds) }
    return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
  },
  // An enum without null where the type has null (savedQueryLanguage, mskAuthentication): read strictly, they contradict.
  schema =>
    Array.isArray(schema.enum) && Array.isArray(schema.type) && schema.type.includes('null')
      ? { ...schema, enum: [...schema.enum, null] }
      : schema,
  // An enum of texts where the type is a number (the level of a quantile): the numbers that they spell are meant.
  schema =>
    Array.isArray(schema.enum) && (schema.type === 'number' || schema.type === 'integer')
      ? { ...schema, enum: schema.enum.map(value => (typeof value === 'string' ? Number(value) : value)) }
      : schema,
  // `oneOf` of alternatives without required fields (buckets, credentials, tile configurations): an object fits several.
  ({ oneOf, ...schema }) => (Array.isArray(oneOf) ? { ...schema, anyOf: oneOf } : schema),
  // A pattern that is invalid in Unicode mode, or has several lookaheads: no text matches those of the vendor.
  schema =>
    typeof schema.pattern === 'string' && (!isPattern(schema.pattern) || /\(\?=.*\(\?=/.test(schema.pattern))
      ? without(schema, 'pattern')
      : schema,
  // `additionalProperties: false`: a further field breaks no client, and is reported as additive.
  schema => (schema.additionalProperties === false ? without(schema, 'additionalProperties') : schema),
]

/** Keywords whose values are schemas by name. Those names are not keywords: a field may be called `pattern`. */
const named = new Set(['properties', 'patternProperties', '$defs'])

/** Corrects a schema and all schemas inside it, and makes their references absolute in the document of this name. */
export function correctSchema(schema: unknown, document: string): unknown {
  if (Array.isArray(schema)) return schema.map(item => correctSchema(item, document))
  if (!isObject(schema)) return schema
  const mapEntries = (schemas: Schema, change: (name: string, value: unknown) => unknown) =>
    Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, change(name, value)]))
  const inside = mapEntries(schema, (name, value) => {
    if (/^(?:enum|const|default|examples?)$/.test(name)) return value
    if (name === '$ref' && String(value).startsWith('#')) return document + value
    if (named.has(name) && isObject(value)) return mapEntries(value, (_, one) => correctSchema(one, document))
    return correctSchema(value, document)
  })
  return corrections.reduce((corrected, correct) => correct(corrected), inside)
}
