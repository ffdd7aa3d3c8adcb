import type {
  Basis,
  Contract,
  Edition,
  Field,
  Fields,
  Form,
  IdKind,
  OneOf,
  Operation,
  OperationId,
  Page,
} from '../../../fixtures/built-contract/index.ts'
import { statuses } from '../../../fixtures/contract/index.ts'
import { managedPermission } from '../../../fixtures/contract/role.ts'
import { viewOfShape } from '../../fields/view.ts'
import type { ChoicesInForce } from '../../gaps/choices.ts'
import type { Listener } from '../../words/call.ts'
import { parametersOf } from '../../words/parameters-of.ts'
import { nameOf as nameOfPermission } from '../../words/permissions.ts'
import { editionOf, type Route } from '../dispatch/routes.ts'
import { nameOfStatus } from '../write/refusal-sentence.ts'
import { exampleOf, exampleOfField } from './openapi-examples.ts'
import {
  bodyOf,
  itemOf,
  pathIn,
  refusalsOf,
  refusalWith,
  type Schema,
  type Schemas,
  schemasIn,
  successOf,
} from './schemas.ts'
import { capitalise, groupTags, tagOf, titleOf, wordsOf } from './tags.ts'

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 description of the served operations of one API. */
export function describe(
  contract: Contract,
  api: Listener,
  routes: readonly Route[],
  choicesInForce: ChoicesInForce,
): Json {
  const edition = editionOf(choicesInForce, api)
  // The listener of the cloud serves the managed form, too, whose schemas include those of the cloud.
  const schemas = schemasIn(contract, edition, api === 'cloud' ? 'managed' : api)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { form, operation: id, method, path } of routes) {
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = describeOperation(id, contract.operations[id], {
      contract,
      form,
      schemas,
      edition,
      choices: choicesInForce[form],
    })
  }
  const pathsAsText = JSON.stringify(paths)
  const sentenceField = choicesInForce[api]['error/self-hosted-body'] ?? 'message'
  const usedSchemas = Object.entries<Schema>({ ...schemas, SelfHostedRefusal: refusalWith(sentenceField) }).filter(
    ([name]) => pathsAsText.includes(`"#/components/schemas/${name}"`) || name === refusalSchemaOf(api),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: api === 'cloud' ? 'Cloud management API' : 'Self-hosted observability API',
      version: api === 'cloud' ? '1.0' : '2.0',
      description: 'The operations that the mock serves; `x-basis` names the source of each.',
    },
    servers: [{ url: '{base}', variables: { base: { default: `http://127.0.0.1:${api === 'cloud' ? 8001 : 8000}` } } }],
    security: [{ [schemeOf(api)]: [] }],
    ...groupTags(contract, routes),
    paths,
    components: {
      securitySchemes: { [schemeOf(api)]: { type: 'http', scheme: schemeOf(api), description: credentialOf[api] } },
      responses: Object.fromEntries(
        [400, 401, 403, 404, 409, 410, 413, 415, 424, 429, 500]
          .filter(status => pathsAsText.includes(`"#/components/responses/${responseName(status)}"`))
          .map(status => [responseName(status), describeRefusal(status, api)]),
      ),
      schemas: Object.fromEntries(
        usedSchemas.map(([name, schema]) => [
          name,
          describeSchema(name, schema, { schemas, isClosed: isClosed(api, schema, choicesInForce) }),
        ]),
      ),
    },
  }
}

