import { element } from './element.ts'
import { boundsOf, isNullable, nameOf, resolve, type Schema, type Schemas, typeOf } from './openapi.ts'
import { badge } from './parts.ts'

const basisTones: Readonly<Record<string, string>> = { stated: 'good', implied: 'note' }

/** Where something comes from, as a badge; nothing where it is not said. */
export const basisBadge = (basis: string | undefined) => basis !== undefined && badge(basis, basisTones[basis])

/** What a schema describes: fields with their types, values and bounds, those inside others folded below the first level. */
export function schemaTree(schema: Schema | undefined, named: Schemas, above: readonly string[] = []): HTMLElement {
  if (!schema) return element('p.quiet', 'No body.')
  const name = nameOf(schema)
  const found = resolve(schema, named)
  const path = name === undefined ? above : [...above, name]
  if (found.items) return schemaTree(found.items, named, path)
  const fields = Object.entries(found.properties ?? {})
  if (fields.length === 0) return element('p', element('span.type', wordsOf(found)))
  const required = new Set(found.required)
  return element('ul.fields-of', [
    fields.map(([key, field]) => element('li', renderField(key, field, required.has(key), named, path))),
  ])
}

function renderField(key: string, field: Schema, isRequired: boolean, named: Schemas, above: readonly string[]) {
  const inner = insideOf(field, above)
  const values = field.enum ?? field.items?.enum
  const line = [
    element('code', key),
    ' ',
    element('span.type', wordsOf(field)),
    isRequired && [' ', element('span.required', 'required')],
    field['x-basis'] && field['x-basis'] !== 'documented' && [' ', basisBadge(field['x-basis'])],
  ]
  const bounds = [...boundsOf(field), ...(field.items ? boundsOf(field.items).map(one => `each ${one}`) : [])]
  return [
    ...(inner ? [] : line),
    field.description && !inner && element('p', field.description),
    bounds.length > 0 && element('p', bounds.join(', ')),
    values && element('p.values', [values.map(value => [element('code', String(value)), ' '])]),
    inner &&
      element('details', { open: above.length < 2 && Object.keys(resolve(inner, named).properties ?? {}).length < 8 }, [
        element('summary', line),
        field.description && element('p', field.description),
        schemaTree(inner, named, [...above, key]),
      ]),
  ]
}

/** What is shown below a field: the one that it refers to, or its own fields. */
function insideOf(field: Schema, above: readonly string[]): Schema | undefined {
  const shown = field.items ?? field
  const name = nameOf(shown)
  if (name !== undefined) return above.includes(name) ? undefined : shown
  return shown.properties ? shown : undefined
}

/** A type in words: `array of string, uuid`, `number or null`. */
export function wordsOf(schema: Schema): string {
  const { items, format } = schema
  if (schema.$ref) return nameOf(schema)!
  const type = items ? `array of ${wordsOf(items)}` : typeOf(schema)
  return `${type}${isNullable(schema) ? ' or null' : ''}${format ? `, ${format}` : ''}`
}
