import { examples, exampleWords } from '../../../fixtures/contract/examples/index.ts'
import type { Field, Fields } from '../../../fixtures/contract/index.ts'
import type { Schemas } from './schemas.ts'

/** An example of a shape: that of the contract, else one that follows from its fields and from what creates it. */
export function exampleOf(name: string, schemas: Schemas): object {
  const { fields = {} } = schemas[name] ?? {}
  // What lies deeper is more in an answer than in a body.
  const sent = Object.entries(examples[`${name}Body`] ?? {}).filter(
    ([field, value]) => typeof value !== 'object' && fields[field]?.type === typeof value,
  )
  return examples[name] ?? { ...exampleOfFields(fields), ...Object.fromEntries(sent) }
}

const exampleOfFields = (fields: Fields): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOfField(field, name)]))

function exampleOfField({ type, values, format, least = 0, fields, items, each, example }: Field, name = ''): unknown {
  if (example !== undefined) return example
  if (values) return values[0]
  switch (type) {
    case 'string':
      return format ? formats[format] : (exampleWords[name] ?? 'text').padEnd(least, '.')
    case 'number':
      return least
    case 'boolean':
      return true
    case 'array':
      return items ? [exampleOfField(items)] : []
    case 'object':
      return each ? { name: exampleOfField(each) } : exampleOfFields(fields ?? {})
  }
}

const formats = {
  uuid: '609b25e6-ec7c-4a4c-87a1-b00c5e8ac7df',
  email: 'ada.byron@example.com',
  date: '2026-01-15',
  'date-time': '2026-01-15T23:29:35Z',
  timestamp: '2026-01-15T23:29:35Z',
  uri: 'https://example.com',
  'object-id': '6578c0475b00697201000017',
} as const