const schemeOf = (api: string) => (api === 'cloud' ? 'basic' : 'bearer')
const credentialOf = {
  cloud: 'The id of an API key as user name, its secret as password.',
  selfHosted: 'The personal API access key. The ingestion key is another credential and is not accepted.',
} as const
const refusalSchemaOf = (api: string): string => (api === 'selfHosted' ? 'SelfHostedRefusal' : 'Refusal')
const responseName = (status: number) => nameOfStatus[status]!.replaceAll(' ', '')
const refer = (kind: 'schemas' | 'responses', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const asJson = (schema: Json, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

interface Scope {
  readonly contract: Contract
  readonly form: Form
  readonly schemas: Schemas
  readonly edition: Edition
  readonly choices: Readonly<Record<string, string>>
}

function describeOperation(id: OperationId, operation: Operation, scope: Scope): Json {
  const { form, schemas, choices } = scope
  const parameters = [
    ...parametersOf(pathIn(operation, form)).map(name => describeParameter(name, id, operation)),
    ...Object.entries(queryOf(operation, scope)).map(describeQuery),
  ]
  const body = bodyOf(operation, schemas)
  const isShown = operation.shownForms?.includes(form) ?? false
  const permission = { cloud: operation.permission ?? [], managed: managedPermission, selfHosted: [] }[form]
  const permissions = [permission].flat().map(nameOfPermission)
  return {
    operationId: form === 'managed' ? `managed.${id}` : id,
    summary: titleOf(id),
    description: `${operation.description} ${isShown ? basisSentences.stated : basisSentences[operation.basis ?? 'implied']}`,
    tags: [tagOf(scope.contract, id)],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: describeBody(body, schemas, id) }),
    responses: {
      ...describeSuccess(id, operation, scope),
      ...Object.fromEntries(
        [...refusalsOf(operation, form, choices)].map(([status, shapes]) => [
          status,
          hasDefaultShape(status, shapes)
            ? refer('responses', responseName(status))
            : describeRefusal(status, form, shapes),
        ]),
      ),
    },
    ...(operation.isPublic
      ? { security: [] }
      : permissions.length > 0 && { security: [{ [schemeOf('cloud')]: permissions }] }),
    'x-basis': isShown ? 'stated' : (operation.basis ?? 'implied'),
  }
}

const queryOf = ({ query = {} }: Operation, { edition }: Scope): Fields =>
  viewOfShape({ fields: query }, { side: 'request', edition }).fields

/** A body is not required if all fields are optional, as a missing body counts as `{}`; `validate` accepts any body. */
function describeBody(name: string, schemas: Schemas, id: OperationId): Json {
  const { fields, oneOf } = schemas[name]!
  const isNeeded = oneOf !== undefined || Object.values(fields).some(({ optional }) => !optional)
  const required = isNeeded && !id.endsWith('.validate')
  return { ...(required && { required }), content: asJson(refer('schemas', name), exampleOf(name, schemas)) }
}

/** Whether a refusal has the default shape of its status. */
const hasDefaultShape = (status: number, shapes: ReadonlySet<string>) =>
  status === 429 || (shapes.size === 1 && shapes.has('json'))

const basisSentences: Readonly<Record<Basis, string>> = {
  stated: 'The specification shows method and path (section 4).',
  implied: 'The specification lists this operation (section 1); method and path follow from its path shape.',
  documented: 'The vendor documents this operation; the specification does not show it.',
  observed: 'Real deployments have this operation; nothing documents it.',
  inferred: 'Clients of real deployments use this operation; nothing documents it.',
  invented: 'Only the mock has this operation; no known deployment does.',
}

const describeParameter = (name: string, operation: string, { ids }: Operation) => ({
  name,
  in: 'path',
  required: true,
  description: describeId(name, operation),
  schema: schemasOfIds[ids?.[name] ?? (name === 'id' ? 'objectId' : 'uuid')],
})

/** `functionName` is the name of a function, `id` the id of the resource of the operation. */
function describeId(parameter: string, operation: string): string {
  const [, subject = operation.split('.')[0]!, noun = parameter] = /^(\w+)([A-Z][a-z]+)$/.exec(parameter) ?? []
  return parameter === 'version' ? 'Number of the version.' : `${capitalise(noun)} of the ${wordsOf(subject)}.`
}

const describeQuery = ([name, field]: [string, Field]): Json => {
  return { name, in: 'query', required: !field.optional, schema: describeField(field) }
}

const schemasOfIds: Readonly<Record<IdKind, Json>> = {
  uuid: { type: 'string', format: 'uuid' },
  objectId: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  opaque: { type: 'string' },
  name: { type: 'string' },
}

const requestId = '292ce5f3-879d-468e-8dc5-29b89636d17f'

function describeSuccess(id: OperationId, operation: Operation, scope: Scope): Json {
  const [status = '', shape] = successOf(id, operation, scope.choices).split(' ')
  if (status === '204') return { 204: { description: 'Success.' } }
  const content = shape === 'text' ? textContent : contentOf(operation, scope)
  return { [status]: { description: 'Success.', content } }
}

const textContent = { 'text/plain': { schema: { type: 'string' } } } as const

