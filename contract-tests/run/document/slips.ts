import { isObject } from '../../engine/recognise.ts'

type Schema = Readonly<Record<string, unknown>>

/** A slip of vendor documents by which correct answers would be invalid. */
interface Slip {
  readonly is: string
  readonly why: string
  /** Returns the schema as it is meant. */
  readonly mend: (schema: Schema) => Schema
}

const without = (schema: Schema, name: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name))

const isPattern = (text: unknown): boolean => {
  try {
    return Boolean(new RegExp(String(text), 'u'))
  } catch {
    return false
  }
}

/** In the order in which they are mended. */
export const slips: readonly Slip[] = [
  {
    is: '`nullable`, or an exclusive bound that is true',
    why: 'OpenAPI 3.0 writes them so; JSON Schema has null as a type, and a number for the bound.',
    mend: schema => {
      const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
      const bounds = Object.entries({ exclusiveMinimum, exclusiveMaximum }).filter(([, of]) => typeof of === 'number')
      const plain = { ...rest, ...Object.fromEntries(bounds) }
      return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
    },
  },
  {
    is: 'an enum without null where the type has null (savedQueryLanguage, mskAuthentication)',
    why: 'The type says that null may come, and the enum, read strictly, that it may not.',
    mend: schema =>
      Array.isArray(schema.enum) && Array.isArray(schema.type) && schema.type.includes('null')
        ? { ...schema, enum: [...schema.enum, null] }
        : schema,
  },
  {
    is: 'an enum of texts where the type is a number (the level of a quantile)',
    why: 'No number is one of the texts; the numbers that they spell are meant.',
    mend: schema =>
      Array.isArray(schema.enum) && (schema.type === 'number' || schema.type === 'integer')
        ? { ...schema, enum: schema.enum.map(value => (typeof value === 'string' ? Number(value) : value)) }
        : schema,
  },
  {
    is: '`oneOf` of alternatives that have no required fields (buckets, credentials, tile configurations)',
    why: 'An object then fits several of them, and by `oneOf` none: one that fits is enough.',
    mend: ({ oneOf, ...schema }) => (Array.isArray(oneOf) ? { ...schema, anyOf: oneOf } : schema),
  },
  {
    is: 'a pattern that is no regular expression in Unicode mode, or looks ahead for several things at one place',
    why: 'No text satisfies a look-ahead for a digit and a letter at the same place.',
    mend: schema =>
      typeof schema.pattern === 'string' && (!isPattern(schema.pattern) || /\(\?=.*\(\?=/.test(schema.pattern))
        ? without(schema, 'pattern')
        : schema,
  },
  {
    is: '`additionalProperties: false`',
    why: 'A further field breaks no client: it is reported as additive.',
    mend: schema => (schema.additionalProperties === false ? without(schema, 'additionalProperties') : schema),
  },
]

/** Keywords whose values are schemas by name. Those names are not keywords: a field may be called `pattern`. */
const named = new Set(['properties', 'patternProperties', '$defs'])

/** Mends a schema, and makes its references absolute in the document of this name. */
export function mendSchema(schema: unknown, document: string): unknown {
  if (Array.isArray(schema)) return schema.map(item => mendSchema(item, document))
  if (!isObject(schema)) return schema
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === 'enum' || name === 'const' || name === 'default' || /^examples?$/.test(name)) return [name, value]
      if (name === '$ref' && String(value).startsWith('#')) return [name, document + value]
      const each = ([key, one]: [string, unknown]) => [key, mendSchema(one, document)]
      return [
        name,
        named.has(name) && isObject(value)
          ? Object.fromEntries(Object.entries(value).map(each))
          : mendSchema(value, document),
      ]
    }),
  )
  return slips.reduce((mended, { mend }) => mend(mended), inside)
}
