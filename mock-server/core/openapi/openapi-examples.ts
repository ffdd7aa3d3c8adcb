import { examples, exampleWords } from '../../../fixtures/contract/examples/index.ts'
import type { Field, Fields, OneOf } from '../../../fixtures/contract/index.ts'
import { testOf } from '../../fields/formats.ts'
import { textLike } from '../../fields/text-like.ts'
import type { Schemas } from './schemas.ts'

/** The contract's example of a shape, else one made from its fields, with the values of the example `<name>Body`. */
export function exampleOf(name: string, schemas: Schemas): object {
  const { fields = {}, oneOf } = schemas[name] ?? {}
  // Only plain values: nested objects of an answer have more fields than those of a body.
  const sent = Object.entries(examples[`${name}Body`] ?? {}).filter(
    ([field, value]) => typeof value !== 'object' && fields[field]?.type === typeof value,
  )
  const own = examples[name]
  if (!own) return { ...exampleOfFields(fields, oneOf), ...Object.fromEntries(sent) }
  // An edition may have more fields than the example of the contract.
  const missing = Object.entries(fields).filter(([field, { optional }]) => !optional && !(field in own))
  return { ...own, ...exampleOfFields(Object.fromEntries(missing)) }
}

/** The example of a union is its first variant. */
function exampleOfFields(fields: Fields, oneOf?: OneOf): object {
  const [value, own = {}] = Object.entries(oneOf?.variants ?? {})[0] ?? []
  const all = Object.entries({ ...fields, ...own }).map(([name, field]) => [name, exampleOfField(field, name)])
  return Object.fromEntries(oneOf ? [...all, [oneOf.discriminator, value]] : all)
}

export function exampleOfField(field: Field, name = ''): unknown {
  const { type, values, min = 0, max, multipleOf = 0, fields, oneOf, items, propertyValues, example } = field
  if (example !== undefined) return example
  if (values) return type === 'number' ? Number(values[0]) : values[0]
  switch (type) {
    case 'string':
      return exampleOfText(field, name)
    case 'number':
      return multipleOf > 0 ? Math.ceil(min / multipleOf) * multipleOf : Math.min(min, max ?? min)
    case 'boolean':
      return true
    case 'array':
      return items ? Array.from({ length: max === 0 ? 0 : Math.max(min, 1) }, () => exampleOfField(items)) : []
    case 'object':
      return propertyValues ? { name: exampleOfField(propertyValues) } : exampleOfFields(fields ?? {}, oneOf)
  }
}

function exampleOfText(field: Field, name: string): string {
  const { format, pattern, min = 0, max } = field
  const text = format ? examplesByFormat[format] : (exampleWords[name] ?? 'text').padEnd(min, '.').slice(0, max)
  // Patterns of the contract have examples of their own where a text of ours does not match.
  if (pattern === undefined || !field.isFromDocument || testOf(field)(text)) return text
  const like = textLike(pattern)
  return [like, like.repeat(Math.ceil(min / (like.length || 1)))].find(testOf(field)) ?? text
}

/** For each format a text that tells nothing, and that no record has. */
export const examplesByFormat = {
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'person@example.com',
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  timestamp: '2026-01-01T00:00:00Z',
  moment: '2026-01-01T00:00:00Z',
  uri: 'https://example.com/',
  'object-id': '000000000000000000000000',
} as const