function contentOf(operation: Operation, scope: Scope): Json {
  const { form, schemas, choices } = scope
  if (operation.mediaType) return { [operation.mediaType]: { schema: { type: 'string' } } }
  if (operation.ownAnswer)
    return asJson(describeField(operation.ownAnswer.field), exampleOfField(operation.ownAnswer.field))
  const { type } = operation.result
  const name = itemOf(operation)
  // The operation that answers an OpenAPI document.
  if (operation.isPublic && !name) return asJson({ type: 'object' }, {})
  const item = name ? refer('schemas', name) : { type: 'object' }
  const result = type === 'array' ? { type: 'array', items: item } : item
  const itemExample = name ? exampleOf(name, schemas) : {}
  const example = type === 'array' ? [itemExample] : itemExample
  if (operation.isOutsideEnvelope) return asJson(result, example)
  if (form !== 'selfHosted') {
    const { status, requestId: requestIdField } = schemas.Envelope!.fields
    const { successStatus = 200, page } = operation
    const pageFields = page?.by === 'cursor' ? describePageFields(page) : {}
    const pageExample =
      page?.by === 'cursor' ? { limit: page.size, ...(!page.isUncounted && { totalCount: 1 }), nextCursor: null } : {}
    const hasResult = operation.method !== 'DELETE' || choices['envelope/delete-result'] !== 'absent'
    const fields = {
      status: describeField(status!),
      requestId: describeField(requestIdField!),
      ...(hasResult && { result }),
      ...pageFields,
    }
    return asJson(wrap(fields), {
      status: successStatus,
      requestId,
      ...(hasResult && { result: example }),
      ...pageExample,
    })
  }
  if (type === 'nothing' || type === 'bare') return asJson(result, example)
  const hasPage = 'offset' in queryOf(operation, scope)
  const meta = { meta: wrap({ total: integer, limit: integer, offset: integer }) }
  const metaExample = hasPage ? { meta: { total: 1, limit: 1000, offset: 0 } } : {}
  return asJson(wrap({ data: result, ...(hasPage && meta) }), { data: example, ...metaExample })
}

const integer = { type: 'integer' } as const

const describePageFields = ({ isUncounted }: Page): Json => ({
  limit: { type: 'integer', description: 'Most records of a page.' },
  ...(!isUncounted && { totalCount: { type: ['integer', 'null'], description: 'Records of all pages together.' } }),
  nextCursor: { type: ['string', 'null'], description: 'The `cursor` of the next page; null on the last one.' },
})

const wrap = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })

/** Calls beyond the rate limit are refused in a shape of their own. */
const tooMany = {
  cloud: asJson(wrap({ error: { type: 'string' } }), { error: 'TOO_MANY_REQUESTS' }),
  selfHosted: { 'text/html': { schema: { type: 'string' } } },
} as const

const challenge = { 'WWW-Authenticate': { description: 'The scheme that is asked for.', schema: { type: 'string' } } }

const otherContents: Readonly<Record<string, Json>> = {
  text: textContent,
  html: { 'text/html': { schema: { type: 'string' } } },
  empty: {},
}

/** Refusals in JSON that have another shape than those of their form, each with an example. */
const otherRefusals: Readonly<Record<string, readonly [schema: Json, example: unknown]>> = {
  error: [wrap({ error: { type: 'string' } }), { error: 'What was wrong' }],
  findings: [
    { type: 'array', items: wrap({ type: { type: 'string' }, errors: { type: 'object' } }) },
    [{ type: 'Body', errors: { issues: [], name: 'ZodError' } }],
  ],
}

function describeRefusal(status: number, form: Form, shapes: ReadonlySet<string> = new Set(['json'])): Json {
  const api = form === 'selfHosted' ? form : 'cloud'
  const { description, basis } = statuses[status as keyof typeof statuses]
  const sentence = `${responseName(status)}: what was wrong`
  const example = api === 'cloud' ? { status, error: sentence, requestId } : { message: sentence }
  const ofApi = [refer('schemas', refusalSchemaOf(api)), example] as const
  const own = [...shapes].filter(shape => !otherContents[shape]).map(shape => otherRefusals[shape] ?? ofApi)
  const [first] = own
  const json = first && asJson(own.length === 1 ? first[0] : { anyOf: own.map(([schema]) => schema) }, first[1])
  return {
    description,
    ...(status === 401 && { headers: challenge }),
    content: status === 429 ? tooMany[api] : Object.assign({}, json, ...Array.from(shapes, one => otherContents[one])),
    'x-basis': basis,
  }
}

/** Whether unknown properties are refused: in the cloud form always, in the managed form by choice, never self-hosted. */
const isClosed = (api: Listener, { sentIn }: Schema, choicesInForce: ChoicesInForce): boolean =>
  api === 'cloud' &&
  sentIn !== undefined &&
  (!sentIn.has('selfHosted') || choicesInForce.managed['managed/unknown-property'] === 'refuse')

