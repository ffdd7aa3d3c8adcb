/** OpenAPI descriptions, as far as the page reads them. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly description?: string
  readonly 'x-basis'?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export interface Content {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
  readonly description?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema?: Schema
  readonly description?: string
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly security?: readonly object[]
  readonly 'x-basis'?: string
}

export interface Description {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string }[]
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Content>>
  }
}

export type Schemas = Description['components']['schemas']

export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export const operationsOf = ({ paths }: Description): readonly ListedOperation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap(method => (operations[method] ? [{ method, path, operation: operations[method] }] : [])),
  )

export const nameOf = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split('/').at(-1)

/** The schema that a reference names, or the schema itself. */
export const resolve = (schema: Schema, schemas: Schemas): Schema => {
  const name = nameOf(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}

export const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')

/** The type of values that are not null. */
export const typeOf = ({ type, properties, items }: Schema): string =>
  (Array.isArray(type) ? type.find(one => one !== 'null') : type) ??
  (properties ? 'object' : items ? 'array' : 'string')

/** The bounds of a value in words: `1 to 100`, `at least 3 characters`. */
export function boundsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, multipleOf, minLength, maxLength, minItems, maxItems, pattern } = schema
  return [
    between(minimum, maximum, ''),
    ...(multipleOf === undefined ? [] : [multipleOf === 1 ? 'whole' : `a multiple of ${multipleOf}`]),
    between(minLength, maxLength, ' characters'),
    between(minItems, maxItems, ' items'),
    ...(pattern === undefined ? [] : [`fits ${pattern}`]),
  ].filter(text => text !== '')
}

function between(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return ''
  if (min === max) return `exactly ${min}${unit}`
  if (max === undefined) return `at least ${min}${unit}`
  return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`
}
