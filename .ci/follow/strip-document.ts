import { isObject } from '../../fixtures/built-contract/read-document.ts'

/** What is said of names, types and bounds; everything else, such as prose, is left out. */
const kept = new Set([
  ...['openapi', 'paths', 'components', 'schemas', 'parameters', 'responses', 'requestBodies', 'headers', 'content'],
  ...['get', 'put', 'post', 'delete', 'patch', 'tags', 'security', 'requestBody', 'schema', 'name', 'in', 'required'],
  ...['$ref', 'type', 'format', 'enum', 'const', 'default', 'nullable', 'properties', 'additionalProperties', 'items'],
  ...['allOf', 'oneOf', 'anyOf', 'not', 'discriminator', 'propertyName', 'mapping', 'readOnly', 'writeOnly', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'deprecated'],
])
/** The keys of these objects are names that the vendor chose. */
const holdsNames = new Set([
  'paths',
  'schemas',
  'parameters',
  'responses',
  'requestBodies',
  'headers',
  'content',
  'properties',
  'mapping',
])
/** Kept as they are. */
const isPlain = new Set(['enum', 'const', 'default', 'required', 'tags', 'security'])

/** Removes prose, examples and addresses from an OpenAPI document. */
export function stripDocument(value: unknown, hasNames = false): unknown {
  if (Array.isArray(value)) return value.map(one => stripDocument(one))
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => hasNames || kept.has(key))
  return Object.fromEntries(
    entries.map(([key, one]) => [
      key,
      !hasNames && isPlain.has(key) ? one : stripDocument(one, !hasNames && holdsNames.has(key)),
    ]),
  )
}

/** JSON with a line for each operation and each schema, so that the diff of two documents can be read. */
export function renderDocument(document: unknown): string {
  const render = (value: unknown, depth: number): string => {
    if (depth === 0 || !isObject(value)) return JSON.stringify(value)
    const lines = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${render(one, depth - 1)}`)
    return `{\n${lines.join(',\n')}\n}`
  }
  return `${render(document, 3)}\n`
}