function describeSchema(
  name: string,
  { description, fields, oneOf, others }: Schema,
  { schemas, isClosed }: { readonly schemas: Schemas; readonly isClosed: boolean },
): Json {
  return {
    description,
    ...describeObject({ fields, oneOf }),
    ...(isClosed && { [oneOf ? 'unevaluatedProperties' : 'additionalProperties']: false }),
    ...(others && { patternProperties: { [`^${others.prefix}\\d+\\${others.suffix}$`]: { type: others.types } } }),
    examples: [exampleOf(name, schemas)],
  }
}

function describeObject({
  fields = {},
  oneOf,
  additionalProperties,
  propertyValues,
  propertyNames,
}: Omit<Field, 'type'>): Json {
  const required = Object.keys(fields).filter(name => !fields[name]!.optional)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...((Object.keys(fields).length > 0 || !additionalProperties) && {
      properties: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, describeField(one)])),
    }),
    ...(oneOf && { oneOf: describeVariants(oneOf) }),
    ...(additionalProperties && { additionalProperties: additionalProperties === 'kept' }),
    ...(propertyValues && { additionalProperties: describeField(propertyValues) }),
    ...(propertyNames && { propertyNames: describeField(propertyNames) }),
  }
}

/** Describes each variant as an object that begins with the discriminator; variants of an override also fix its field. */
const describeVariants = ({ discriminator, defaultValue, variants, overrides = [] }: OneOf): readonly Json[] => [
  ...Object.entries(variants).map(([value, own]) => {
    const fields = {
      [discriminator]: { type: 'string', values: [value], ...(value === defaultValue && { optional: true }) },
      ...own,
    }
    const described = describeObject({ fields: fields as Fields })
    // Excludes what an override describes, or an object would match both and fail `oneOf`.
    const excluded = overrides
      .filter(({ variants }) => value in variants)
      .map(({ field, value: fieldValue }) => hasValue(field, fieldValue))
    if (excluded.length === 0) return described
    return { ...described, not: excluded.length === 1 ? excluded[0] : { anyOf: excluded } }
  }),
  ...overrides.flatMap(({ field, value: fieldValue, variants }) =>
    Object.entries(variants).map(([value, own]) => {
      const decisive = {
        [field]: { type: 'string', values: [fieldValue] },
        [discriminator]: { type: 'string', values: [value] },
      } as const
      return describeObject({ fields: { ...decisive, ...own } })
    }),
  ),
]
const hasValue = (name: string, value: string): Json => ({ required: [name], properties: { [name]: { const: value } } })

/** The keywords of JSON Schema for lower and upper bounds. */
const boundKeywords = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  number: ['minimum', 'maximum'],
  object: ['minProperties', 'maxProperties'],
} as const

function describeBounds({ type, min, max }: Field): Json {
  const [lower, upper] = boundKeywords[type as keyof typeof boundKeywords] ?? []
  return {
    ...(lower && min !== undefined && { [lower]: min }),
    ...(upper && max !== undefined && { [upper]: max }),
  }
}

const formats: Readonly<Record<NonNullable<Field['format']>, Json>> = {
  uuid: { format: 'uuid' },
  email: { format: 'email' },
  date: { format: 'date' },
  'date-time': { format: 'date-time' },
  timestamp: { format: 'date-time', pattern: 'Z$' },
  moment: { format: 'date-time' },
  uri: { format: 'uri' },
  'object-id': { pattern: '^[0-9a-fA-F]{24}$' },
}

function describeField(field: Field): Json {
  const {
    type,
    alternativeType,
    format,
    values,
    description,
    basis = 'documented',
    nullable,
    fields,
    oneOf,
    propertyValues,
    items,
    pattern,
    multipleOf,
  } = field
  const types = [type, ...(alternativeType ? [alternativeType] : []), ...(nullable ? ['null'] : [])]
  return {
    ...((fields || oneOf || propertyValues || field.additionalProperties) && describeObject(field)),
    type: types.length > 1 ? types : type,
    ...(description && { description }),
    ...(format && formats[format]),
    ...(pattern && { pattern }),
    ...(multipleOf && { multipleOf }),
    ...describeBounds(field),
    ...(values && { enum: [...(type === 'number' ? values.map(Number) : values), ...(nullable ? [null] : [])] }),
    ...(items && { items: describeField(items) }),
    ...(field.writeOnly && { writeOnly: true }),
    ...(field.default !== undefined && { default: field.default }),
    ...(basis !== 'stated' && { 'x-basis': basis }),
  }
}
