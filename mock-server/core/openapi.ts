import {
  type Field,
  type Fields,
  type Form,
  type Operation,
  operations,
  type Resource,
  resources,
} from '../../fixtures/contract/index.ts'

type Json = Readonly<Record<string, unknown>>

/** The machine-readable description of one API, as the contract has it: OpenAPI 3.1. */
export function describe(api: 'cloud' | 'selfHosted', segment = 'observability'): Json {
  const forms: readonly Form[] = api === 'cloud' ? ['cloud', 'managed'] : ['selfHosted']
  const paths: Record<string, Record<string, unknown>> = {}
  for (const form of forms) {
    for (const [id, operation] of Object.entries(operations as Record<string, Operation>)) {
      const path = operation.paths[form]?.replace('{segment}', segment)
      if (path === undefined) continue
      paths[path] ??= {}
      paths[path][operation.method.toLowerCase()] = describeOperation(id, operation, form, path)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: api === 'cloud' ? 'Cloud management API' : 'Self-hosted observability API',
      // keeps: version/description-is-1.0
      version: api === 'cloud' ? '1.0' : '2.0',
    },
    security: [{ [schemeOf(api)]: [] }],
    paths,
    components: {
      securitySchemes: { [schemeOf(api)]: { type: 'http', scheme: schemeOf(api) } },
      schemas: Object.fromEntries(
        Object.entries(resources as Record<string, Resource>).map(([name, { says, fields }]) => [
          nameSchema(name),
          { description: says, ...describeFields(fields) },
        ]),
      ),
    },
  }
}

const schemeOf = (api: string) => (api === 'cloud' ? 'basic' : 'bearer')
const nameSchema = (resource: string) => resource.charAt(0).toUpperCase() + resource.slice(1)
const refer = (resource: string) => ({ $ref: `#/components/schemas/${nameSchema(resource)}` })
const asJson = (schema: Json) => ({ 'application/json': { schema } })

function describeOperation(id: string, operation: Operation, form: Form, path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const { body, result, says } = operation
  const isDocumented = operation.shown.includes(form)
  return {
    operationId: form === 'managed' ? `managed.${id}` : id,
    summary: says,
    ...(!isDocumented && { description: 'Method and path follow from the path shape; they are not stated.' }),
    ...(names.length > 0 && { parameters: names.map(describeParameter) }),
    ...(body && { requestBody: { required: true, content: asJson(refer(body)) } }),
    responses: {
      200: { description: 'Success.', content: asJson(describeSuccess(result, form)) },
      400: { description: 'A perceived client error.', content: asJson(describeRefusal(form)) },
      401: { description: 'Missing or wrong credentials.', content: asJson(describeRefusal(form)) },
    },
  }
}

const describeParameter = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: name === 'id' ? { type: 'string', pattern: '^[0-9a-f]{24}$' } : { type: 'string', format: 'uuid' },
})

function describeSuccess({ is, of }: Operation['result'], form: Form): Json {
  const item = of ? refer(of) : { type: 'object' }
  const result = is === 'array' ? { type: 'array', items: item } : is === 'nothing' ? { type: 'object' } : item
  if (form === 'selfHosted') return is === 'nothing' ? result : wrap({ data: result })
  return wrap({ status: { type: 'number' }, requestId: { type: 'string', format: 'uuid' }, result })
}

const wrap = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })

const describeRefusal = (form: Form) =>
  form === 'selfHosted' ? wrap({ message: { type: 'string' } }) : refer('refusal')

function describeFields(fields: Fields): Json {
  const required = Object.keys(fields).filter(name => !fields[name]!.optional)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describeField(field)])),
  }
}

function describeField({ type, format, values, says, nullable, fields, items }: Field): Json {
  return {
    ...(fields ? describeFields(fields) : { type: nullable ? [type, 'null'] : type }),
    description: says,
    ...(format && { format }),
    ...(values && { enum: nullable ? [...values, null] : values }),
    ...(items && { items: describeField(items) }),
  }
}
