import {
  contract,
  type Field,
  type Fields,
  type Form,
  type OneOf,
  type Operation,
  operations,
} from '../../fixtures/built-contract/index.ts'
import { bodyOf, itemOf, type Schema, schemasIn } from '../../mock-server/core/openapi/schemas.ts'
import { parametersOf } from '../../mock-server/words/parameters-of.ts'

const header = '/** The types of the API, as the contract has them: what requests carry and what answers hold. */\n'

const wrappers = `/** The body of every success of the cloud management API, the managed form included. */
export interface Envelope<Result> {
  status: number
  /** A UUIDv4 of its own for every request. */
  requestId: string
  result: Result
}

/** The body of a success of the self-hosted API. */
export interface Data<Result> {
  data: Result
}

export type Nothing = Record<string, never>
`

const operationTypes = `/** All operations, by method and path. */
export interface Operations extends CloudOperations, SelfHostedOperations {}

/** The parts of an operation, by its method and path: \`Params<'GET /api/v2/alerts'>\`. */
export type Params<Of extends keyof Operations> = Operations[Of]['params']
export type Body<Of extends keyof Operations> = Operations[Of]['body']
export type Answer<Of extends keyof Operations> = Operations[Of]['answer']
export type Refused<Of extends keyof Operations> = Operations[Of]['refusal']
`

const schemas = schemasIn(contract)

/** The text of a module with a type for each resource, and a map of the operations of each API. */
export function renderTypes(): string {
  const interfaces = Object.entries<Schema>(schemas)
    .filter(([name]) => name !== 'Envelope')
    .map(([name, schema]) => renderSchema(name, schema))
  return nameLongUnions(
    [
      header,
      ...interfaces,
      wrappers,
      renderOperations('CloudOperations', 'the cloud management API, the managed form included', ['cloud', 'managed']),
      renderOperations('SelfHostedOperations', 'the self-hosted API', ['selfHosted']),
      operationTypes,
    ].join('\n'),
  )
}

/** Gives long unions that several fields share the name of the field. Repeated, they would be a seventh of the text. */
function nameLongUnions(text: string): string {
  const named = new Map<string, string>()
  const pattern = /^( *(\w+)\??: )('[^']*'(?: \| '[^']*'){19,})$/gm
  const counts = new Map<string, number>()
  for (const [, , , union] of text.matchAll(pattern)) counts.set(union!, (counts.get(union!) ?? 0) + 1)
  const shorter = text.replace(pattern, (line, start: string, field: string, union: string) => {
    const name = `${field[0]!.toUpperCase()}${field.slice(1)}`
    if (counts.get(union)! < 3 || name in schemas || (named.get(name) ?? union) !== union) return line
    named.set(name, union)
    return start + name
  })
  return [shorter, ...[...named].map(([name, union]) => `export type ${name} = ${union}\n`)].join('\n')
}

function renderSchema(name: string, schema: Schema): string {
  const fields = renderFields(schema.fields, '  ') + renderOthers(schema)
  if (schema.oneOf)
    return `/** ${schema.description} */\nexport type ${name} = {\n${fields}} & ${renderUnion(schema.oneOf, '')}\n`
  return `/** ${schema.description} */\nexport interface ${name} {\n${fields}}\n`
}

function renderOthers({ fields, others }: Schema): string {
  if (others) {
    const { prefix, suffix, types } = others
    return `  [field: \`${prefix}\${number}${suffix}\`]: ${types.join(' | ')} | undefined\n`
  }
  // Without fields of its own, it is a record whose fields the caller names.
  return Object.keys(fields).length === 0 ? '  [name: string]: unknown\n' : ''
}

const renderFields = (fields: Fields, indent: string): string =>
  Object.entries(fields)
    .map(([name, field]) => {
      const comment = field.description ? `${indent}/** ${field.description} */\n` : ''
      return `${comment}${indent}${renderName(name)}${field.optional ? '?' : ''}: ${renderField(field, indent)}\n`
    })
    .join('')

const renderName = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`)

function renderField(field: Field, indent: string): string {
  return field.nullable ? `${renderValue(field, indent)} | null` : renderValue(field, indent)
}

/** A union of objects, each with its value of the discriminating field. */
const renderUnion = ({ discriminator, variants }: OneOf, indent: string): string =>
  `(${Object.entries(variants)
    .map(([value, own]) => `{\n${indent}  ${discriminator}: '${value}'\n${renderFields(own, `${indent}  `)}${indent}}`)
    .join(' | ')})`

function renderValue(
  { type, alternativeType, values, fields, oneOf, propertyValues, items }: Field,
  indent: string,
): string {
  if (values) return values.map(value => `'${value}'`).join(' | ')
  if (propertyValues) return `Record<string, ${renderField(propertyValues, indent)}>`
  const own = fields && `{\n${renderFields(fields, `${indent}  `)}${indent}}`
  if (oneOf) return [...(own ? [own] : []), renderUnion(oneOf, indent)].join(' & ')
  if (own) return own
  if (type === 'object') return 'Record<string, unknown>'
  if (type !== 'array') return alternativeType ? `${type} | ${alternativeType}` : type
  const item = items ? renderField(items, indent) : 'Record<string, unknown>'
  return / \| /.test(item) ? `Array<${item}>` : `${item}[]`
}

function renderOperations(name: string, of: string, forms: readonly Form[]): string {
  const entries = forms.flatMap(form =>
    Object.entries(operations as Record<string, Operation>).flatMap(([id, operation]) => {
      const path = operation.paths[form]?.replace('{segment}', 'observability')
      return path === undefined ? [] : [renderOperation(id, operation, form, path)]
    }),
  )
  return `/** The operations of ${of}, by method and path. */\nexport interface ${name} {\n${entries.join('')}}\n`
}

function renderOperation(id: string, operation: Operation, form: Form, path: string): string {
  const params = parametersOf(path).map(name => `${name}: string`)
  return `  /** ${operation.description} */
  '${operation.method} ${path}': {
    id: '${id}'
    params: ${params.length > 0 ? `{ ${params.join('; ')} }` : 'Nothing'}
    body: ${bodyOf(operation, schemas) ?? 'undefined'}
    answer: ${renderAnswer(operation, form)}
    refusal: ${form === 'selfHosted' ? 'SelfHostedRefusal' : 'Refusal'}
  }
`
}

function renderAnswer(operation: Operation, form: Form): string {
  const item = itemOf(operation) ?? 'Nothing'
  const result = operation.result.type === 'array' ? `${item}[]` : item
  if (form !== 'selfHosted') return `Envelope<${result}>`
  return item === 'Nothing' ? item : `Data<${result}>`
}
